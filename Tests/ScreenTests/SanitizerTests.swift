import Ports
import Screen
import Testing

/// Text from outside (TERM-26): input, what is shown, how many cells it takes.
struct SafetyVector: Sendable, CustomTestStringConvertible {
    let input: String
    let shown: String
    let cells: Int

    init(_ input: String, _ shown: String, _ cells: Int) {
        (self.input, self.shown, self.cells) = (input, shown, cells)
    }

    init(bytes: [UInt8], _ shown: String, _ cells: Int) {
        self.init(String(decoding: bytes, as: UTF8.self), shown, cells)
    }

    var testDescription: String { shown }

    static let controls: [SafetyVector] = [
        SafetyVector("A\u{1B}[31mB", "A^[[31mB", 8),
        SafetyVector("A\u{1B}[2J\u{1B}[HB", "A^[[2J^[[HB", 11),
        SafetyVector("A\u{1B}]52;c;ZXZpbA==\u{07}B", "A^[]52;c;ZXZpbA==^GB", 20),
        SafetyVector("\u{1B}]8;;http://e\u{1B}\\x", "^[]8;;http://e^[\\x", 18),
        SafetyVector("A\u{1B}]0;t", "A^[]0;t", 7),
        SafetyVector("\u{1B}P1$r\u{1B}\\", "^[P1$r^[\\", 9),
        SafetyVector("\u{1B}c", "^[c", 3),
        SafetyVector("\u{1B}[6n", "^[[6n", 5),
        SafetyVector("A\u{9B}31mB", "A<9B>31mB", 9),
        SafetyVector(bytes: [0x41, 0x9B, 0x33, 0x6D, 0x42], "A\u{FFFD}3mB", 5),
        SafetyVector("A\0B", "A^@B", 4),
        SafetyVector("a\u{7F}b", "a^?b", 4),
        SafetyVector("a\u{0E}b\u{0F}c", "a^Nb^Oc", 7),
        SafetyVector("evil\u{8}\u{8}\u{8}\u{8}safe", "evil^H^H^H^Hsafe", 16),
        SafetyVector("evil.com\rgood.com", "evil.com^Mgood.com", 18),
        SafetyVector("a\nb", "a^Jb", 4),
        SafetyVector("a\r\nb", "a^M^Jb", 6),
        SafetyVector("a\tb", "a b", 3),
        SafetyVector("a\u{85}b", "a<85>b", 6),
    ]

    static let hidden: [SafetyVector] = [
        SafetyVector("a\u{2028}b", "a<U+2028>b", 10),
        SafetyVector("ab\u{202E}moc.live\u{202C}c", "ab<U+202E>moc.live<U+202C>c", 27),
        SafetyVector("a\u{2067}b\u{2069}c", "a<U+2067>b<U+2069>c", 19),
        SafetyVector("a\u{061C}b", "a<U+061C>b", 10),
        SafetyVector("a\u{200B}b", "a<U+200B>b", 10),
        SafetyVector("a\u{200C}b", "a<U+200C>b", 10),
        SafetyVector("a\u{200D}b", "a<U+200D>b", 10),
        SafetyVector("a\u{2060}b", "a<U+2060>b", 10),
        SafetyVector("a\u{AD}b", "a<U+00AD>b", 10),
        SafetyVector("a\u{034F}b", "a<U+034F>b", 10),
        SafetyVector("a\u{3164}b", "a<U+3164>b", 10),
        SafetyVector("a\u{FFF9}b", "a<U+FFF9>b", 10),
        SafetyVector("\u{FEFF}a", "<U+FEFF>a", 9),
        SafetyVector("a\u{E0041}b", "a<U+E0041>b", 11),
        SafetyVector("a\u{E0B0}b", "a<U+E0B0>b", 10),
    ]

