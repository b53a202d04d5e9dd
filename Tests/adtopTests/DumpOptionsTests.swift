import ArgumentParser
import Dashboard
import Ports
import Screen
import Testing

@testable import adtop

@Suite struct DumpOptionsTests {
    private func plan(_ arguments: [String]) throws -> DumpPlan {
        try #require(try DumpOptions.parse(["--dump"] + arguments).plan(of: .stream))
    }

    @Test func readsEverything() throws {
        let plan = try plan([
            "--format", "svg", "--size", "80x24", "--pane", "tree", "--for", "30s", "--until", "5-beacons", "--keys",
            "j Enter",
        ])
        #expect(plan.format == .svg)
        #expect(plan.size == Size(columns: 80, rows: 24))
        #expect(plan.pane == .tree)
        #expect(plan.duration == .seconds(30))
        #expect(plan.condition == .beacons(5))
        #expect(plan.keys == [.key(KeyPress(.char("j"), [])), .key(KeyPress(.enter, []))])
        #expect(plan.isRedacted)
    }

    @Test(arguments: [
        ["--format", "json"], ["--size", "80x24"], ["--pane", "tree"], ["--keys", "j"],
    ])
    func whatActsOnlyOnADumpIsRejectedWithoutOne(_ arguments: [String]) {
        #expect(throws: CommandFailure(.usage, "\(arguments[0]): has an effect only with --dump; add it")) {
            try DumpOptions.parse(arguments).plan(of: .stream)
        }
    }

    @Test func linesMayBeLimitedAndAreNoFrame() throws {
        let plan = try #require(
            try DumpOptions.parse(["--plain", "--for", "3s", "--until", "ad-start"]).plan(of: .stream))
        #expect(plan.isPlain && plan.duration == .seconds(3) && plan.condition != nil && plan.isRedacted)
        #expect(try DumpOptions.parse([]).plan(of: .stream) == nil)
        for arguments in [["--plain", "--size", "80x24"], ["--plain", "--dump"]] {
            #expect(throws: CommandFailure.self) { try DumpOptions.parse(arguments).plan(of: .stream) }
        }
        for subject in [DumpSubject.streams, .recording, .fleet] {
            #expect(throws: CommandFailure.self) { try DumpOptions.parse(["--plain"]).plan(of: subject) }
        }
    }

    @Test(arguments: [["--for", "3s"], ["--until", "ad-start"], ["--unredacted"]])
    func whatNeedsAnEndIsRejectedOnTheDashboard(_ arguments: [String]) {
        let message = "\(arguments[0]): has an effect only with --dump or --plain; add one of them"
        #expect(throws: CommandFailure(.usage, message)) { try DumpOptions.parse(arguments).plan(of: .stream) }
    }

    /// The remedy is one that the verb takes.
    @Test(arguments: [
        (DumpSubject.streams, ["--for", "3s"], "--for: has an effect only with --dump; add it"),
        (.recording, ["--unredacted"], "--unredacted: has an effect only with --dump; add it"),
        (
            .recording, ["--for", "3s"],
            "--for: has no effect on a recording; omit it, or choose the moment with 'adtop replay --at'"
        ),
        (.streams, ["--dump", "--until", "ad-start"], "--until: needs a single stream; use --for"),
        (.fleet, ["--pane", "tree"], "--pane: needs a single stream; open a session with --keys"),
    ])
    func theRemedyIsOfTheVerb(subject: DumpSubject, arguments: [String], message: String) {
        #expect(throws: CommandFailure(.usage, message)) { try DumpOptions.parse(arguments).plan(of: subject) }
    }

    /// Events on standard output come without a frame.
    @Test(arguments: [["--format", "json"], ["--size", "80x24"], ["--pane", "tree"], ["--keys", "j"]])
    func whatShapesAFrameIsRejectedWithEventsInItsPlace(_ arguments: [String]) throws {
        let message = "\(arguments[0]): has no effect with --events -, which prints no frame; give the events a file"
        let options = try DumpOptions.parse(["--dump"] + arguments)
        #expect(throws: CommandFailure(.usage, message)) { try options.plan(of: .stream, events: "-") }
        #expect(try options.plan(of: .stream, events: "events.jsonl") != nil)
        #expect(try DumpOptions.parse(["--dump"]).plan(of: .stream, events: "-") != nil)
    }

    @Test func theModelHasNoPane() {
        let message = "--pane: has no effect with --format json; omit one of them"
        #expect(throws: CommandFailure(.usage, message)) { try plan(["--format", "json", "--pane", "tree"]) }
    }

    @Test(arguments: [
        (["--size", "80"], "--size: '80' is not COLUMNSxROWS such as 120x40, each 1 to 1000"),
        (["--size", "0x5"], "--size: '0x5' is not COLUMNSxROWS such as 120x40, each 1 to 1000"),
        (["--size", "80x24x3"], "--size: '80x24x3' is not COLUMNSxROWS such as 120x40, each 1 to 1000"),
        (
            ["--pane", "x"],
            "--pane: 'x' is not one of \(Pane.ofSession.map(\.rawValue).joined(separator: ", "))"
        ),
        (["--for", "x"], "--for: 'x' is not a duration like 4s, 500ms, 2h or 1m30s"),
        (["--for=-3s"], "--for: '-3s' is negative"),
        (
            ["--until", "0-beacons"],
            "--until: '0-beacons' is not break-start, ad-start, break-end, N-beacons or finding:RULE"
        ),
        (
            ["--until", "finding:"],
            "--until: 'finding:' is not break-start, ad-start, break-end, N-beacons or finding:RULE"
        ),
        (["--until", "finding:!"], "--until: no finding '!'; 'adtop explain' lists all"),
    ])
    func saysWhatIsWrong(arguments: [String], message: String) {
        #expect(throws: CommandFailure(.usage, message)) { try plan(arguments) }
    }

    @Test(arguments: [
        ("break-start", DumpCondition.breakStart), ("ad-start", .adStart), ("break-end", .breakEnd),
        ("1-beacon", .beacons(1)),
        ("12-beacons", .beacons(12)), ("finding:journal-failed", .finding("journal-failed")),
        ("finding:L03", .finding("L03")), ("finding:l03", .finding("L03")),
        ("finding:Journal-Failed", .finding("journal-failed")),
    ])
    func readsConditions(text: String, condition: DumpCondition) throws {
        #expect(try DumpCondition(text) == condition)
    }

    @Test func aMistypedFindingHasSimilarOnes() {
        #expect {
            try DumpCondition("finding:journal-faild")
        } throws: {
            ($0 as? CommandFailure)?.message.hasPrefix(
                "--until: no finding 'journal-faild'; similar: journal-failed") == true
        }
    }

    /// A numbered rule is in the same list, but no finding has its number.
    @Test func aRuleIsNoFinding() {
        #expect {
            try DumpCondition("finding:TRK-15")
        } throws: {
            ($0 as? CommandFailure)?.message.hasPrefix("--until: no finding 'TRK-15'; ") == true
        }
    }
}
