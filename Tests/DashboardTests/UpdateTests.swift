import AdTracking
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

@Suite struct UpdateTests {
    private func sample(_ snapshot: Snapshot = SnapshotSamples.midBreak, _ columns: Int = 120, _ rows: Int = 40)
        -> DashboardSample
    {
        DashboardSample(snapshot, columns, rows)
    }

    private func selected(_ sample: DashboardSample) -> NodePath? {
        sample.state.views.breaks.model.path(at: sample.state.views.breaks.model.selectedRow)
    }

    @Test("the next theme is another than the one that auto stands for") func themeAfterAuto() throws {
        var sample = sample()
        sample.state.settings.themes = ["auto", "default", "midnight", "paper"]
        (sample.state.settings.theme, sample.state.settings.shownTheme) = ("auto", "default")
        try sample.press("T")
        #expect(sample.effects == [.setTheme("midnight")])
    }

    @Test(
        "keys that ask the caller for something",
        arguments: [
            ("m", [DashboardEffect.toggleMute]), ("p", [.togglePause]), ("Q", [.quit]), ("C-c", [.quit]),
            ("q", [.quit]), (".", [.step(1)]), (",", [.step(-1)]), (": s t e p Space 9 Enter", [.step(9)]),
            ("Esc", []), ("C-z", [.suspend]), ("C-l", [.redraw]), ("T", [.setTheme("midnight")]),
            ("]", [.selectSession(1)]),
            ("[", [.selectSession(1)]), ("? Q", [.quit]), ("? m", []), ("? q q", [.quit]),
        ])
    func effects(_ keys: String, _ expected: [DashboardEffect]) throws {
        var sample = sample()
        try sample.press(keys)
        #expect(sample.effects == expected)
    }

    @Test(
        "a letter moves as the arrow or the key beside it does",
        arguments: [
            ("j", "Down"), ("k", "Up"), ("h", "Left"), ("l", "Right"), ("g", "Home"), ("G", "End"), ("Space", "PgDn"),
        ])
    func moving(_ letter: String, _ key: String) throws {
        // The unfolded break in the second row.
        var start = sample()
        try start.press("g j")
        var (first, second) = (start, start)
        try first.press(letter)
        try second.press(key)
        func place(_ sample: DashboardSample) -> [Int] {
            [sample.state.views.breaks.model.selectedRow, sample.state.views.breaks.model.rows.count]
        }
        #expect(place(first) != place(start) && place(first) == place(second))
    }

    @Test("a key for another session shows that there is none", arguments: ["]", "["])
    func onlySession(_ key: String) throws {
        var sample = sample()
        sample.state.settings.sessions = ["ch7"]
        try sample.press(key)
        #expect(sample.effects.isEmpty && sample.state.toasts.last?.text == "there is no other session")
    }

    @Test("the smallest screens show the main pane alone, and it has the keys there")
    func keysOfTheSmallestScreens() throws {
        var sample = sample()
        try sample.press("3")
        sample.send(.input(.resize(Size(columns: 39, rows: 7))))
        let row = sample.state.views.breaks.model.selectedRow
        try sample.press("k")
        #expect(sample.state.views.breaks.model.selectedRow == row - 1 && sample.state.log.follows)
        try sample.press("/")
        #expect(sample.state.entry?.purpose == .filter(.tree))
        try sample.press("Esc")
        sample.send(.input(.resize(Size(columns: 120, rows: 40))))
        #expect(sample.state.focus == .log)
        sample.send(.input(.resize(Size(columns: 39, rows: 7))))
        try sample.press("6")
        sample.send(.input(.resize(Size(columns: 120, rows: 40))))
        #expect(sample.state.focus == .playlist)
    }

    @Test("beacon keys act once in 300 ms, whatever is held down")
    func beaconInterval() throws {
        var sample = sample()
        try sample.press("m m p m", every: .milliseconds(100))
        #expect(sample.effects == [.toggleMute, .toggleMute])
        var slow = self.sample()
        try slow.press("m m p p", every: .milliseconds(300))
        #expect(slow.effects == [.toggleMute, .toggleMute, .togglePause, .togglePause])
    }