    static let undecodable: [SafetyVector] = [
        SafetyVector(bytes: [0x41, 0xFF, 0x42], "A\u{FFFD}B", 3),
        SafetyVector(bytes: [0x41, 0xC0, 0xAF, 0x42], "A\u{FFFD}\u{FFFD}B", 4),
        SafetyVector(bytes: [0x41, 0xE4, 0xB8], "A\u{FFFD}", 2),
        SafetyVector(bytes: [0x41, 0xED, 0xA0, 0x80, 0x42], "A\u{FFFD}\u{FFFD}\u{FFFD}B", 5),
        SafetyVector("a\u{FFFF}b", "a\u{FFFD}b", 3),
        SafetyVector("a\u{0378}b", "a\u{FFFD}b", 3),
        SafetyVector("a\u{1FAE9}b", "a\u{FFFD}b", 3),
    ]

    static let clusters: [SafetyVector] = [
        SafetyVector(
            "a" + String(repeating: "\u{301}", count: 40) + "b", "a\u{301}\u{301}\u{301}\u{301}b", 2),
        SafetyVector("\u{301}a", "\u{25CC}\u{301}a", 2),
        SafetyVector("e\u{301}", "e\u{301}", 1),
        SafetyVector("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}x", "\u{1F468}x", 3),
        SafetyVector("\u{1F1FA}\u{1F1F8}x", "USx", 3),
        SafetyVector("\u{2764}\u{FE0F}x", "\u{2764}x", 2),
        SafetyVector("\u{1F44D}\u{1F3FD}x", "\u{1F44D}x", 3),
        SafetyVector("1\u{FE0F}\u{20E3}x", "1x", 2),
        SafetyVector("\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}x", "\u{1F3F4}x", 3),
        SafetyVector("\u{4F60}\u{597D}x", "\u{4F60}\u{597D}x", 5),
        SafetyVector("\u{1112}\u{1161}\u{11AB}x", "\u{1112}\u{1161}\u{11AB}x", 3),
        SafetyVector("\u{5E9}\u{5DC}x", "\u{5E9}\u{5DC}x", 3),
        SafetyVector("\u{915}\u{94D}\u{937}\u{93F}x", "\u{915}\u{94D}\u{937}\u{93F}x", 4),
        SafetyVector("\u{E01}\u{E33}x", "\u{E01}\u{E33}x", 3),
    ]

    static let all = controls + hidden + undecodable + clusters
}

@Suite struct SanitizerTests {
    @Test(arguments: SafetyVector.all)
    func shows(_ vector: SafetyVector) {
        let text = SafeText(outside: vector.input)
        #expect(Array(text.string.unicodeScalars) == Array(vector.shown.unicodeScalars))
        #expect(text.columns == vector.cells)
    }

    @Test(arguments: SafetyVector.all)
    func takesItsCellsInTheGrid(_ vector: SafetyVector) {
        var grid = Grid(size: Size(columns: 60, rows: 1))
        let end = grid.put(SafeText(outside: vector.input), at: Point(x: 0, y: 0))
        grid.put("!", at: Point(x: end, y: 0))
        #expect(end == vector.cells)
        let row = TextWriter.rows(of: grid)[0]
        #expect(Array(row.unicodeScalars) == Array((vector.shown + "!").unicodeScalars))
    }

    @Test func escapesAreFlaggedAndLiteralsAreNot() {
        #expect(SafeText(outside: "a\u{202E}b").escapedColumns == [1..<9])
        #expect(SafeText(outside: "a<U+202E>b").escapedColumns == [])
        #expect(SafeText(outside: "\u{1B}[\u{9B}x").escapedColumns == [0..<2, 3..<7])
        #expect(SafeText(outside: "a\u{FFFF}").escapedColumns == [1..<2])
    }

    @Test func escapesAreNotEqualToTheTextTheyLookLike() {
        #expect(SafeText(outside: "a\u{202E}b") != SafeText(outside: "a<U+202E>b"))
    }

    @Test func eightHiddenScalarsAreShownAndNineAreCounted() {
        let eight = SafeText(outside: String(repeating: "\u{200B}", count: 8))
        #expect(eight.string == String(repeating: "<U+200B>", count: 8))
        let forty = SafeText(outside: "x" + String(repeating: "\u{200B}", count: 40) + "y")
        #expect(forty.string == "x<U+200B x40>y")
    }

