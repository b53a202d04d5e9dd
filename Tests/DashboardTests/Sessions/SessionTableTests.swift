import Ports
import Screen
import TestSupport
import Testing

@testable import Dashboard
@testable import Monitoring

@Suite struct SessionTableTests {
    private static let sizes: [(Int, Int)] = [(80, 24), (120, 40), (200, 60), (40, 8)]

    // MARK: Pictures

    @Test("one session of each kind", arguments: sizes + [(60, 20)])
    func some(_ columns: Int, _ rows: Int) throws {
        var sample = SessionTableSample(SessionTableSamples.some, columns, rows)
        try sample.press("!")
        expectGolden("sessions", sample.frame.grid)
    }

    @Test("five hundred, the failed ones first, scrolled") func many() throws {
        var sample = SessionTableSample(SessionTableSamples.many, 120, 40)
        try sample.press("s s PgDn PgDn")
        expectGolden("sessions-many", sample.frame.grid, [sample.table])
    }

    @Test("the same in ASCII") func ascii() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40, isASCII: true)
        try sample.press("! !")
        expectGolden("sessions-ascii", sample.frame.grid, [sample.table])
    }

    @Test("a filter while it is typed") func filter() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 80, 24)
        try sample.press("/")
        sample.type("ch")
        expectGolden("sessions-filter", sample.frame.grid, [sample.table])
    }

    @Test("help over the table") func help() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 80, 24)
        try sample.press("?")
        expectGolden("sessions-help", sample.frame.grid, [sample.middle])
    }

    @Test("the log alone, filtered and with long lines", arguments: [(120, 40), (40, 8)])
    func logAlone(_ columns: Int, _ rows: Int) throws {
        var sample = SessionTableSample(SessionTableSamples.some, columns, rows)
        try sample.press("3 + w /")
        sample.type("ch9")
        try sample.press("Enter")
        expectGolden("sessions-log", sample.frame.grid, [sample.logPane])
    }

    @Test("any size renders", arguments: [0, 1, 2, 3, 5, 8, 13, 39, 40, 61, 99, 100, 161, 1_000])
    func anySize(_ columns: Int) {
        for rows in [0, 1, 2, 3, 7, 8, 19, 20, 30, 45, 120] {
            let grid = SessionTableSample(SessionTableSamples.some, columns, rows).frame.grid
            #expect(grid.size == Size(columns: columns, rows: rows))
        }
    }

    // MARK: Columns

    @Test func columnsFitAndNeverOverlap() {
        for width in 0...260 {
            let places = SessionColumns(width: width, sessions: 500).places
            #expect(places.contains { $0.column == .name } && places.contains { $0.column == .state })
            for (left, right) in zip(places, places.dropFirst()) { #expect(left.x + left.width < right.x) }
            if width >= 23, let last = places.last { #expect(last.x + last.width <= width) }
        }
        #expect(SessionColumns(width: 200, sessions: 500).places.map(\.column) == SessionColumn.allCases)
    }

    // MARK: Keys

    @Test func sortingGoesThroughTheColumnsAndBack() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        #expect(sample.names.first == "ch7" && sample.names.last == "evil\u{1B}[31m\u{202E}name")
        try sample.press("s")
        #expect(sample.names == sample.names.sorted())
        try sample.press("S")
        #expect(sample.names == sample.names.sorted(by: >))
        try sample.press("S s")
        #expect(sample.state.sort == .state && sample.names.first == "news")
        sample.state.sort = .failed
        sample.send(.refreshed)
        #expect(sample.names.first == "ch9-north")
        sample.state.sort = .age
        sample.send(.refreshed)
        // A session without an answer yet is unknown, and last.
        #expect(sample.names.first == "late-night" && sample.names.last == "movies")
        sample.state.sort = .findings
        try sample.press("s")
        #expect(sample.state.sort == .number)
    }

    @Test func theSelectionStaysWithItsSessionWhateverMoves() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("j j")
        #expect(sample.state.model.selected?.health.name == "ch9-north")
        try sample.press("s S")
        #expect(sample.state.model.selected?.health.name == "ch9-north")
        sample.sessions.removeAll { $0.name == "ch9-north" }
        sample.send(.refreshed)
        #expect(sample.state.model.selected != nil)
    }

    @Test func enterOpensTheSessionOfTheRow() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("s s Enter")
        #expect(sample.effects == [.open(4)])
        try sample.press("G Enter")
        #expect(sample.effects == [.open(7)])
    }

    @Test func theFilterLooksAtNameAddressStateAndProblem() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("/")
        sample.type("midpoint")
        #expect(sample.names == ["ch9-north"])
        try sample.press("Esc /")
        sample.type("stalled")
        try sample.press("Enter")
        #expect(sample.names == ["late-night"])
        try sample.press("/ C-u")
        sample.type("!live/")
        #expect(sample.names.isEmpty)
        try sample.press("Esc")
        #expect(sample.names.count == SessionTableSamples.some.count && sample.effects.isEmpty)
    }

    @Test func lettersAreTextWhileAFilterIsTyped() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("/")
        sample.type("sSQq?")
        #expect(sample.state.filter == "sSQq?" && sample.state.sort == .number && sample.effects.isEmpty)
        try sample.press("C-c")
        #expect(sample.effects == [.quit])
    }

    @Test func theNextProblemIsSelectedRoundAndRound() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        var seen: [String] = []
        for _ in 0..<3 {
            try sample.press("!")
            seen.append(sample.state.model.selected?.health.name ?? "")
        }
        #expect(seen == ["ch9-north", "news", "ch9-north"])
    }

    @Test func escNeverQuitsAndQDoes() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("Esc Esc")
        #expect(sample.effects.isEmpty)
        try sample.press("q")
        #expect(sample.effects == [.quit])
    }

    @Test func keysOfOneSessionSayWhereTheyWork() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("m")
        #expect(sample.state.toasts.map(\.text) == ["session key: press Enter to open the selected session"])
    }

    @Test func keysAfterTheOneThatOpensAreForTheSession() throws {
        var state = SessionTableState(size: Size(columns: 80, rows: 24))
        let keys = try KeySequence.parse("j Enter j 6").map(InputEvent.key)
        let (opened, rest) = state.press(keys, SessionsView(SessionTableSamples.some), now: SessionTableSamples.now)
        #expect(opened == 1)
        #expect(rest == Array(keys.suffix(2)))
    }

    // MARK: Log

    /// The names before the lines of the log that are shown, oldest first.
    private func speakers(_ sample: SessionTableSample) -> [String?] {
        LogWindow(sample.log, sample.state.log).entries(sample.log.count).map(\.session)
    }

    @Test func theFilterOfTheLogLooksAtNamesToo() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("Tab /")
        sample.type("north")
        #expect(speakers(sample) == ["ch9-north", "ch9-north"])
        // The table has a filter of its own.
        #expect(sample.state.filter.isEmpty && sample.names.count == SessionTableSamples.some.count)
        try sample.press("Enter Esc /")
        sample.type("404")
        #expect(speakers(sample) == ["news", "evil\u{1B}[31m\u{202E}name"])
        try sample.press("Esc Tab /")
        sample.type("sport")
        #expect(sample.names == ["sport"] && sample.state.log.filter.isEmpty)
    }

    @Test func theKeysOfTheLogPaneWorkInTheTable() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 80, 24)
        try sample.press("3 k")
        #expect(sample.state.focus == .log && sample.state.log.bottom == 7 && sample.state.model.selectedRow == 0)
        try sample.press("G")
        #expect(sample.state.log.follows)
        try sample.press("L")
        #expect(speakers(sample) == ["ch9-north", "ch9-north", "news", "evil\u{1B}[31m\u{202E}name"])
        try sample.press("w t F")
        #expect(sample.state.log.wraps && !sample.state.log.showsTime && sample.state.log.bottom == 8)
        try sample.press("Right")
        #expect(sample.effects.isEmpty && sample.state.log.column == LogState.columnStep)
    }

    @Test func escAndQGoOutwardsFromTheLog() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("3 3")
        #expect(sample.state.isZoomed && SessionTableLayout(sample.state).pane.isEmpty)
        try sample.press("q")
        #expect(!sample.state.isZoomed && sample.state.focus == .log && sample.effects.isEmpty)
        try sample.press("Esc")
        #expect(sample.state.focus == .sessions && sample.effects.isEmpty)
        try sample.press("q")
        #expect(sample.effects == [.quit])
    }

    @Test func enterOpensTheSelectedSessionFromTheLogToo() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("j 3 Enter")
        #expect(sample.effects == [.open(1)])
    }

    @Test func linesThatComeLeaveAReaderWhereItIs() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 80, 24)
        try sample.press("3 k k")
        let before = LogWindow(sample.log, sample.state.log).entries(4)
        sample.log.append(
            LogEntry(number: 9, at: sample.now, level: .error, message: "new", session: "ch7"))
        sample.send(.refreshed)
        #expect(LogWindow(sample.log, sample.state.log).entries(4) == before)
    }

    // MARK: Mouse

    @Test func clickAndWheelActOnTheLogUnderThem() {
        var sample = SessionTableSample(SessionTableSamples.some, 80, 24)
        let layout = SessionTableLayout(sample.state)
        let inLog = Point(x: 5, y: layout.log.y + 2)
        sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: inLog))))
        #expect(sample.state.focus == .log)
        sample.send(.input(.mouse(MouseEvent(kind: .wheelUp, button: .none, point: inLog))))
        #expect(sample.state.log.bottom == 5 && sample.state.model.selectedRow == 0)
        let inTable = Point(x: 5, y: layout.rows.y + 1)
        sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: inTable))))
        #expect(sample.state.focus == .sessions && sample.state.model.selectedRow == 1)
    }

    @Test func aClickOnATitleSortsAndASecondOneReverses() {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        let layout = SessionTableLayout(sample.state)
        let place = SessionColumns(width: layout.rowWidth, sessions: sample.sessions.count).places
            .first { $0.column == .failed }
        let point = Point(x: layout.rows.x + 1 + (place?.x ?? 0), y: layout.heading.y)
        let click = InputEvent.mouse(MouseEvent(kind: .press, button: .left, point: point))
        sample.send(.input(click))
        #expect(sample.state.sort == .failed && !sample.state.isReversed && sample.names.first == "ch9-north")
        sample.now = sample.now.advanced(by: .seconds(1))
        sample.send(.input(click))
        #expect(sample.state.isReversed && sample.names.last == "ch9-north")
    }

    @Test func aDoubleClickOpens() {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        let layout = SessionTableLayout(sample.state)
        let click = InputEvent.mouse(
            MouseEvent(kind: .press, button: .left, point: Point(x: 10, y: layout.rows.y + 3)))
        sample.send(.input(click))
        #expect(sample.effects.isEmpty && sample.state.model.selectedRow == 3)
        sample.send(.input(click))
        #expect(sample.effects == [.open(3)])
    }

    @Test func aTableInASessionIsLeftByEscAndQ() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        sample.state.settings.hasTable = true
        try sample.press("Esc")
        #expect(sample.effects == [.leaveSession])
        try sample.press("q")
        #expect(sample.effects == [.leaveSession])
        try sample.press("Q")
        #expect(sample.effects == [.quit])
    }
}
