import Fleet
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

@Suite struct FleetTopTests {
    @Test("agents and viewers in every state", arguments: [(80, 24), (120, 40), (200, 60), (60, 20), (40, 8)])
    func some(_ columns: Int, _ rows: Int) {
        expectGolden("fleet", FleetSample(FleetSamples.some, columns, rows).grid)
    }

    @Test("the store is away: the last data stay, with their age and the reason") func away() {
        var sample = FleetSample(FleetSamples.some, 80, 24)
        sample.now = sample.now.advanced(by: .seconds(42))
        sample.view.problem = .unreachable(place: "db.example.com:5432", clause: "connection refused")
        sample.read()
        expectGolden("fleet-away", sample.grid)
    }

    @Test("nothing was read yet, and there is nothing in the list") func empty() {
        var sample = FleetSample(nil, 80, 24)
        #expect(sample.rows[1].contains("the store is read"))
        var none = FleetSamples.some
        (none.viewers, none.overview.agents, none.overview.viewers) = ([], [], FleetOverview.Viewers())
        sample = FleetSample(none, 80, 24)
        expectGolden("fleet-empty", sample.grid)
    }

    @Test("agents have the keys") func agents() throws {
        var sample = FleetSample(FleetSamples.some, 120, 40)
        try sample.press("Tab j")
        #expect(sample.state.main == .agents && sample.state.focus == .agents)
        expectGolden("fleet-agents", sample.grid)
        try sample.press("Esc")
        #expect(sample.state.main == .viewers && sample.state.focus == .viewers)
        try sample.press("2 2")
        #expect(sample.state.focus == .agents && sample.state.isZoomed)
        try sample.press("1")
        #expect(sample.state.main == .viewers)
        try sample.press("3")
        #expect(sample.state.focus == .log)
    }

    @Test("the help names the keys of both tables") func help() throws {
        var sample = FleetSample(FleetSamples.some, 80, 24)
        try sample.press("?")
        expectGolden("fleet-help", sample.grid)
    }

    @Test("the words of the filter are phases, agents, labels and names") func filterWords() throws {
        var sample = FleetSample(FleetSamples.some, 80, 24)
        try sample.press("/")
        let viewers = sample.state.candidates(.empty(at: sample.now)).map(\.title)
        #expect(viewers.first == "failing" && Set(["waiting", "orphaned", "a1", "news", "ch8"]).isSubset(of: viewers))
        try sample.press("Esc Tab /")
        let agents = sample.state.candidates(.empty(at: sample.now)).map(\.title)
        #expect(agents.prefix(3) == ["silent", "draining", "alive"] && agents.contains("a4"))
    }

    @Test("below 40 columns there are rows, and the keys") func narrow() {
        let lines = FleetSample(FleetSamples.some, 39, 12).rows
        #expect(lines[1].contains(" viewer") && lines[2].hasPrefix(">news"))
        #expect(lines[3...10].allSatisfy { $0.dropFirst().contains { $0 != " " } }, "\(lines)")
        #expect(lines[11].contains("?help") && lines[11].contains("Q quit"), "\(lines[11])")
    }

    @Test("a text above the keys is whole at 80 columns, and Esc or a click hides it") func tip() throws {
        let export = "export ADTOP_STORE='postgres:///postgres?host=/tmp/adtop-XXXXXX&user=owner'"
        for (columns, rows) in [(80, 24), (120, 40)] {
            var sample = FleetSample(FleetSamples.some, columns, rows)
            sample.state.settings.showsTip = true
            sample.state.settings.tip = ["in another terminal:  \(export); adtop fleet drain a1", export]
            let row = sample.rows[rows - 2]
            #expect(row.contains(export), "\(row)")
            #expect(row.contains("Esc hides this") == (columns == 120), "\(row)")
            var clicked = sample
            try sample.press("Esc")
            #expect(!sample.rows[rows - 2].contains("export"))
            clicked.send(
                .input(.mouse(MouseEvent(kind: .press, button: .left, point: Point(x: 3, y: rows - 2)))))
            #expect(!clicked.state.settings.showsTip)
        }
    }

    @Test("what the sums are since is beside them where there is room") func sums() {
        #expect(FleetSample(FleetSamples.some, 120, 40).rows[1].contains("since takeover  due 378"))
        #expect(!FleetSample(FleetSamples.some, 60, 20).rows[1].contains("takeover"))
    }

    @Test func problemsAreFirst() throws {
        var sample = FleetSample(FleetSamples.some, 120, 40)
        #expect(sample.names.prefix(4) == ["news", "movies", "sport@us", "ch9-north@eu"])
        try sample.press("s")
        #expect(sample.state.views.viewers.sort == .name)
        try sample.press("S")
        #expect(sample.names.first == "vod-4411")
        sample.type(":")
        sample.type("set sort sent")
        try sample.press("Enter")
        #expect(sample.state.views.viewers.sort == .sent && !sample.state.views.viewers.isReversed)
        sample.type(":")
        sample.type("set sort hour")
        try sample.press("Enter")
        #expect(sample.state.entry?.problem?.contains("name | agent | state") == true)
    }

