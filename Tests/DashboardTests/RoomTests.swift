import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// What is on the screen at once, and no room is wasted while another pane cuts its text.
@Suite struct RoomTests {
    /// Ten breaks, the last of them on air, and a problem that many lines of the log follow.
    private var busy: Snapshot {
        let noise = (0..<40).map { (12, 41, 2 + Double($0) * 0.1, LogLevel.info, "beacon progress B10/A1 200 \($0)ms") }
        let problem = (12, 41, 1.8, LogLevel.error, "beacon start B10/A1 503 212ms: failed after 3 tries")
        let past = (1...9).map { BreakSamples.past(number: $0, of: 10, events: 2) }
        var current = BreakSamples.onAir
        current.label = "B10"
        var snapshot = SnapshotSamples.snapshot(breaks: past + [current], log: [problem] + noise)
        snapshot.playedRanges = [SnapshotSamples.playhead - .seconds(1_500)...SnapshotSamples.playhead]
        return snapshot
    }

    @Test("at 80x24 the verdict, what is on air, eight breaks, the newest problem and the tabs are visible at once")
    func smallTerminal() {
        var sample = DashboardSample(busy, 80, 24)
        sample.state.views.breaks.tree.follows = false
        sample.state.views.breaks.tree.expanded = []
        sample.snapshot.at = sample.snapshot.at.advanced(by: .milliseconds(1))
        sample.send(.snapshotArrived)
        let rows = TextWriter.text(of: sample.frame.grid).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(rows[0].contains("✗ 3 beacons failed"))
        #expect(rows[1].contains("ON AIR  B10"))
        #expect(rows[2].contains("1 Breaks ✗3") && rows[2].contains("6 Playlist"))
        let breaks = rows.filter { $0.contains(/[▸▾] . B\d+ +\d\d:/) }
        #expect(breaks.count >= 8, "\(breaks)")
        #expect(rows.contains { $0.contains("E beacon start B10/A1 503 212ms: failed after 3 tries") })
        #expect(rows.contains { $0.contains("beacon progress B10/A1 200 39ms") }, "the newest line, too")
    }

    @Test("the newest problem is not shown where the log is read further up, or its level hides it")
    func theProblemIsOfTheTail() throws {
        var sample = DashboardSample(busy, 80, 24)
        try sample.press("3 k k")
        let layout = Layout(sample.state)
        let window = LogWindow(sample.snapshot.log, sample.state.log)
        let height = layout.content(of: .log).height
        #expect(window.linesWithProblem(height) == window.lines(height))
        #expect(LogWindow(sample.snapshot.log, DashboardSample(busy, 80, 24).state.log).linesWithProblem(2).count == 2)
    }

    @Test("a problem is kept in sight for ten minutes and no longer", arguments: [(600, true), (601, false)])
    func theProblemPasses(_ seconds: Int, _ isShown: Bool) {
        var log = LogView(capacity: 1_000)
        let start = SnapshotSamples.now
        log.append(LogEntry(number: 0, at: start, level: .error, message: "gave up"))
        for number in 1...30 {
            let at = start.advanced(by: .seconds(number * seconds / 30))
            log.append(LogEntry(number: number, at: at, level: .info, message: "line \(number)"))
        }
        let lines = LogWindow(log, DashboardSample(busy, 80, 24).state.log).linesWithProblem(10)
        #expect(lines.count == 10 && (lines.first?.entry.message == "gave up") == isShown)
    }

