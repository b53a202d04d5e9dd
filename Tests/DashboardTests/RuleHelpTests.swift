import Ports
import Rules
import Screen
import Session
import TestSupport
import Testing

@testable import Dashboard

/// `?` on a finding, and `:explain`.
@Suite struct RuleHelpTests {
    /// The playlist view with its first finding selected.
    private func playlist(_ columns: Int, _ rows: Int) throws -> DashboardSample {
        var sample = DashboardSample(SnapshotSamples.midBreak, columns, rows)
        try sample.press("6 g j")
        guard case .finding = sample.state.views.playlist.list.model.selected else {
            Issue.record("the row below the head is no finding")
            return sample
        }
        return sample
    }

    @Test("the rule of a finding over the panes", arguments: [(80, 24), (120, 40), (40, 8)])
    func golden(_ columns: Int, _ rows: Int) throws {
        var sample = try playlist(columns, rows)
        try sample.press("?")
        expectGolden("rule", sample.frame.grid)
    }

    @Test("? opens the finding's rule, then the keys, then closes") func keys() throws {
        var sample = try playlist(80, 24)
        let code = try #require(sample.state.views.playlist.list.model.selectedFinding?.rule)
        try sample.press("?")
        #expect(sample.state.help == RuleLibrary.builtIn[code].map(HelpTopic.rule))
        try sample.press("?")
        #expect(sample.state.help == .keys)
        try sample.press("?")
        #expect(sample.state.help == .all)
        try sample.press("?")
        #expect(sample.state.help == nil)
        try sample.press("? Esc")
        #expect(sample.state.help == nil)
    }

    @Test("without a finding under the cursor ? is help", arguments: [["6", "g"], ["1"], ["3"], ["7"], ["0"]])
    func keysElsewhere(_ keys: [String]) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        for key in keys + ["?"] { try sample.press(key) }
        #expect(sample.state.help == .keys)
    }

    @Test("? works from the detail pane of the finding, not from the log") func focus() throws {
        var sample = try playlist(120, 40)
        try sample.press("2 ?")
        guard case .rule = sample.state.help else {
            Issue.record("\(String(describing: sample.state.help))")
            return
        }
        try sample.press("Esc 3 ?")
        #expect(sample.state.help == .keys)
    }

    @Test("? on a finding of a creative opens its rule") func creative() throws {
        var sample = DashboardSample(SnapshotSamples.decided, 120, 40)
        try sample.press("! 7")
        let row = try #require(
            sample.state.views.creative.list.model.rows.firstIndex { if case .finding = $0 { true } else { false } })
        sample.state.views.creative.list.model.select(row)
        let code = try #require(sample.state.views.creative.list.model.selectedFinding?.rule)
        #expect(sample.state.selectedRule?.id == code)
    }

    @Test("the whole entry is on the page, wrapped", arguments: [24, 60, 96])
    func page(_ width: Int) throws {
        let entry = try #require(RuleLibrary.builtIn["stale-playlist"])
        let lines = RulePage.text(entry, width: width)
        #expect(lines.allSatisfy { $0.count <= width && $0.last != " " })
        let text = lines.joined().filter { $0 != " " }
        let parts = [entry.id, entry.title, entry.reason ?? "", entry.remedy ?? "", entry.source] + entry.text
        // A label stands in front of the first row of what it names only.
        for part in parts { #expect(text.contains(part.filter { $0 != " " }), "\(part)") }
    }

    @Test("no line of any rule is wider than asked") func allPages() {
        for entry in RuleLibrary.builtIn.entries {
            #expect(RulePage.lines(entry, width: 36, .ascii).allSatisfy { $0.columns <= 36 }, "\(entry.id)")
        }
    }

    @Test(":explain accepts a rule in any case") func command() throws {
        let entry = try #require(RuleLibrary.builtIn["TRK-15"])
        #expect(try CommandLine.parse("explain trk-15", date: nil) == .explain(entry))
        #expect(try CommandLine.parse("explain late-metadata", date: nil) == .explain(RuleLibrary.builtIn["L35"]))
        #expect(try CommandLine.parse("explain", date: nil) == .explain(nil))
        let unknown = #expect(throws: CommandProblem.self) { try CommandLine.parse("explain pdt-drfit", date: nil) }
        #expect(unknown.map { "\($0)".contains("similar: pdt-drift") } == true, "\(String(describing: unknown))")
        let strange = #expect(throws: CommandProblem.self) { try CommandLine.parse("explain zzzzzzzz", date: nil) }
        #expect(strange.map { "\($0)" } == "\"zzzzzzzz\": no such rule; Tab lists all")
    }

    @Test(":explain opens the rule, or that of the selection, or reports that there is none") func run() throws {
        var sample = try playlist(80, 24)
        try sample.press(":")
        sample.type("explain VAST-11")
        try sample.press("Enter")
        #expect(sample.state.help == RuleLibrary.builtIn["VAST-11"].map(HelpTopic.rule))
        try sample.press("Esc :")
        sample.type("explain")
        try sample.press("Enter")
        #expect(sample.state.help != nil && sample.state.help != .keys)
        try sample.press("Esc 1 :")
        sample.type("explain")
        try sample.press("Enter")
        #expect(sample.state.help == nil && sample.state.toasts.last?.isGood == false)
    }

    @Test("Tab completes ids as they are written") func completion() {
        let found = Completion.candidates(for: "explain pdt-d", themes: [])
        #expect(found.prefix(2).map(\.line) == ["explain pdt-duplicate", "explain pdt-drift"])
        #expect(Completion.candidates(for: "explain trk-1", themes: []).first?.line == "explain TRK-1")
    }
}