    @Test("read-only disables the beacon keys, their hints and arming")
    func readOnly() throws {
        var snapshot = SnapshotSamples.observing
        snapshot.session.canArm = false
        var sample = sample(snapshot)
        try sample.press("m p r : a r m Enter")
        #expect(sample.effects.isEmpty)
        #expect(sample.state.confirmation == nil)
        let footer = TextWriter.rows(of: sample.frame.grid).last ?? ""
        #expect(!footer.contains("mute"))
        #expect(
            !TextWriter.text(of: Renderer.pane(.help, snapshot, sample.state, now: sample.now)).contains(
                "mute or unmute"))
    }

    @Test("observe mode still passes the key on: the monitor observes the event")
    func observeKeys() throws {
        var sample = sample(SnapshotSamples.observing)
        try sample.press("m")
        #expect(sample.effects == [.toggleMute])
    }

    @Test(
        "arming asks first, and only y sends",
        arguments: [
            ("y", [DashboardEffect.setMode(.fire)]), ("n", []), ("Enter", []), ("Esc", []), ("x y", [.setMode(.fire)]),
            ("C-c", [.quit]),
        ])
    func arming(_ answer: String, _ expected: [DashboardEffect]) throws {
        var sample = sample(SnapshotSamples.observing)
        try sample.press(": a r m Enter")
        #expect(sample.effects.isEmpty)
        #expect(
            sample.state.confirmation
                == .arm(hostCount: 3, hosts: ["px.example-ssp.io", "t.example-dsp.com", "m.example-verify.net"]))
        try sample.press(answer)
        #expect(sample.effects == expected)
    }

    @Test("arming twice changes nothing; an order to observe reaches the session also where its journal stopped it")
    func modes() throws {
        var firing = sample()
        try firing.press(": a r m Enter")
        #expect(firing.effects.isEmpty && firing.state.confirmation == nil)
        try firing.press(": o b s e r v e Enter")
        #expect(firing.effects == [.setMode(.observe)])
        var observing = sample(SnapshotSamples.observing)
        try observing.press(": o b s e r v e Enter")
        #expect(observing.effects == [.setMode(.observe)])
    }

    @Test("retry names the failed events below the selection")
    func retry() throws {
        let failed = NodePath(breakID: "break-B2", adID: "brandx-summer-id", eventID: "A2-firstQuartile")
        var sample = sample()
        try sample.press("! r")
        #expect(sample.effects == [.retry(failed)])
        try sample.press("{ r")
        #expect(sample.effects == [.retry(failed)])
        try sample.press("{ r")
        #expect(sample.effects.isEmpty)
        #expect(sample.state.toasts.last?.text == "no failed beacon here")
    }

    @Test("the next failure is found in folded breaks, and opened")
    func nextFailure() throws {
        var sample = sample()
        try sample.press("g } h !")
        #expect(selected(sample)?.eventID == "A2-firstQuartile")
        #expect(sample.state.focus == .tree)
        #expect(!sample.state.views.breaks.tree.follows)
    }

    @Test(
        "moving in the tree",
        arguments: [
            ("g", "break-B1", nil, nil), ("g j", "break-B2", nil, nil), ("g j j", "break-B2", "acme-shoes-15-id", nil),
            ("g }", "break-B2", nil, nil), ("G", "break-B3", nil, nil), ("G {", "break-B2", nil, nil),
            ("g k", "break-B1", nil, nil),
            ("g l l", "break-B1", "soda-pop-10-id", nil), ("g l l h", "break-B1", nil, nil),
            ("g l l l l", "break-B1", "soda-pop-10-id", "A1-impression"),
            ("G l j j h h k", "break-B2", "cola-15-id", nil),
        ] as [(String, String, String?, String?)])
    func moving(_ keys: String, _ breakID: String, _ adID: String?, _ eventID: String?) throws {
        var sample = sample()
        try sample.press(keys)
        #expect(selected(sample) == NodePath(breakID: breakID, adID: adID, eventID: eventID))
    }

    @Test("the selection stays on its node when breaks come before it")
    func stableSelection() throws {
        var sample = sample()
        try sample.press("g } j")
        let before = selected(sample)
        sample.snapshot.breaks.insert(BreakSamples.past(number: 9, of: 9, events: 2), at: 0)
        sample.snapshot.at = sample.snapshot.at.advanced(by: .milliseconds(1))
        sample.send(.snapshotArrived)
        #expect(selected(sample) == before)
    }

    @Test("when the selected node vanishes its parent is selected, then a neighbour")
    func vanished() throws {
        var sample = sample()
        try sample.press("g } j")
        sample.snapshot.breaks[1].ads.removeFirst()
        sample.snapshot.at = sample.snapshot.at.advanced(by: .milliseconds(1))
        sample.send(.snapshotArrived)
        #expect(selected(sample) == NodePath(breakID: "break-B2"))
        sample.snapshot.breaks.remove(at: 1)
        sample.snapshot.at = sample.snapshot.at.advanced(by: .milliseconds(1))
        sample.send(.snapshotArrived)
        #expect(selected(sample) == NodePath(breakID: "break-B3"))
    }

    @Test("panes: digits focus, the digit again zooms, Tab cycles through the visible ones")
    func panes() throws {
        var sample = sample()
        try sample.press("3")
        #expect(sample.state.focus == .log && !sample.state.isZoomed)
        try sample.press("3")
        #expect(sample.state.isZoomed)
        try sample.press("q")
        #expect(!sample.state.isZoomed && sample.state.focus == .log)
        try sample.press("q")
        #expect(sample.state.focus == .tree)
        try sample.press("Tab Tab Tab")
        #expect(sample.state.focus == .tree)
        try sample.press("5")
        #expect(sample.state.side == .session)
        try sample.press("S-Tab Tab Tab")
        #expect(sample.state.focus == .log)
    }

    @Test("a filter works while it is typed, Enter keeps it, Esc clears it")
    func filter() throws {
        var sample = sample()
        try sample.press("/")
        sample.type("quart")
        #expect(sample.state.views.breaks.tree.filter == "quart")
        #expect(sample.state.views.breaks.model.rows.filter(\.isMatch).count > 4)
        try sample.press("Enter")
        #expect(sample.state.views.breaks.tree.filter == "quart" && sample.state.entry == nil)
        try sample.press("Esc")
        #expect(sample.state.views.breaks.tree.filter.isEmpty)
        #expect(sample.effects.isEmpty)
    }

    @Test("n and N move through the matches")
    func matches() throws {
        var sample = sample()
        try sample.press("/")
        sample.type("midpoint")
        try sample.press("Enter g n")
        #expect(selected(sample)?.eventID == "A1-midpoint")
        #expect(selected(sample)?.breakID == "break-B1")
        try sample.press("n n")
        #expect(selected(sample)?.breakID == "break-B2")
        try sample.press("N")
        #expect(selected(sample) == NodePath(breakID: "break-B1", adID: "bank-card-id", eventID: "A2-midpoint"))
    }

    @Test("freezing holds snapshot and time; beacon keys still reach the session")
    func freeze() throws {
        var sample = sample()
        try sample.press("Z")
        let before = sample.frame.grid
        sample.snapshot.breaks = []
        sample.snapshot.at = sample.snapshot.at.advanced(by: .seconds(1))
        sample.send(.snapshotArrived)
        #expect(sample.frame.grid == before)
        try sample.press("m")
        #expect(sample.effects == [.toggleMute])
        try sample.press("Z")
        #expect(sample.state.views.breaks.model.rows.isEmpty)
    }

    @Test("sorting by the keys in turn, reversed by O")
    func sorting() throws {
        var sample = sample()
        try sample.press("o")
        #expect(sample.state.views.breaks.tree.sort == .state)
        #expect(sample.state.views.breaks.model.rows.first?.breakIndex == 1)
        try sample.press("O")
        #expect(sample.state.views.breaks.model.rows.last { $0.depth == 0 }?.breakIndex == 1)
        try sample.press("o o o o O")
        #expect(sample.state.views.breaks.tree.sort == .time)
        #expect(sample.state.views.breaks.model.rows.first?.breakIndex == 0)
    }

    @Test("copying: the URL that represents the event, safe for a shell")
    func copying() throws {
        var sample = sample()
        try sample.press("! y")
        let url = "https://t.example-dsp.com/v1/q1?cb=8839&id=a2&sid=7f3a91c2&pos=2&dur=30&ts=1795005653"
        #expect(sample.effects == [.copy(url, .url)])
        try sample.press("Y")
        #expect(sample.effects == [.copy("curl --globoff --include --url '\(url)'", .curl)])
        try sample.press("{ y")
        #expect(sample.effects.isEmpty)
        #expect(sample.state.toasts.last?.text == "select an event to copy its URL")
        try sample.press("5 y")
        #expect(sample.effects == [.copy("https://cdn.example.net/live/ch7/master.m3u8?sid=7f3a91c2", .url)])
    }

    @Test("the result of a key becomes one toast, once")
    func report() {
        var sample = sample()
        sample.snapshot.userReport = UserReportView(
            number: 1, action: .mute, at: sample.now, wasReported: nil, message: "mute: sending for B2/A2")
        sample.send(.snapshotArrived)
        #expect(sample.state.toasts.isEmpty)
        sample.snapshot.userReport?.wasReported = true
        sample.snapshot.userReport?.message = "mute sent for B2/A2 204 37ms"
        sample.send(.snapshotArrived)
        sample.send(.snapshotArrived)
        #expect(sample.state.toasts.map(\.text) == ["mute sent for B2/A2 204 37ms"])
        #expect(sample.state.toasts.map(\.isGood) == [true])
        sample.now = sample.now.advanced(by: Toast.lifetime)
        sample.send(.ticked)
        #expect(sample.state.toasts.isEmpty)
    }

    @Test("an action without an ad is answered, and not as a failure")
    func nothingToReport() {
        var sample = sample()
        sample.snapshot.userReport = UserReportView(
            number: 1, action: .mute, at: sample.now, wasReported: false, message: "mute: no ad on air")
        sample.snapshot.userReport?.isFailure = false
        sample.send(.snapshotArrived)
        #expect(sample.state.toasts.map(\.isGood) == [true])
    }

    @Test("a newer notice supersedes good news, and bad news is shown to its end")
    func superseded() {
        var sample = sample()
        for name in ["midnight", "daylight"] { sample.send(.themeChanged(name)) }
        #expect(sample.state.toasts.map(\.text) == ["theme: daylight"])
        sample.send(.noticed("the report could not be written", isGood: false))
        sample.send(.themeChanged("midnight"))
        #expect(sample.state.toasts.map(\.text) == ["the report could not be written", "theme: midnight"])
    }

    @Test("notices stay above the list of commands")
    func aboveTheList() throws {
        var sample = sample()
        try sample.press(":")
        let list = TextWriter.rows(of: sample.frame.grid)
        sample.send(.themeChanged("midnight"))
        let shown = TextWriter.rows(of: sample.frame.grid)
        let notice = try #require(shown.firstIndex { $0.contains("theme: midnight") })
        let top = try #require(list.firstIndex { $0.contains("Commands") })
        #expect(notice == top - 1)
        #expect(Array(shown[top...]) == Array(list[top...]))
    }

    @Test("every key that changes something names what it chose")
    func answers() throws {
        var sample = sample()
        sample.send(.themeChanged("midnight"))
        #expect(sample.state.toasts.last?.text == "theme: midnight")
        try sample.press("o")
        #expect(sample.state.toasts.last?.text == "breaks by state")
        try sample.press("O")
        #expect(sample.state.toasts.last?.text == "breaks by state, reversed")
        try sample.press("! r")
        #expect(sample.effects.contains { if case .retry = $0 { true } else { false } })
        #expect(sample.state.toasts.last?.text == "retry: 1 event sent again")
    }

    @Test("a notice about a session is not shown in the next one")
    func noticesOfASession() throws {
        var sample = sample()
        try sample.press("o")
        #expect(!sample.state.toasts.isEmpty)
        sample.send(.sessionsChanged(["ch7 live", "vod-4411"], current: 1))
        #expect(sample.state.toasts.isEmpty)
    }

    @Test("another session starts with a tree of its own")
    func sessions() throws {
        var sample = sample()
        try sample.press("! o Z")
        sample.send(.sessionsChanged(["ch7 live", "vod-4411"], current: 1))
        #expect(sample.state.session == 1)
        #expect(sample.state.held == nil)
        #expect(sample.state.views.breaks.tree.sort == .state)
        #expect(sample.state.views.breaks.tree.follows)
    }
}