    @Test func anAccentNeverJoinsAnEscapeOrTheFieldToTheLeft() {
        #expect(SafeText(outside: "\u{1B}\u{301}").string == "^[\u{25CC}\u{301}")
        var grid = Grid(size: Size(columns: 4, rows: 1))
        let end = grid.put("|", at: Point(x: 0, y: 0))
        grid.put(SafeText(outside: "\u{301}a"), at: Point(x: end, y: 0))
        #expect(grid.cluster(of: grid[Point(x: 0, y: 0)]) == nil)
        #expect(grid.cluster(of: grid[Point(x: 1, y: 0)])?.base == "\u{25CC}")
    }

    @Test func variationSelectorsOutsideEmojiAreShown() {
        #expect(SafeText(outside: "a\u{FE0F}b").string == "a<U+FE0F>b")
        #expect(SafeText(outside: "\u{4E00}\u{FE00}").string == "\u{4E00}<U+FE00>")
        #expect(SafeText(outside: "\u{2764}\u{200D}a").string == "\u{2764}<U+200D>a")
    }

    @Test func longFieldsKeepStartAndEndAndSayWhatIsMissing() {
        let text = SafeText(outside: "https://host.example/" + String(repeating: "p", count: 3_000) + "?end")
        #expect(text.columns == SafeText.fieldColumns)
        #expect(text.string.hasPrefix("https://host.example/ppp"))
        #expect(text.string.hasSuffix("ppp?end"))
        #expect(text.escapedColumns.count == 1)
        #expect(SafeText(outside: String(repeating: "é", count: 600)).columns == SafeText.fieldColumns)
    }

    @Test func onlyTheFirstBytesOfAHugeFieldAreLookedAt() {
        let text = SafeText(outside: String(repeating: "€", count: 1_000_000), columns: .max)
        #expect(text.columns == 8_192 / 3)
        #expect(text.string.unicodeScalars.allSatisfy { $0 == "€" })
    }

    @Test func nothingUnsafePassesWhateverComes() {
        let seed: UInt64 = 0x5AFE
        var random = SplitMix64(seed: seed)
        let spice: [UInt32] = [
            0x1B, 0x200D, 0xFE0F, 0x301, 0x1F468, 0x1F3FD, 0x1F1FA, 0x20E3, 0x31, 0x202E, 0x4F60, 0x0D,
        ]
        for _ in 0..<3_000 {
            var input = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                let value =
                    Bool.random(using: &random)
                    ? spice[Int.random(in: 0..<spice.count, using: &random)]
                    : UInt32.random(in: 0...0x10FFFF, using: &random)
                if let scalar = Unicode.Scalar(value) { input.append(scalar) }
            }
            let text = SafeText(outside: String(input))
            var columns = 0, marks = 0
            for scalar in text.string.unicodeScalars {
                switch CharacterWidth.of(scalar) {
                case .narrow: (columns, marks) = (columns + 1, 0)
                case .wide: (columns, marks) = (columns + 2, 0)
                case .mark: marks += 1
                case .hidden, .control, .unprintable: Issue.record("seed \(seed): U+\(String(scalar.value, radix: 16))")
                }
                #expect(marks <= Cluster.markLimit, "seed \(seed)")
            }
            #expect(columns == text.columns, "seed \(seed)")
            #expect(text.string.unicodeScalars.first.map { CharacterWidth.of($0) != .mark } ?? true, "seed \(seed)")
        }
    }

    @Test func bodiesKeepTheirLinesAndTabStops() {
        let lines = SafeText.lines(body: "a\tb\r\n\u{1B}[31mred\rx\n\nend")
        #expect(lines.map(\.string) == ["a       b", "^[[31mred^Mx", "", "end"])
    }

    @Test func bodiesHaveALimitAndSayWhenItIsReached() {
        let lines = SafeText.lines(body: String(repeating: "x\n", count: 5_000))
        #expect(lines.count == SafeText.bodyLineLimit + 1)
        #expect(lines.last?.string == "<cut>")
        #expect(lines.last?.escapedColumns == [0..<5])
        #expect(SafeText.lines(body: String(repeating: "y", count: 100_000)).last?.string == "<cut>")
        #expect(SafeText.lines(body: "") == [""])
    }
}
