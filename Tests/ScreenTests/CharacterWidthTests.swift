import Screen
import Testing

@Suite struct CharacterWidthTests {
    @Test(
        arguments: [
            ("a", CharacterWidth.Class.narrow), ("\u{A0}", .narrow), ("é", .narrow), ("Ж", .narrow), ("─", .narrow),
            ("█", .narrow), ("✓", .narrow), ("◌", .narrow), ("❤", .narrow), ("ﾊ", .narrow),
            ("你", .wide), ("한", .wide), ("ア", .wide), ("Ａ", .wide), ("👍", .wide), ("🏴", .wide), ("\u{3000}", .wide),
            ("\u{301}", .mark), ("\u{E31}", .mark), ("\u{1161}", .mark), ("\u{20E3}", .mark),
            ("\u{200D}", .hidden), ("\u{202E}", .hidden), ("\u{AD}", .hidden), ("\u{2028}", .hidden),
            ("\u{E000}", .hidden), ("\u{E0041}", .hidden), ("\u{FEFF}", .hidden), ("\u{FE0F}", .hidden),
            ("\u{0}", .control), ("\u{1B}", .control), ("\u{7F}", .control), ("\u{85}", .control), ("\u{9F}", .control),
            ("\u{378}", .unprintable), ("\u{FFFE}", .unprintable), ("\u{10FFFF}", .unprintable),
            ("\u{1FAE9}", .unprintable),
        ] as [(Unicode.Scalar, CharacterWidth.Class)])
    func classifies(_ scalar: Unicode.Scalar, _ expected: CharacterWidth.Class) {
        #expect(CharacterWidth.of(scalar) == expected)
    }

    @Test func everyScalarOfTheSameCategoryGroupIsTreatedAlike() {
        // The standard library knows a newer Unicode: its format and control characters are never shown raw.
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            switch scalar.properties.generalCategory {
            case .control:
                #expect(CharacterWidth.of(scalar) == .control, "U+\(String(value, radix: 16))")
            case .format, .lineSeparator, .paragraphSeparator, .privateUse:
                let found = CharacterWidth.of(scalar)
                #expect(found == .hidden || found == .unprintable, "U+\(String(value, radix: 16))")
            case .unassigned:
                let found = CharacterWidth.of(scalar)
                #expect(found == .unprintable || found == .hidden, "U+\(String(value, radix: 16))")
            default:
                break
            }
        }
    }

    @Test func namedDisagreementsAreShownAsReplacementInTheSameCells() {
        let widths = CharacterWidth(disagreements: [0x1F600...0x1F64F, 0x2713...0x2713])
        #expect(widths.disagrees(on: "😀"))
        #expect(!widths.disagrees(on: "a"))
        var grid = Grid(size: Size(columns: 6, rows: 1), widths: widths)
        let end = grid.put(SafeText(outside: "😀✓a"), at: Point(x: 0, y: 0))
        #expect(end == 4)
        #expect(TextWriter.rows(of: grid) == ["\u{FFFD} \u{FFFD}a"])
        #expect(grid[Point(x: 0, y: 0)].role == .textEscaped)
    }

    @Test func aMarkThatTheHostMeasuresOtherwiseTakesItsBaseAlong() {
        var grid = Grid(size: Size(columns: 4, rows: 1), widths: CharacterWidth(disagreements: [0x301...0x301]))
        grid.put(SafeText(outside: "e\u{301}n\u{303}"), at: Point(x: 0, y: 0))
        #expect(TextWriter.rows(of: grid) == ["\u{FFFD}n\u{303}"])
    }
}
