import Ports
import Screen
import Testing

@testable import AdTracking
@testable import Dashboard
@testable import Session

@Suite struct FindingsPaneTests {
    private static func view(
        _ rule: LintRule, _ message: String, count: Int = 1, minute: Int, path: String? = nil,
        places: [(String, String?, String?)] = []
    ) -> FindingView {
        let moment = SnapshotSamples.moment(12, minute, 0)
        return FindingView(
            finding: rule.finding(message, path: path), count: count, first: SnapshotSamples.moment(12, 30, 0),
            last: moment,
            places: places.map { name, ad, event in
                let start = BreakSamples.onAir.start
                return FindingView.Place(
                    place: FindingPlace(adBreak: name, start: start, ad: ad, event: event), message: message,
                    count: 1, last: moment)
            })
    }

    /// Findings of every severity, with and without places; one of them hostile.
    static var sample: Snapshot {
        var snapshot = SnapshotSamples.midBreak
        snapshot.findings = [
            view(
                .slowBeacon, "'https://t.example-dsp.com/v1/q1?sid=7f3a91c2&token=s3cr3t' timed out", count: 4,
                minute: 41,
                places: [("pod-b2-7731", "brandx-summer", "firstQuartile")]),
            view(
                .lateMetadata, "metadata of ad brandx-summer arrived 1.3 s after it was played", count: 7, minute: 40,
                places: [("pod-b2-7731", "brandx-summer", nil), ("pod-b1-7731", "bank-card", nil)]),
            view(
                .typeMismatch, "duration is '5|5'\u{1B}[2J", count: 2, minute: 39, path: "adBreaks[0].ads[1].duration"),
            view(.typeMismatch, "duration is '6'", minute: 38, path: "adBreaks[1].ads[0].duration"),
            view(.unknownKey, "unknown member 'foo'", minute: 37, path: "foo"),
        ]
        return snapshot
    }

    private func open(_ columns: Int = 120, _ rows: Int = 40, isASCII: Bool = false) throws -> DashboardSample {
        var sample = DashboardSample(Self.sample, columns, rows, isASCII: isASCII)
        try sample.press("f")
        return sample
    }

    @Test("the view in three sizes", arguments: [(80, 24), (120, 40), (40, 8)])
    func golden(_ columns: Int, _ rows: Int) throws {
        let sample = try open(columns, rows)
        expectGolden("findings", sample.frame.grid, [sample.panes])
    }

    @Test("an error that is found above does not move the rows that are being read")
    func arrivals() throws {
        func found(_ rule: String, _ severity: Severity, _ second: Int) -> FindingView {
            let moment = SnapshotSamples.now.advanced(by: .seconds(second - 100))
            let finding = Finding(rule: rule, severity: severity, message: "found")
            return FindingView(finding: finding, count: 1, first: moment, last: moment)
        }
        var snapshot = SnapshotSamples.midBreak
        snapshot.findings = (0..<40).reversed().map { found("W\($0)", .warning, $0) }
        var sample = DashboardSample(snapshot, 120, 40)
        func shown() -> [String] {
            let content = Layout(sample.state).content(of: .findings)
            return Array(TextWriter.rows(of: sample.frame.grid)[content.y..<content.maxY])
        }
        try sample.press("f G k k k k k k")
        let before = shown()
        #expect(before.contains { $0.contains("W33") })
        sample.snapshot.findings.insert(found("E1", .error, 60), at: 0)
        sample.snapshot.at = sample.snapshot.at.advanced(by: .milliseconds(1))
        sample.send(.snapshotArrived)
        #expect(shown() == before)
    }

    @Test("a stream that is not open is not called free of findings")
    func none() throws {
        func text(_ snapshot: Snapshot) throws -> String {
            var sample = DashboardSample(snapshot, 120, 40)
            try sample.press("f !")
            #expect(sample.state.toasts.last?.text == "no beacon has failed")
            return TextWriter.text(of: sample.frame.grid)
        }
        for snapshot in [SnapshotSamples.starting, SnapshotSamples.unopened] {
            #expect(try text(snapshot).contains("nothing found yet: the stream is not open"))
        }
        var healthy = SnapshotSamples.preRoll
        healthy.findings = []
        #expect(try text(healthy).contains("no findings so far"))
    }