    @Test(
        "rows that the breaks have no use for are given to the panes that have",
        arguments: [(80, 40), (120, 40), (200, 60)])
    func heightsFollowContent(_ columns: Int, _ rows: Int) {
        let few = SnapshotSamples.snapshot(breaks: [BreakSamples.coming], log: SnapshotSamples.midBreakLog)
        let lone = DashboardSample(few, columns, rows), full = DashboardSample(SnapshotSamples.many, columns, rows)
        let sparse = Layout(lone.state), dense = Layout(full.state)
        #expect(sparse.content(of: .tree).height < dense.content(of: .tree).height)
        #expect(sparse.content(of: .log).height > dense.content(of: .log).height)
        // A view without rows explains why, and has the whole height for it.
        let card = DashboardSample(SnapshotSamples.unopened, columns, rows)
        #expect(Layout(card.state).content(of: .tree).height == dense.content(of: .tree).height)
    }
}

/// Panes one above the other.
@Suite struct StackedRoomTests {
    @Test("rows that few findings have no use for are given to the detail, before the log")
    func findings() throws {
        var snapshot = SnapshotSamples.failing
        var one = DashboardSample(snapshot, 80, 24)
        try one.press("f")
        snapshot.findings += FindingsPaneTests.sample.findings
        var several = DashboardSample(snapshot, 80, 24)
        try several.press("f")
        let (short, long) = (Layout(one.state), Layout(several.state))
        #expect(short.content(of: .findings).height < long.content(of: .findings).height)
        #expect(short.content(of: .detail).height > long.content(of: .detail).height)
        #expect(short.content(of: .detail).height <= 10)
    }

    @Test("so are those of an ad of which little is known")
    func creative() throws {
        var sample = DashboardSample(SnapshotSamples.decided, 80, 24)
        try sample.press("! 7")
        let long = Layout(sample.state).content(of: .creative).height
        try sample.press("h")
        #expect(Layout(sample.state).content(of: .creative).height < long)
    }
}

/// The small pictures of the dashboard, with signs of every terminal.
@Suite struct SmallPictureTests {
    @Test(
        "each host has its delays as bars, with their scale, in Unicode and in ASCII",
        arguments: [(80, 24), (120, 40), (200, 60)], [false, true])
    func hosts(_ size: (Int, Int), _ isASCII: Bool) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, size.0, size.1, isASCII: isASCII)
        try sample.press(size.1 == 60 ? "4" : "4 4 G")
        let text = TextWriter.text(of: sample.frame.grid)
        let signs = isASCII ? #/answers [_.,=+*#-]{9}  late [_.,=+*#-]{9}/# : #/answers [▁-█]{9}  late [▁-█]{9}/#
        #expect(text.matches(of: signs).count == 2, "two of three hosts have answers\n\(text)")
        #expect(text.contains("> 30 s"))
        if isASCII { #expect(text.utf8.allSatisfy { $0 < 0x80 }) }
    }

    @Test("beacons and errors have their greatest value, and two rows where there is room", arguments: [false, true])
    func strips(_ isASCII: Bool) {
        let large = TextWriter.text(of: DashboardSample(SnapshotSamples.midBreak, 120, 40, isASCII: isASCII).frame.grid)
        #expect(large.contains("beacons/s  10 ") && large.contains("errors/s   1 "))
        let huge = TextWriter.text(of: DashboardSample(SnapshotSamples.midBreak, 200, 60, isASCII: isASCII).frame.grid)
        let rows = huge.split(separator: "\n")
        let first = rows.firstIndex { $0.contains("beacons/s  10 ") }
        #expect(first.map { rows[$0 + 1].hasPrefix("             0 ") } == true, "the axis\n\(huge)")
        if isASCII { #expect(huge.utf8.allSatisfy { $0 < 0x80 }) }
    }

    @Test("the strip of errors is red where errors are in it, and nowhere for one that has left it")
    func errorsLeave() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.activity.errorsPerSecond = [1] + [Int](repeating: 0, count: 119)
        #expect(!DashboardSample(snapshot, 120, 40).frame.grid.cells.contains { $0.role == .sparkBad })
        snapshot.activity.errorsPerSecond[118] = 1
        #expect(DashboardSample(snapshot, 120, 40).frame.grid.cells.count { $0.role == .sparkBad } == 1)
    }
}
