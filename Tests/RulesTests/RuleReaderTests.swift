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

        Name: `drift`, `drifting-dates`

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
                    id: "pdt-drift", title: "Dates drift", field: "Tracking", text: ["Text."],
                    names: ["drift", "drifting-dates"], reason: "It matters.", remedy: "Something.", source: "HLS-12."),
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

    /// What people type: a name that is here stays, whatever the code of the program calls its finding.
    @Test func findingsHaveTheirNames() {
        let names = RuleLibrary.builtIn.entries.flatMap { entry in entry.names.map { "\(entry.id) \($0)" } }
        #expect(names.sorted() == Self.names.split(separator: "\n").map(String.init))
    }

    /// Every code of letter and number has a name, which is no id and of no other finding.
    @Test func namesAreUnique() {
        let entries = RuleLibrary.builtIn.entries
        for entry in entries where entry.reason != nil && entry.id.wholeMatch(of: /[A-Z][0-9]+/) != nil {
            #expect(!entry.names.isEmpty, "\(entry.id)")
        }
        let names = entries.flatMap(\.names)
        #expect(Set(names).count == names.count)
        for name in names {
            #expect(name.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil, "\(name)")
            #expect(RuleLibrary.builtIn[name] == nil, "\(name)")
        }
    }

    @Test func anEntryIsFoundByIDOrName() {
        let library = RuleLibrary([
            RuleEntry(id: "L1", title: "One", field: "F", text: ["x"], names: ["one", "l2"], source: "s."),
            RuleEntry(id: "L2", title: "Two", field: "F", text: ["x"], names: ["one"], source: "s."),
        ])
        #expect(library.entry(named: "One")?.id == "L1" && library.entry(named: "L2")?.id == "L2")
        #expect(library.entry(named: "l1")?.id == "L1" && library.entry(named: "two") == nil)
        #expect(library["one"] == nil)
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

    private static let names = """
        L01 not-metadata
        L02 content-type
        L03 wrong-type
        L04 type-mismatch
        L05 unknown-key
        L06 data-range
        L07 frozen
        L08 range-backwards
        L09 playhead-outside
        L10 thin-coverage
        L11 units
        L12 clock-skew
        L13 identifier
        L14 moved-start
        L15 break-overlap
        L16 ad-overlap
        L17 ad-gap
        L18 ad-outside-break
        L19 fill
        L20 empty-break
        L21 event-outside-ad
        L22 quartile-position
        L23 event-order
        L24 missing-event
        L25 duplicate-event
        L26 shared-url
        L27 no-url
        L28 bad-url
        L29 macro
        L30 mixed-content
        L31 private-host
        L32 click-as-automatic
        L33 unknown-event
        L34 user-event-window
        L35 late-metadata
        L36 events-added
        L37 ad-vanished
        L38 shrank
        L39 still-growing
        L40 ad-cut
        L41 unmatched-break
        L42 marker-length
        L43 ad-boundaries
        L44 ad-length
        L46 dates
        L47 repeated-creative
        L48 contradiction
        L50 token
        L51 anchor
        L53 session-gone
        L53 session-over
        L54 verification-resource
        L55 companion-resource
        L57 slow-beacon
        L58 beacon-refused
        L59 beacon-error-body
        L60 beacon-timing
        L61 sent-twice
        L62 never-sent
        L63 unmatched-user-event
        L65 asset-list-length
        L66 unknown-media
        L67 missing-records
        P01 without-time
        P02 start-of-first-ad
        P03 joined-mid-ad
        P04 reported-by-service
        P05 derived-length
        P06 not-ready
        P07 fewer-ads
        P08 pings-ended
        P09 missed-break
        P10 envelope
        P11 remote-part
        P12 without-verification
        """
}