    @Test("one row for each rule, errors first, those seen first before others")
    func order() throws {
        let sample = try open(200, 60)
        #expect(
            sample.state.views.findings.list.model.rows
                == [.rule("L35"), .rule("L04"), .rule("L57"), .rule("L05")])
        let text = TextWriter.text(of: sample.frame.grid)
        #expect(text.contains("✗ L35") && text.contains("⚠ L04") && text.contains("i L05"))
        #expect(text.contains("7×") && text.contains("B1/A2, B2/A2") && text.contains("2 places"))
        #expect(text.contains("to do") && text.contains("effect"))
    }

    @Test("Enter unfolds the places of a rule, and shows a place among the breaks")
    func places() throws {
        var sample = try open()
        try sample.press("Enter j")
        #expect(TextWriter.text(of: sample.frame.grid).contains("B2/A2  metadata of ad brandx-summer"))
        try sample.press("Enter")
        #expect(sample.state.main == .tree)
        #expect(
            sample.state.views.breaks.tree.selection == NodePath(breakID: "break-B2", adID: "brandx-summer-id"))
        try sample.press("f j j j l j Enter")
        let event = NodePath(breakID: "break-B2", adID: "brandx-summer-id", eventID: "A2-firstQuartile")
        #expect(sample.state.main == .tree)
        #expect(sample.state.views.breaks.tree.selection?.breakID == event.breakID)
    }

    @Test("a double click does what Enter does: a rule unfolds, a place is shown", arguments: [(80, 24), (120, 40)])
    func doubleClick(_ columns: Int, _ rows: Int) throws {
        var sample = try open(columns, rows)
        func click(row: Int) {
            let content = Layout(sample.state).content(of: .findings)
            for _ in 0..<2 { sample.click(Point(x: content.x + 6, y: content.y + row)) }
        }
        click(row: 0)
        #expect(sample.state.main == .findings && sample.state.views.findings.expanded == ["L35"])
        sample.now = sample.now.advanced(by: .seconds(1))
        click(row: 1)
        #expect(sample.state.main == .tree && sample.state.focus == .tree)
        #expect(sample.state.views.breaks.tree.selection == NodePath(breakID: "break-B2", adID: "brandx-summer-id"))
    }

    @Test("the footer names what Enter does on the selected row")
    func openHint() throws {
        var sample = try open()
        func footer() throws -> String { try #require(TextWriter.rows(of: sample.frame.grid).last) }
        #expect(try footer().contains("Enter places"))
        try sample.press("Enter j")
        #expect(try footer().contains("Enter go there"))
        try sample.press("k Enter j Enter j")
        #expect(try footer().contains("Enter detail"))
    }

    @Test("where there are none, those of the documents of ads are pointed to")
    func ofDocuments() throws {
        for (snapshot, points) in [(SnapshotSamples.decided, true), (SnapshotSamples.midBreak, false)] {
            var sample = DashboardSample(snapshot, 120, 40)
            sample.snapshot.findings = []
            try sample.press("f")
            let text = TextWriter.text(of: sample.frame.grid)
            #expect(text.contains("no findings so far"))
            #expect(text.contains("7 has those of the ads' VAST documents") == points, "\(text)")
            try sample.press("7")
            #expect(!TextWriter.text(of: sample.frame.grid).contains(#/[0-9] findings? /#))
        }
    }

    @Test("y copies Markdown without secrets and without markup from outside")
    func report() throws {
        var sample = try open()
        try sample.press("j j y")
        guard case .copy(let slow, .report)? = sample.effects.first else {
            Issue.record("nothing copied")
            return
        }
        #expect(slow.hasPrefix("# ") && slow.contains("(L57)") && slow.contains("B2/A2 firstQuartile"))
        #expect(slow.contains("**To do:**") && slow.contains("| last seen (UTC) | where | found |"))
        #expect(!slow.contains("s3cr3t") && !slow.contains("7f3a91c2"))
        try sample.press("k y")
        guard case .copy(let odd, .report)? = sample.effects.first else {
            Issue.record("nothing copied")
            return
        }
        #expect(odd.contains("'5\\|5'^\\[\\[2J") && !odd.contains("\u{1B}"))
        #expect(odd.contains("- seen: 3 times, first "))
        try sample.press("j j y")
        guard case .copy(let lone, .report)? = sample.effects.first else {
            Issue.record("nothing copied")
            return
        }
        #expect(lone.contains("(L05)") && lone.contains("- seen: once, 2026-"), "\(lone)")
        #expect(!lone.contains("first 2026-"))
        #expect(odd.split(separator: "\n").filter { $0.hasPrefix("| 2026") }.count == 2)
    }

    @Test("the first row and the view count the same, and the view names its rules where there are fewer")
    func counts() throws {
        var sample = try open(200, 60)
        let shown = TextWriter.text(of: sample.frame.grid)
        #expect(shown.contains("4 findings (1 error)") && shown.contains(" 1 error  3 warnings  1 note  4 rules "))
        try sample.press("/")
        sample.type("late")
        try sample.press("Enter")
        #expect(TextWriter.text(of: sample.frame.grid).contains(" 1 error  1 of 4 rules "))
        var snapshot = Self.sample
        snapshot.findings.removeAll { $0.finding.rule == LintRule.typeMismatch.rawValue }
        var single = DashboardSample(snapshot, 200, 60)
        try single.press("f")
        let plain = TextWriter.text(of: single.frame.grid)
        #expect(plain.contains(" 1 error  1 warning  1 note ") && !plain.contains("3 rules"))
    }

    @Test("breaks with findings are marked (D3)", arguments: [false, true])
    func marks(isASCII: Bool) throws {
        let sample = DashboardSample(Self.sample, 120, 40, isASCII: isASCII)
        let rows = TextWriter.text(of: sample.frame.grid).split(separator: "\n")
        let mark = isASCII ? "!" : "⚠"
        let first = rows.first { $0.contains(" B1  ") }, onAir = rows.first { $0.contains(" B2  ") }
        #expect(first?.contains("\(mark)1") == true && onAir?.contains("\(mark)2") == true)
        #expect(rows.first { $0.contains(" B3  ") }?.contains(mark) == false)
    }

    @Test("without findings, with a filter, and after a place is gone")
    func edges() throws {
        var empty = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        empty.snapshot.findings = []
        try empty.press("f Enter y j")
        #expect(TextWriter.text(of: empty.frame.grid).contains("no findings so far"))
        var sample = try open(80, 24)
        try sample.press("/")
        sample.type("late")
        try sample.press("Enter")
        #expect(sample.state.views.findings.list.model.rows == [.rule("L35")])
        var unmatched = try open()
        try unmatched.press("/")
        unmatched.type("zzzz")
        let total = unmatched.state.views.findings.list.model.total
        #expect(TextWriter.text(of: unmatched.frame.grid).contains(" 0 of \(total) rules"))
        sample.snapshot.breaks = []
        sample.snapshot.at = sample.snapshot.at.advanced(by: .seconds(1))
        sample.send(.snapshotArrived)
        try sample.press("l j Enter")
        #expect(sample.state.main == .findings)
    }
}