    @Test("a drained agent may be stopped") func drained() throws {
        var reading = FleetSamples.some
        reading.overview.agents = [FleetSamples.agent("a2", 2, .draining, holding: 0)]
        var sample = FleetSample(reading, 120, 40)
        try sample.press("Tab")
        #expect(sample.rows.contains { $0.contains("drained: it follows no viewers and can be stopped") })
    }

    @Test("numbers in names are in the order of numbers") func numbersInNames() throws {
        var reading = FleetSamples.some
        reading.viewers = [("ch10", "a10"), ("ch2", "a9"), ("ch1", "a1")].enumerated().map {
            FleetSamples.viewer($0 + 1, $1.0, $1.1, "running")
        }
        reading.overview.agents = ["a10", "a9", "a11"].enumerated().map {
            FleetSamples.agent($1, Int64($0), .alive, holding: 1)
        }
        var sample = FleetSample(reading, 120, 40)
        for column in ["name", "agent"] {
            sample.type(":")
            sample.type("set sort \(column)")
            try sample.press("Enter")
            #expect(sample.names == ["ch1", "ch2", "ch10"], "\(column)")
        }
        try sample.press("Tab :")
        sample.type("set sort name")
        try sample.press("Enter")
        #expect(sample.state.views.agents.rows.map(\.name) == ["a9", "a10", "a11"])
        #expect(reading.viewers.sorted(by: FleetViewer.precedes).map(\.channel) == ["ch1", "ch2", "ch10"])
    }

    @Test("agents that are over show no viewers and no beat, and are last by these") func agentsThatAreOver() throws {
        var reading = FleetSamples.some
        reading.overview.agents[3].holding = 5_000
        reading.overview.agents[3].beatAge = .seconds(3_600)
        var sample = FleetSample(reading, 120, 40)
        for column in ["viewers", "beat"] {
            try sample.press("2 :")
            sample.type("set sort \(column)")
            try sample.press("Enter")
            #expect(sample.state.views.agents.rows.map(\.name).last == "a4", "\(column)")
        }
    }

    @Test("the detail of an agent is whole at 80 columns, with its last beat") func detailOfAnAgent() throws {
        var sample = FleetSample(FleetSamples.some, 80, 24)
        try sample.press("Tab")
        let rows = sample.rows
        #expect(rows.contains { $0.contains("pid 4243, up 27h00m, beat 11s ago, host3:/var/lib/adtop/fleet/a3") })
        #expect(rows.contains { $0.contains("claims 1.4s (p99), 1,204 waiting") && !$0.contains("…") })
    }

    @Test("a count of orphaned viewers outlives less important words", arguments: [120, 80, 60, 40])
    func orphaned(columns: Int) {
        var reading = FleetSamples.some
        reading.overview.viewers.orphaned = 5
        #expect(FleetSample(reading, columns, 24).rows[0].contains("5 orphaned"))
        #expect(FleetSample(reading, 30, 3).rows[0].contains("5 orphaned"))
    }

    @Test func aFilterFindsAgentsStatesAndLabels() throws {
        var sample = FleetSample(FleetSamples.some, 120, 40)
        for (text, names) in [("a2", ["ch8", "vod-4411"]), ("waiting", ["sport@us"]), ("503", ["news"])] {
            try sample.press("/ C-u")
            sample.type(text)
            try sample.press("Enter")
            #expect(Set(sample.names) == Set(names), "\(text)")
        }
        try sample.press("Esc")
        #expect(sample.names.count == 11)
    }

    @Test func enterOpensAViewerAndListsThoseOfAnAgent() throws {
        var sample = FleetSample(FleetSamples.some, 120, 40)
        try sample.press("Enter")
        #expect(sample.effects == [.selectSession(5)])
        try sample.press("Tab / ")
        sample.type("a2")
        try sample.press("Enter Enter")
        #expect(sample.state.focus == .viewers)
        #expect(sample.names == ["ch8", "vod-4411"])
    }

    @Test func theMouseSelectsSortsAndScrolls() throws {
        var sample = FleetSample(FleetSamples.some, 120, 40)
        let rows = Layout(sample.state).content(of: .viewers)
        func click(_ x: Int, _ y: Int) -> DashboardEvent {
            .input(.mouse(MouseEvent(kind: .press, button: .left, point: Point(x: x, y: y))))
        }
        sample.send(click(rows.x + 3, rows.y + 2))
        #expect(sample.state.views.viewers.selectedRow == 2)
        sample.send(click(rows.x + 1, rows.y - 1))
        #expect(sample.state.views.viewers.sort == .name)
        let agents = Layout(sample.state).content(of: .agents)
        sample.send(
            .input(.mouse(MouseEvent(kind: .wheelDown, button: .none, point: Point(x: agents.x + 3, y: agents.y)))))
        #expect(sample.state.views.agents.selectedRow > 0 && sample.state.focus == .viewers)
        sample.send(click(agents.x + 3, agents.y))
        #expect(sample.state.focus == .agents && sample.state.views.agents.selectedRow == 0)
    }

