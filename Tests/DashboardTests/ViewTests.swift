import Screen
import Session
import Testing

@testable import Dashboard

@Suite struct ViewTests {
    @Test(
        "a digit opens a view in the main place, again it zooms, 1 goes back",
        arguments: [("6", Pane.playlist), ("7", .creative), ("8", .auction)])
    func digits(_ key: String, _ pane: Pane) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        let place = try #require(Layout(sample.state).panes[.tree])
        try sample.press(key)
        #expect(sample.state.main == pane && sample.state.focus == pane)
        // Its height follows what it shows.
        let shown = try #require(Layout(sample.state).panes[pane])
        #expect(shown.x == place.x && shown.y == place.y && shown.width == place.width)
        #expect(Layout(sample.state).panes[.tree] == nil)
        try sample.press(key)
        #expect(sample.state.isZoomed)
        try sample.press(key + " 1")
        #expect(sample.state.main == .tree && !sample.state.isZoomed)
    }

    @Test("a view that is opened is beside the other panes, also where one of them filled the screen")
    func unzoomed() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        sample.state.focusPane(.detail)
        try sample.press("Enter")
        #expect(sample.state.isZoomed)
        try sample.press("6")
        #expect(sample.state.main == .playlist && !sample.state.isZoomed)
    }

    @Test("the panes beside a view stay, and keys cycle through the visible ones")
    func around() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("6 Tab")
        #expect(sample.state.focus == .detail && sample.state.main == .playlist)
        try sample.press("Tab")
        #expect(sample.state.focus == .log)
        try sample.press("Tab")
        #expect(sample.state.focus == .playlist)
        try sample.press("3 4")
        #expect(sample.state.main == .playlist && sample.state.side == .summary)
    }

    @Test("where one pane is visible, Tab leads from the findings to their detail and back")
    func aroundFindings() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 40, 8)
        try sample.press("f Tab")
        #expect(sample.state.focus == .detail && sample.state.main == .findings)
        try sample.press("S-Tab")
        #expect(sample.state.focus == .findings)
    }

    @Test("back returns from a pane to its view, from a view to the breaks, from there it quits")
    func back() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("6 2 q")
        #expect(sample.state.focus == .playlist)
        try sample.press("q")
        #expect(sample.state.main == .tree && sample.state.focus == .tree)
        #expect(sample.effects.isEmpty)
        try sample.press("q")
        #expect(sample.effects == [.quit])
    }

    @Test("the command line opens every view by its name", arguments: DashboardView.allCases)
    func command(_ view: DashboardView) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press(":")
        sample.type("view \(view.rawValue)")
        try sample.press("Enter")
        #expect(sample.state.view == view)
        #expect(sample.state.focus == view.pane)
    }

    @Test("the command completes views and rejects other words")
    func completion() throws {
        #expect(Completion.candidates(for: "view p", themes: []).first?.line == "view playlist")
        #expect(
            Completion.candidates(for: "view ", themes: []).map(\.line) == [
                "view breaks", "view playlist", "view creative", "view auction", "view formats", "view cache",
                "view findings",
            ])
        #expect(
            throws: CommandProblem.bad(
                "slots", usage: "breaks | playlist | creative | auction | formats | cache | findings")
        ) {
            try CommandLine.parse("view slots", date: nil)
        }
        #expect(throws: CommandProblem.self) { try CommandLine.parse("view", date: nil) }
    }

    @Test("a dashboard starts with the view of its settings")
    func start() {
        var settings = DashboardState.Settings()
        settings.view = .playlist
        let state = DashboardState(size: Size(columns: 80, rows: 24), settings: settings)
        #expect(state.main == .playlist && state.focus == .playlist)
    }

    @Test("every pane of a view has a digit, and every digit its pane")
    func numbers() {
        #expect(Pane.focusable.map(\.digit) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0])
        for view in DashboardView.allCases { #expect(view.pane.isMain && DashboardView(view.pane) == view) }
        #expect(!Pane.detail.isMain)
    }

    @Test("the table keeps what each view remembers", arguments: Pane.allCases.filter(\.isMain))
    func remembered(_ pane: Pane) throws {
        var views = ViewTable()
        var view = try #require(views[pane])
        view.filter = "ch7"
        views[pane] = view
        #expect(views[pane]?.filter == "ch7")
    }

    @Test("in another view retry does not act on hidden rows")
    func retry() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("! 6 r")
        #expect(sample.effects.isEmpty)
        #expect(sample.state.toasts.last?.isGood == false)
    }
}
