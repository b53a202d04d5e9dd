import Screen
import Testing

@testable import Dashboard
@testable import Session

/// Clicks on the rows above the panes: what a count, a word or a time is about.
@Suite struct HeaderMouseTests {
    /// Clicks on a text of the first row.
    private func click(_ text: String, _ sample: inout DashboardSample) throws {
        let row = try #require(TextWriter.rows(of: sample.frame.grid).first)
        let place = try #require(row.firstRange(of: text)?.lowerBound, "\(row)")
        sample.click(Point(x: row.distance(from: row.startIndex, to: place), y: 0))
    }

    @Test("a click on what was sent shows the summary", arguments: [(80, 24), (120, 40), (200, 60)])
    func sent(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, columns, rows)
        try click("59 sent", &sample)
        #expect(sample.state.focus == .summary)
        var nothing = DashboardSample(SnapshotSamples.starting, columns, rows)
        let focus = nothing.state.focus
        try click("opening the stream", &nothing)
        #expect(nothing.state.focus == focus)
    }

    @Test("a click on the mode or the provider shows the session", arguments: [(80, 24), (120, 40), (200, 60)])
    func mode(_ columns: Int, _ rows: Int) throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.session.service = ServiceView(mode: "client")
        (snapshot.session.provider, snapshot.session.name) = ("acme", "c")
        for text in ["FIRE", "acme"] {
            var sample = DashboardSample(snapshot, columns, rows)
            try click(text, &sample)
            #expect(sample.state.focus == .session)
        }
    }

    @Test("a click on what is on air selects its break, between breaks the last one", arguments: [(80, 24), (120, 40)])
    func onAir(_ columns: Int, _ rows: Int) throws {
        for (snapshot, index) in [(SnapshotSamples.midBreak, 1), (SnapshotSamples.many, 199)] {
            var sample = DashboardSample(snapshot, columns, rows)
            try sample.press("6")
            sample.click(Point(x: 20, y: Layout(sample.state).air.y))
            #expect(sample.state.main == .tree && sample.state.views.breaks.model.selected?.breakIndex == index)
        }
    }

    @Test("a click while an interstitial of no break is on air selects none") func interstitial() {
        func context(_ sample: DashboardSample) -> ViewContext {
            FrameContext(sample.snapshot, sample.state, now: sample.now).context
        }
        var sample = DashboardSample(SnapshotSamples.many, 120, 40)
        #expect(AirRow.breakIndex(context(sample)) != nil)
        sample.snapshot.playhead.state = .interstitial
        #expect(AirRow.breakIndex(context(sample)) == nil)
    }
}
