import Testing

@testable import Rules

/// Reading the files of docs/rules, and finding an entry.
@Suite struct RuleReaderTests {
    static let text = """
        # Tracking

        An introduction.

        ## TRK-1: Opening a session

        First line,
        second line.

        Another paragraph: with a colon.

        Source: RFC 3986
        section 5.

        ## pdt-drift: Dates drift

        Text.

        Why: It matters.

        Do: Something.

        Source: HLS-12.
        """

    @Test func paragraphsAreJoinedAndNamedOnesTaken() throws {
        let entries = try RuleReader.entries(of: Self.text)
        #expect(
            entries == [
                RuleEntry(
                    id: "TRK-1", title: "Opening a session", field: "Tracking",
                    text: ["First line, second line.", "Another paragraph: with a colon."],
                    source: "RFC 3986 section 5."
                ),
                RuleEntry(
                    id: "pdt-drift", title: "Dates drift", field: "Tracking", text: ["Text."], reason: "It matters.",
                    remedy: "Something.", source: "HLS-12."),
            ])
    }

    @Test(arguments: [
        ("## no colon\n\nText.\n\nSource: x.", 1, "the heading has no id before a colon"),
        ("\n## : title\n\nText.\n\nSource: x.", 2, "the heading has no id before a colon"),
        ("## two words: title\n\nText.\n\nSource: x.", 1, "the heading has no id before a colon"),
        ("## A-1:\n\nText.\n\nSource: x.", 1, "A-1 has no title"),
        ("## A-1: title\n\nSource: x.", 1, "A-1 has no text"),
        ("# F\n\n## A-1: title\n\nText.", 3, "A-1 has no source"),
    ])
    func whatIsMissingIsNamedWithItsLine(text: String, line: Int, message: String) {
        #expect(throws: RuleProblem(line: line, message: message)) { try RuleReader.entries(of: text) }
    }

    @Test func nothingIsNoEntry() throws {
        #expect(try RuleReader.entries(of: "").isEmpty)
        #expect(try RuleReader.entries(of: "text\n# heading\nmore").isEmpty)
    }
}

/// The library made of the embedded files.
@Suite struct RuleLibraryTests {
    @Test(arguments: RuleFile.allCases)
    func everyFileCanBeRead(file: RuleFile) throws {
        let entries = try RuleReader.entries(of: file.text)
        #expect(!entries.isEmpty)
        let isFindings = file.rawValue.hasPrefix("findings-")
        for entry in entries {
            #expect((entry.reason != nil && entry.remedy != nil) == isFindings, "\(entry.id)")
            #expect(entry.source.hasSuffix("."), "\(entry.id)")
        }
    }

    @Test func noIDOccursTwice() {
        let ids = RuleLibrary.builtIn.entries.map { $0.id.lowercased() }
        #expect(Dictionary(grouping: ids) { $0 }.filter { $1.count > 1 }.isEmpty)
    }

    /// A number names its field, and no number is left out but the first of VAST: `vast-1` is a finding.
    @Test func rulesAreNumberedInOrder() {
        var next: [Substring: Int] = ["VAST": 2]
        for entry in RuleLibrary.builtIn.entries where entry.reason == nil {
            let parts = entry.id.split(separator: "-")
            #expect(parts.count == 2 && Int(parts[1]) == next[parts[0], default: 1], "\(entry.id)")
            next[parts[0], default: 1] += 1
        }
        #expect(Set(next.keys) == ["TRK", "PRV", "HLS", "VAST", "VMAP", "BID", "FMT", "CACHE", "TERM", "FLT"])
    }

    @Test func idsAreComparedWithoutCase() {
        #expect(RuleLibrary.builtIn["trk-15"]?.id == "TRK-15")
        #expect(RuleLibrary.builtIn["PDT-Drift"]?.id == "pdt-drift")
        #expect(RuleLibrary.builtIn["l14"]?.id == "L14")
        #expect(RuleLibrary.builtIn[""] == nil)
    }

    @Test(arguments: [
        ("TRK15", "TRK-15"), ("pdt-drfit", "pdt-drift"), ("L-14", "L14"), ("stale", "stale-playlist"),
    ])
    func aMistypedIDHasNeighbours(typed: String, expected: String) {
        #expect(RuleLibrary.builtIn.nearest(to: typed, count: 5).contains(expected), "\(typed)")
    }

    @Test func nothingIsSimilarToAnything() {
        #expect(RuleLibrary.builtIn.nearest(to: "").isEmpty)
        #expect(RuleLibrary.builtIn.nearest(to: "this is no rule of any kind").isEmpty)
        #expect(RuleLibrary.builtIn.nearest(to: String(repeating: "x", count: 100_000)).isEmpty)
    }
}
