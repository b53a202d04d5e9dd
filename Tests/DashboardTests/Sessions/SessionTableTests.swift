import AdFormats
import AdTracking
import Ports
import Screen
import TestSupport
import Testing

@testable import Dashboard
@testable import Session

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

    @Test("the command line has what means something here, and says what a command of a session needs")
    func commands() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 80, 24)
        try sample.press(":")
        let rows = TextWriter.rows(of: sample.frame.grid)
        #expect(rows.contains { $0.contains("theme NAME") } && !rows.contains { $0.contains("seek") })
        sample.type("seek live")
        try sample.press("Enter")
        #expect(sample.state.entry?.problem == ":seek acts on one session; open it with Enter first")
        try sample.press("C-u")
        sample.type("theme mono")
        try sample.press("Enter")
        #expect(sample.effects == [.setTheme("mono")])
        try sample.press(":")
        sample.type("quit")
        try sample.press("Enter")
        #expect(sample.state.confirmation != nil && sample.effects.isEmpty)
    }

    @Test("long names are cut in the middle: those of channels differ at their ends")
    func longNames() throws {
        let names = ["east", "west"].map { "a-provider-with-a-long-name/sports-premium-channel-hd-\($0)" }
        for columns in [40, 80, 120, 200] {
            let sessions = names.enumerated().map { SessionTableSamples.session($1, $0) }
            let rows = TextWriter.rows(of: SessionTableSample(sessions, columns, 24).frame.grid)
            for end in ["ast", "est"] {
                #expect(rows.contains { $0.contains("a-pro") && $0.contains(end) }, "\(columns)")
            }
        }
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

    @Test("names are whole where there is room, and 80 columns have the last hour beside all that was there before")
    func columnsFollowTheTexts() {
        func places(_ width: Int, name: Int, findings: Int) -> [SessionColumn: Int] {
            let places = SessionColumns(
                width: width, sessions: 12, SessionColumns.Longest(name: name, findings: findings)
            )
            .places
            for (left, right) in zip(places, places.dropFirst()) { #expect(left.x + left.width < right.x) }
            #expect(places.last.map { $0.x + $0.width <= width } == true)
            return Dictionary(uniqueKeysWithValues: places.map { ($0.column, $0.width) })
        }
        let usual: Set<SessionColumn> = [.name, .state, .latency, .sent, .failed, .findings, .problem]
        let short = places(79, name: 12, findings: 6)
        #expect(Set(short.keys) == usual.union([.hour]))
        #expect(short[.hour] == SessionColumns.narrowHourCells && short[.name] == 12 && short[.findings] == 6)
        let long = places(79, name: 19, findings: 6)
        #expect(Set(long.keys) == usual && long[.name] == 19)
        #expect(places(79, name: 32, findings: 9)[.problem] ?? 0 >= 23)
        #expect(places(119, name: 20, findings: 6)[.name] == 20)
        #expect(places(200, name: 32, findings: 6)[.name] == 32)
    }

    @Test("a strip of ten minutes a cell is named, and its title sorts")
    func hourAtEightyColumns() {
        let sessions = SessionTableSamples.some.filter { $0.name.count <= 12 }
        var sample = SessionTableSample(sessions, 80, 24)
        let rows = sample.layout.content(of: .sessions)
        let heading = TextWriter.rows(of: sample.frame.grid)[rows.y - 1]
        #expect(heading.contains(" hour   find") && heading.contains(" lat "), "\(heading)")
        let place = SessionColumns(tableWidth: rows.width, sample.rows.model).places.first { $0.column == .hour }
        let point = Point(x: rows.x + 1 + (place?.x ?? 0), y: rows.y - 1)
        sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: point))))
        #expect(sample.rows.sort == .hour)
    }

    @Test("a wide table has the beacons of the last minute, all rows with one scale, in ASCII too")
    func lastMinute() throws {
        var sessions = [SessionTableSamples.session("quiet", 0), SessionTableSamples.session("busy", 1)]
        sessions[0].recent.minute = [Int](repeating: 0, count: 11) + [2]
        sessions[1].recent.minute = [8] + [Int](repeating: 0, count: 11)
        let sample = SessionTableSample(sessions, 200, 60, sort: .minute)
        let rows = TextWriter.rows(of: sample.frame.grid).filter { $0.contains("✓ live") }
        #expect(rows.map { $0.contains("█▁▁▁▁▁▁▁▁▁▁▁ ") } == [true, false], "busiest first")
        #expect(rows.map { $0.contains("▁▁▁▁▁▁▁▁▁▁▁▃ ") } == [false, true], "a quarter of the busiest")
        let ascii = SessionTableSample(sessions, 200, 60, isASCII: true, sort: .minute)
        #expect(TextWriter.text(of: ascii.frame.grid).contains("#___________ "))
        let narrow = SessionTableSample(sessions, 120, 40)
        #expect(!TextWriter.text(of: narrow.frame.grid).contains("last minute"))
        for (table, isShown) in [(sample, true), (narrow, false)] {
            var helped = table
            try helped.press("?")
            let text = TextWriter.text(of: helped.frame.grid)
            #expect(text.contains("one scale for all rows") == isShown, "its legend in the help")
        }
    }

    @Test("the sorted column has its whole title, and the mark behind it", arguments: [40, 60, 80, 120, 200])
    func sortMark(_ columns: Int) {
        for column in SessionColumn.allCases {
            let sample = SessionTableSample(SessionTableSamples.some, columns, 40, sort: column)
            let rows = sample.layout.content(of: .sessions)
            let places = SessionColumns(tableWidth: rows.width, sample.rows.model).places
            guard let place = places.first(where: { $0.column == column }) else { continue }
            let title = place.width < column.title.columns ? column.shortTitle : column.title
            let heading = TextWriter.rows(of: sample.frame.grid)[rows.y - 1]
            #expect(heading.contains(title.string + "▼"), "\(column): \(heading)")
            for other in places where other.column != column && other.width >= other.column.title.columns {
                #expect(heading.contains(other.column.title.string), "\(other.column) beside \(column): \(heading)")
            }
        }
    }

    @Test("below 40 columns there are as many rows as fit, and the keys", arguments: [39, 30, 24])
    func narrow(_ columns: Int) throws {
        var sample = SessionTableSample(SessionTableSamples.some, columns, 16)
        let lines = TextWriter.rows(of: sample.frame.grid)
        #expect(lines[1].contains(" session") && lines[1].contains("state"), "\(lines[1])")
        #expect(lines[2...11].allSatisfy { $0.dropFirst().contains { $0 != " " } }, "\(lines)")
        #expect(lines[11].contains("evil") || columns < 30, "\(lines[11])")
        #expect(lines[15].contains("?help") && lines[15].contains("Q quit"), "\(lines[15])")
        #expect(sample.layout.content(of: .sessions) == Rect(x: 0, y: 2, width: columns, height: 13))
        sample.click(Point(x: 5, y: 4))
        #expect(sample.rows.model.selectedRow == 2)
        sample.click(Point(x: 2, y: 1))
        #expect(sample.rows.sort == .name)
        try sample.press("G")
        #expect(sample.rows.model.selectedRow == 9)
    }

    @Test("a click on a count of problems goes to the next row with one, as its key does") func headerCounts() throws {
        var clicked = SessionTableSample(SessionTableSamples.some, 120, 40)
        var pressed = clicked
        let first = clicked.rows.model.selectedRow
        let header = try #require(TextWriter.rows(of: clicked.frame.grid).first)
        let count = try #require(header.firstRange(of: "✗1"))
        clicked.click(Point(x: header.distance(from: header.startIndex, to: count.lowerBound), y: 0))
        try pressed.press("!")
        #expect(clicked.rows.model.selectedRow == pressed.rows.model.selectedRow)
        #expect(clicked.rows.model.selectedRow != first)
    }

    @Test("a narrow table scrolls with its cursor, and what is typed has the last row") func narrowAndLow() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 39, 7)
        try sample.press("G")
        var lines = TextWriter.rows(of: sample.frame.grid)
        #expect(lines[5].hasPrefix(">evil"), "\(lines)")
        try sample.press("/")
        lines = TextWriter.rows(of: sample.frame.grid)
        #expect(lines[6].hasPrefix("/") && sample.frame.cursor?.y == 6)
        try sample.press("Esc Q")
        lines = TextWriter.rows(of: sample.frame.grid)
        #expect(lines[6].hasPrefix("quit? 9 sending y yes  n no"), "\(lines[6])")
    }

    @Test("the words of the filter are the states, the worst first, and the names") func filterWords() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 80, 24)
        try sample.press("/")
        let words = sample.state.candidates(sample.snapshot)
        #expect(words.first?.title == "failing" && words.first?.summary.string == "1 session")
        let titles = words.map(\.title)
        for word in ["stalled", "live", "on air", "ended", "starting", "ch9-north"] { #expect(titles.contains(word)) }
        let lines = TextWriter.rows(of: sample.frame.grid)
        let row = try #require(lines.firstIndex { $0.contains("┃ stalled ") })
        sample.click(Point(x: 4, y: row))
        #expect(sample.names == ["late-night"] && sample.state.entry == nil)
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
        #expect(sample.rows.sort == .state && sample.names.first == "news")
        sample.state.views.sessions.sort = .failed
        sample.refresh()
        #expect(sample.names.first == "ch9-north")
        sample.state.views.sessions.sort = .age
        sample.refresh()
        // A session without an answer yet is unknown, and last; what has ended is not polled.
        #expect(sample.names.first == "late-night" && sample.names.suffix(2) == ["movies", "vod-4411"])
        sample.state.views.sessions.sort = .findings
        try sample.press("s")
        #expect(sample.rows.sort == .problem && sample.names.first == "news")
        try sample.press("s")
        #expect(sample.rows.sort == .number)
    }

    @Test("rows that show no value are last, whatever the session has")
    func sortingByWhatIsShown() {
        var sessions = SessionTableSamples.some
        (sessions[0].kind, sessions[0].latency) = (.vod, .seconds(1_000_000))
        sessions[1].phase = .ended
        sessions[1].playlist.lastGoodAt = sessions[1].at.advanced(by: .seconds(-3_600))
        var sample = SessionTableSample(sessions, 160, 40)
        sample.state.views.sessions.sort = .latency
        sample.refresh()
        #expect(sample.names.suffix(3) == ["ch7", "movies", "vod-4411"])
        sample.state.views.sessions.sort = .age
        sample.refresh()
        #expect(sample.names.suffix(4) == ["ch7", "ch8", "movies", "vod-4411"])
    }

    @Test func theSelectionStaysWithItsSessionWhateverMoves() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("j j")
        #expect(sample.rows.model.selected?.health.name == "ch9-north")
        try sample.press("s S")
        #expect(sample.rows.model.selected?.health.name == "ch9-north")
        sample.sessions.removeAll { $0.name == "ch9-north" }
        sample.refresh()
        #expect(sample.rows.model.selected != nil)
    }

    @Test func enterOpensTheSessionOfTheRow() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("s s Enter")
        #expect(sample.effects == [.selectSession(4)])
        try sample.press("G Enter")
        #expect(sample.effects == [.selectSession(7)])
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
        #expect(sample.rows.filter == "sSQq?" && sample.rows.sort == .number && sample.effects.isEmpty)
        try sample.press("C-c")
        #expect(sample.effects == [.quit])
    }

    @Test func theNextProblemIsSelectedRoundAndRound() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        var seen: [String] = []
        for _ in 0..<4 {
            try sample.press("!")
            seen.append(sample.rows.model.selected?.health.name ?? "")
        }
        #expect(seen == ["ch9-north", "news", "late-night", "ch9-north"])
    }

    @Test func escNeverQuitsAndQDoes() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("Esc Esc")
        #expect(sample.effects.isEmpty)
        try sample.press("q")
        #expect(sample.effects.isEmpty && sample.state.confirmation == .quit(firing: 9))
        try sample.press("n Q")
        #expect(sample.effects.isEmpty && sample.state.confirmation == .quit(firing: 9))
        try sample.press("y")
        #expect(sample.effects == [.quit] && sample.state.confirmation == nil)
    }

    /// Where nothing is sent, nothing is lost (D16).
    @Test func aGroupThatOnlyObservesQuitsAtOnce() throws {
        let sessions = (0..<3).map { SessionTableSamples.session("ch\($0)", $0, mode: .observe) }
        var sample = SessionTableSample(sessions, 120, 40)
        try sample.press("q")
        #expect(sample.effects == [.quit])
    }

    /// The mode has the word of the header of a session, also where only some sessions send.
    @Test func theModeIsThatOfTheSessions() {
        func row(_ columns: Int, _ local: [Bool], observing: Int = 0) -> String {
            var sessions = local.indices.map { SessionTableSamples.session("ch\($0)", $0) }
            for (index, isLocal) in local.enumerated() { sessions[index].sendsToLoopbackOnly = isLocal }
            sessions += (0..<observing).map { SessionTableSamples.session("o\($0)", $0, mode: .observe) }
            return TextWriter.rows(of: SessionTableSample(sessions, columns, 24).frame.grid)[0]
        }
        #expect(row(120, [true, true]).contains(" FIRE local "))
        #expect(row(120, [true, true], observing: 1).contains(" FIRE local 2/3 "))
        #expect(row(120, [true, false]).contains(" FIRE ") && !row(120, [true, false]).contains("local"))
        #expect(row(120, [false, false], observing: 1).contains(" FIRE 2/3 "))
        // The numbers of sessions stay longer than the long word.
        #expect(row(18, [true, true], observing: 1) == "✗0 ✓3    LOCAL 2/3")
    }

    @Test("the reason of a session with failed beacons is the newest of them, whatever went wrong later")
    func newestFailure() {
        var health = SessionTableSamples.some[2]
        health.latestError = ErrorView(
            kind: .beacon, at: health.at, message: "beacon midpoint B5/A1 connection reset: unknown")
        func why() -> String { SessionTableModel.Row.why(Verdict(health), health) }
        #expect(why() == "3 failed: midpoint 503 t.example.com")
        health.recent.failure?.failure = HTTPFailure(.connect, "connection refused")
        health.recent.failure?.status = nil
        #expect(why() == "3 failed: midpoint refused t.example.com")
        // It was no URL, and no other try was made.
        health.recent.failure = FailedBeacon(event: "start", host: "", at: health.at)
        #expect(why() == "3 failed: start")
        health.counters.pingsFailed = 3
        health.recent.failure = FailedBeacon(event: "ping start", host: "p.example", status: 500, at: health.at)
        #expect(why() == "3 pings failed: 500 p.example")
        health.recent.failure = nil
        #expect(why() == "3 pings failed")
    }

    /// The worst first, with the reason in words, from findings too (improvement 12, D16).
    @Test(arguments: [(80, 24), (120, 40), (200, 60)]) func worstFirst(_ columns: Int, _ rows: Int) throws {
        var sessions = SessionTableSamples.some
        sessions[3].findings = [.error: 1]
        sessions[3].worstFinding = FindingView(
            finding: Finding(
                rule: "L35", severity: .error, message: "metadata of ad x arrived 1.3 s after it was played"),
            count: 7, first: sessions[3].at, last: sessions[3].at)
        var sample = SessionTableSample(sessions, columns, rows, sort: .problem)
        #expect(sample.names.prefix(4) == ["news", "late-night", "ch9-north", "sport"])
        let text = TextWriter.text(of: sample.frame.grid)
        #expect(text.contains("worst first") && text.contains("10 streams") && text.contains("✗1"))
        #expect(text.contains("Metadata came") && text.contains(columns < 100 ? "▼" : "why▼"))
        try sample.press("j j j")
        #expect(TextWriter.text(of: sample.frame.grid).contains("Metadata came too late (7 times): metadata of ad x"))
    }

    @Test func keysOfOneSessionSayWhereTheyWork() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("m")
        #expect(sample.state.toasts.map(\.text) == ["session key: press Enter to open the selected session"])
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
        #expect(sample.rows.filter.isEmpty && sample.names.count == SessionTableSamples.some.count)
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
        #expect(sample.state.focus == .log && sample.state.log.bottom == 7 && sample.rows.model.selectedRow == 0)
        try sample.press("G")
        #expect(sample.state.log.follows)
        try sample.press("L")
        #expect(speakers(sample) == ["ch9-north", "ch9-north", "news", "evil\u{1B}[31m\u{202E}name"])
        try sample.press("w t F")
        #expect(sample.state.log.wraps && !sample.state.log.showsTime && sample.state.log.bottom == 8)
        try sample.press("Right")
        #expect(sample.effects.isEmpty && sample.state.log.column == LogState.columnStep)
    }

    @Test(":set follow is about the log: the table has no playhead")
    func setFollow() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 80, 24)
        func set(_ flag: String) throws {
            try sample.press(":")
            sample.type("set follow \(flag)")
            try sample.press("Enter")
        }
        try set("off")
        #expect(sample.state.log.bottom == 8 && sample.state.toasts.isEmpty)
        try sample.press("3 k")
        try set("off")
        #expect(sample.state.log.bottom == 7, "it has stopped already, and stays where it is read")
        try set("on")
        #expect(sample.state.log.follows)
    }

    @Test func escAndQGoOutwardsFromTheLog() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("3 3")
        #expect(sample.state.isZoomed && sample.layout.panes[.sessions] == nil)
        try sample.press("q")
        #expect(!sample.state.isZoomed && sample.state.focus == .log && sample.effects.isEmpty)
        try sample.press("Esc")
        #expect(sample.state.focus == .sessions && sample.effects.isEmpty)
        try sample.press("q y")
        #expect(sample.effects == [.quit])
    }

    @Test func enterOpensTheSelectedSessionFromTheLogToo() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("j 3 Enter")
        #expect(sample.effects == [.selectSession(1)])
    }

    @Test func linesThatComeLeaveAReaderWhereItIs() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 80, 24)
        try sample.press("3 k k")
        let before = LogWindow(sample.log, sample.state.log).entries(4)
        sample.log.append(
            LogEntry(number: 9, at: sample.now, level: .error, message: "new", session: "ch7"))
        sample.refresh()
        #expect(LogWindow(sample.log, sample.state.log).entries(4) == before)
    }

    // MARK: Mouse

    @Test func clickAndWheelActOnTheLogUnderThem() {
        var sample = SessionTableSample(SessionTableSamples.some, 80, 24)
        let rows = sample.layout.content(of: .sessions)
        let inLog = Point(x: 5, y: sample.logPane.y + 2)
        sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: inLog))))
        #expect(sample.state.focus == .log)
        sample.send(.input(.mouse(MouseEvent(kind: .wheelUp, button: .none, point: inLog))))
        #expect(sample.state.log.bottom == 5 && sample.rows.model.selectedRow == 0)
        let inTable = Point(x: 5, y: rows.y + 1)
        sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: inTable))))
        #expect(sample.state.focus == .sessions && sample.rows.model.selectedRow == 1)
    }

    @Test func aClickOnATitleSortsAndASecondOneReverses() {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        let rows = sample.layout.content(of: .sessions)
        let place = SessionColumns(tableWidth: rows.width, sample.rows.model).places
            .first { $0.column == .failed }
        let point = Point(x: rows.x + 1 + (place?.x ?? 0), y: rows.y - 1)
        let click = InputEvent.mouse(MouseEvent(kind: .press, button: .left, point: point))
        sample.send(.input(click))
        #expect(sample.rows.sort == .failed && !sample.rows.isReversed && sample.names.first == "ch9-north")
        sample.now = sample.now.advanced(by: .seconds(1))
        sample.send(.input(click))
        #expect(sample.rows.isReversed && sample.names.last == "ch9-north")
    }

    @Test func aDoubleClickOpens() {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        let rows = sample.layout.content(of: .sessions)
        let click = InputEvent.mouse(
            MouseEvent(kind: .press, button: .left, point: Point(x: 10, y: rows.y + 3)))
        sample.send(.input(click))
        #expect(sample.effects.isEmpty && sample.rows.model.selectedRow == 3)
        sample.send(.input(click))
        #expect(sample.effects == [.selectSession(3)])
    }

    // MARK: One shell

    /// A sample of a table in which the session under the cursor has been opened.
    private func opened(_ keys: String = "j Enter") throws -> SessionTableSample {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press(keys)
        guard case .selectSession(let index)? = sample.effects.last else {
            Issue.record("no session was opened by \(keys)")
            return sample
        }
        sample.send(.sessionsChanged(sample.sessions.map(\.name), current: index))
        return sample
    }

    @Test func aSessionOpensAsADashboardStartsAndTheTableReturnsAsItWasLeft() throws {
        var sample = try opened("s j j L L 3 + Enter")
        let name = sample.rows.model.selected?.name
        #expect(!sample.state.showsTable && sample.state.session == 1 && name == "ch8")
        #expect(sample.state.main == .tree && sample.state.focus == .tree && !sample.state.isZoomed)
        #expect(sample.state.log == LogState())
        try sample.press("6 2 + q q q")
        #expect(sample.effects.isEmpty && sample.state.focus == .tree)
        try sample.press("q")
        #expect(sample.effects == [.leaveSession])
        sample.send(.tableShown(sample.view))
        #expect(sample.state.showsTable && sample.state.focus == .log && sample.state.isZoomed)
        #expect(sample.state.log.level == .error && sample.rows.sort == .name)
        #expect(sample.rows.model.selected?.name == name)
    }

    @Test func aNoticeOfTheTableIsNotShownInASessionNorTheReverse() throws {
        var sample = try opened("m Enter")
        #expect(sample.state.toasts.isEmpty)
        try sample.press("=")
        #expect(sample.state.toasts.count == 1)
        sample.send(.tableShown(sample.view))
        #expect(sample.state.toasts.isEmpty)
    }

    @Test("the table is sorted by its columns, and a session's order is none of them") func setSort() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("S :")
        sample.type("set sort name")
        try sample.press("Enter")
        let names = sample.rows.model.rows.map(\.name)
        #expect(names == names.sorted(by: NaturalOrder.precedes) && names.count > 2)
        try sample.press(":")
        sample.type("set sort failures")
        try sample.press("Enter")
        #expect(sample.state.entry?.problem?.hasPrefix("\"failures\": use number | name | state") == true)
    }

    @Test func theTableSelectsTheSessionThatWasShownLast() throws {
        var sample = try opened()
        try sample.press("]")
        #expect(sample.effects == [.selectSession(2)])
        sample.send(.sessionsChanged(sample.sessions.map(\.name), current: 2))
        sample.send(.tableShown(sample.view))
        #expect(sample.rows.model.selected?.name == "ch9-north")
    }

    @Test func theThemeOfTheTableIsThatOfItsSessions() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        try sample.press("T")
        #expect(sample.effects == [.setTheme("midnight")])
        sample.send(.themeChanged("midnight"))
        sample.send(.sessionsChanged(sample.sessions.map(\.name), current: 1))
        try sample.press("T")
        #expect(sample.effects == [.setTheme("mono")])
    }

    @Test func theSameSessionOpenedAgainStartsAfresh() throws {
        var sample = try opened("Enter")
        try sample.press("8 Z")
        #expect(sample.state.main == .auction && sample.state.held != nil)
        sample.send(.tableShown(sample.view))
        #expect(sample.state.held == nil)
        sample.send(.sessionsChanged(sample.sessions.map(\.name), current: 0))
        #expect(sample.state.main == .tree && sample.state.session == 0)
    }

    @Test func aSessionLearnsOfTheScreenOnlyWhileItIsShown() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40, snapshot: try FormatsSamples.all())
        sample.send(.input(.focus(false)))
        sample.send(.input(.resize(Size(columns: 40, rows: 60))))
        #expect(sample.effects.isEmpty)
        // A session gets the orientation when it is opened, and again when another was shown before.
        for index in [0, 1, 0] {
            sample.send(.sessionsChanged(sample.sessions.map(\.name), current: index))
            #expect(sample.effects == [.format(slot: "", .turned(.portrait))])
        }
    }

    @Test func noKeyOfTheTableActsOnASession() throws {
        for action in Action.allCases {
            var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
            for key in sample.state.settings.keymap.keys(for: action) {
                sample.send(.input(.key(key)))
                #expect(sample.effects.allSatisfy { $0.input == nil }, "\(action)")
                let question = sample.state.confirmation
                #expect(sample.state.showsTable && (question == nil || question == .quit(firing: 9)), "\(action)")
            }
        }
    }

    @Test func aClickOnTheDetailOfTheTableChangesNothing() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        let detail = try #require(sample.layout.panes[.detail])
        let point = Point(x: detail.x + 3, y: detail.y + 1)
        for kind in [MouseEvent.Kind.press, .press, .wheelDown] {
            sample.send(.input(.mouse(MouseEvent(kind: kind, button: kind == .press ? .left : .none, point: point))))
        }
        #expect(sample.state.focus == .sessions && sample.rows.model.selectedRow == 0 && sample.effects.isEmpty)
    }

    @Test func aClickOnAHintOfTheFooterRunsIt() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        let row = TextWriter.text(of: sample.frame.grid).split(separator: "\n", omittingEmptySubsequences: false)[39]
        let place = try #require(row.firstRange(of: "help"))
        let point = Point(x: row.distance(from: row.startIndex, to: place.lowerBound), y: 39)
        sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: point))))
        #expect(sample.state.help == .keys)
        try sample.press("q")
        #expect(!sample.state.isHelpOpen && sample.effects.isEmpty)
    }

    @Test func theTableIsDrawnWhenItWasReadAndNotByAClock() throws {
        var sample = SessionTableSample(SessionTableSamples.some, 120, 40)
        #expect(sample.state.nextRefresh(SnapshotSamples.midBreak, now: sample.now) == nil)
        try sample.press("m")
        let refresh = try #require(sample.state.nextRefresh(SnapshotSamples.midBreak, now: sample.now))
        #expect(refresh.uptime - sample.now.uptime == Toast.lifetime)
    }

    @Test func aTableInASessionIsLeftByEscAndQ() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        sample.state.settings.table = .sessions
        try sample.press("Esc")
        #expect(sample.effects == [.leaveSession])
        try sample.press("q")
        #expect(sample.effects == [.leaveSession])
        try sample.press("Q")
        #expect(sample.effects == [.quit])
    }
}