    @Test func theSelectionStaysOnItsViewer() throws {
        var sample = FleetSample(FleetSamples.some, 120, 40)
        try sample.press("j j")
        #expect(sample.state.views.viewers.selected?.channel == "sport")
        sample.view.reading?.viewers[5].phase = "running"
        sample.view.reading?.viewers[5].agent = "a1"
        sample.view.reading?.viewers[5].aloneFor = nil
        sample.view.readAt = sample.now.advanced(by: .seconds(1))
        sample.read()
        #expect(sample.state.views.viewers.selected?.channel == "sport")
    }

    @Test func aSessionReturnsToTheTables() throws {
        var sample = FleetSample(FleetSamples.some, 120, 40)
        try sample.press("Tab")
        sample.send(.sessionsChanged([], current: 0))
        #expect(!sample.state.showsTable && sample.state.focus == .tree)
        try sample.press("Esc")
        #expect(sample.effects == [.leaveSession])
        sample.send(.fleetShown(sample.view))
        #expect(sample.state.main == .agents && sample.state.focus == .agents)
    }

    @Test func changesAreLogged() {
        var sample = FleetSample(FleetSamples.some, 120, 40)
        #expect(sample.state.views.fleet.log.suffix(9).map(\.message).contains { $0.hasPrefix("viewers-orphaned: ") })
        let before = sample.state.views.fleet.log.count
        sample.read()
        #expect(sample.state.views.fleet.log.count == before)
        sample.view.reading?.overview.agents[2].state = .fenced
        sample.view.reading?.viewers[6].agent = "a1"
        sample.view.reading?.viewers[6].epoch = 4
        sample.view.readAt = sample.now.advanced(by: .seconds(1))
        sample.read()
        let news = sample.state.views.fleet.log.suffix(4).map(\.message)
        #expect(news.contains("agent 'a3' was fenced: others take its viewers"))
        #expect(news.contains("1 viewer of 'a3' taken: 'a1' 1"))
        #expect(news.contains("agent-silent: over ('a3')"))
    }

    /// The header counts the seconds of a store that does not answer.
    @Test func theScreenIsDrawnAgainWhileNothingComes() {
        let sample = FleetSample(FleetSamples.some, 80, 24)
        let next = sample.state.nextRefresh(Snapshot.empty(at: sample.now), now: sample.now)
        #expect(next.map { $0.uptime - sample.now.uptime <= .seconds(1) } == true)
    }

    @Test(arguments: [(1, 1), (5, 3), (20, 5), (39, 7), (40, 2), (59, 19), (61, 21), (300, 100)])
    func anySizeIsDrawn(_ columns: Int, _ rows: Int) {
        for reading in [FleetSamples.some, nil] {
            let grid = FleetSample(reading, columns, rows).grid
            #expect(grid.size == Size(columns: columns, rows: rows))
            #expect(!TextWriter.text(of: grid).contains("\u{1B}"))
        }
    }
}

@Suite struct PictureRowTests {
    private static func line(_ picture: PictureView, after span: Duration = .zero) -> String {
        let snapshot = Snapshot.empty(at: FleetSamples.now)
        let state = DashboardState(size: Size(columns: 120, rows: 40))
        let frame = FrameContext(snapshot, state, now: FleetSamples.now.advanced(by: span))
        return PictureRow.line(picture, frame.context).string
    }

    @Test func itSaysHowOldThePictureIs() {
        #expect(Self.line(PictureView(agent: nil)) == "PICTURE none: no agent follows this viewer")
        #expect(
            Self.line(PictureView(agent: "a1")) == "PICTURE none yet: agent a1 saves one after its next poll")
        let taken = PictureView(agent: "a1", takenAt: FleetSamples.now, problem: "the last one")
        #expect(Self.line(taken, after: .seconds(7)) == "PICTURE 7s old, of agent a1   the last one")
    }

    @Test func withoutAPictureTheScreenSaysSo() {
        var snapshot = Snapshot.empty(at: SnapshotSamples.now, named: "ch7")
        snapshot.session.phase = .ended
        snapshot.session.picture = PictureView(agent: "a1")
        for (columns, height) in [(80, 24), (120, 40)] {
            let rows = TextWriter.rows(of: DashboardSample(snapshot, columns, height).frame.grid)
            #expect(rows[0].contains("ch7") && rows[0].contains("NO PICTURE") && !rows[0].contains("opening"))
            // Its agent may send, and may have breaks.
            #expect(!rows[0].contains("OBSERVE") && !rows[0].contains("no ad metadata"))
            #expect(!rows.contains { $0.contains("waiting for the playlist") })
            #expect(rows.contains { $0.contains("no picture yet") })
            #expect(rows.contains { $0.contains("its agent saves one after a poll while an operator looks") })
        }
    }

    @Test func itHasARowAboveThePanes() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.session.picture = PictureView(agent: "a1", takenAt: SnapshotSamples.now.advanced(by: .seconds(-3)))
        for (columns, rows) in [(80, 24), (120, 40)] {
            let sample = DashboardSample(snapshot, columns, rows)
            let rows = TextWriter.rows(of: sample.frame.grid)
            #expect(rows[1].contains("PICTURE 3s old, of agent a1"), "\(columns)")
        }
    }
}
