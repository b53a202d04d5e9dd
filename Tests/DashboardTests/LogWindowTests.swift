import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

@Suite struct LogWindowTests {
    /// 40 lines, every fourth one an error, the others information.
    private let log: LogView = {
        var log = LogView(capacity: 100)
        for number in 0..<40 {
            let level: LogLevel = number % 4 == 0 ? .error : .info
            log.append(LogEntry(number: number, at: SnapshotSamples.now, level: level, message: "line \(number)"))
        }
        return log
    }()

    private func numbers(_ state: LogState, _ height: Int) -> [Int] {
        LogWindow(log, state).entries(height).map(\.number)
    }

    @Test("following shows the newest lines that pass")
    func tail() {
        var state = LogState()
        #expect(numbers(state, 3) == [37, 38, 39])
        state.level = .error
        #expect(numbers(state, 3) == [28, 32, 36])
        state.filter = "line 1"
        #expect(numbers(state, 9) == [12, 16])
        #expect(numbers(state, 0) == [])
    }

    @Test("scrolled up the window stays with its line while the log grows; at the end it follows again")
    func scrolling() {
        var state = LogState()
        state.bottom = LogWindow(log, state).bottom(scrolledBy: -2, height: 3)
        #expect(state.bottom == 37)
        #expect(numbers(state, 3) == [35, 36, 37])
        var grown = log
        grown.append(LogEntry(number: 40, at: SnapshotSamples.now, level: .info, message: "line 40"))
        #expect(LogWindow(grown, state).entries(3).map(\.number) == [35, 36, 37])
        #expect(LogWindow(log, state).bottom(scrolledBy: 2, height: 3) == nil)
        #expect(LogWindow(log, state).bottom(scrolledBy: 1, height: 3) == 38)
    }

    @Test("the top is where the window is still full")
    func top() {
        var state = LogState()
        state.bottom = LogWindow(log, state).bottom(scrolledBy: -1_000, height: 5)
        #expect(numbers(state, 5) == [0, 1, 2, 3, 4])
    }

    @Test("alike entries that follow each other are one line for scrolling, too")
    func alike() {
        var log = LogView(capacity: 100)
        for (number, text) in (["a"] + Array(repeating: "b", count: 30) + ["c", "d", "e", "e"]).enumerated() {
            log.append(LogEntry(number: number, at: SnapshotSamples.now, level: .info, message: text))
        }
        func scrolled(from bottom: Int?, by distance: Int, height: Int = 1) -> Int? {
            var state = LogState()
            state.bottom = bottom
            return LogWindow(log, state).bottom(scrolledBy: distance, height: height)
        }
        #expect(scrolled(from: nil, by: -1) == 32)
        #expect(scrolled(from: 32, by: -2) == 30)
        #expect(scrolled(from: 30, by: -1) == 0)
        #expect(scrolled(from: 12, by: -1) == 0, "from the middle of a line")
        #expect(scrolled(from: 0, by: 1) == 30)
        #expect(scrolled(from: 32, by: 1) == nil)
        #expect(scrolled(from: nil, by: -Int.max, height: 2) == 30)
        #expect(scrolled(from: nil, by: -Int.max, height: 9) == nil)
    }

    @Test("wrapped lines are read from the first to the last, row by row")
    func wrapped() throws {
        var snapshot = SnapshotSamples.midBreak
        var log = LogView(capacity: 100)
        for number in 0..<12 {
            let text = "line \(number) begins " + String(repeating: "word ", count: 40) + "and ends"
            log.append(LogEntry(number: number, at: SnapshotSamples.now, level: .info, message: text))
        }
        snapshot.log = log
        var sample = DashboardSample(snapshot, 60, 20)
        sample.state.log.wraps = true
        func shows(_ number: Int) -> Bool {
            TextWriter.text(of: sample.frame.grid).contains("line \(number) begins")
        }
        try sample.press("3 + g")
        #expect(shows(0) && sample.state.log.bottom != nil)
        var seen: Set<Int> = []
        for _ in 0..<12 {
            seen.formUnion((0..<12).filter(shows))
            try sample.press("PgDn")
        }
        #expect(seen == Set(0..<12) && sample.state.log.follows)
        try sample.press("k")
        #expect(sample.state.log.bottom == 10)
    }

    @Test("the newest problem is in sight where lines wrap, too", arguments: [1, 5, 30])
    func wrappedProblem(_ later: Int) {
        var snapshot = SnapshotSamples.midBreak
        var log = LogView(capacity: 100)
        for number in 0...later {
            let text = number == 0 ? "gave up" : "line \(number) " + String(repeating: "word ", count: 40)
            log.append(
                LogEntry(number: number, at: SnapshotSamples.now, level: number == 0 ? .error : .info, message: text))
        }
        snapshot.log = log
        var sample = DashboardSample(snapshot, 80, 24)
        sample.state.log.wraps = true
        let text = TextWriter.text(of: sample.frame.grid)
        #expect(text.contains("E gave up") && text.contains("word word"))
    }

    @Test("the newest problem is marked where it is kept in the first line, and only there", arguments: [false, true])
    func pinned(_ isASCII: Bool) throws {
        for (later, wraps) in [(30, false), (30, true), (1, false), (1, true)] {
            var log = LogView(capacity: 100)
            for number in 0...later {
                let text = number == 0 ? "gave up" : "line \(number)"
                log.append(
                    LogEntry(
                        number: number, at: SnapshotSamples.now, level: number == 0 ? .error : .info, message: text))
            }
            var snapshot = SnapshotSamples.midBreak
            snapshot.log = log
            var sample = DashboardSample(snapshot, 80, 24, isASCII: isASCII)
            sample.state.log.wraps = wraps
            let rows = TextWriter.rows(of: sample.frame.grid)
            let row = try #require(rows.first { $0.contains("E gave up") }, "\(rows)")
            #expect(row.hasPrefix(isASCII ? "^12:41:18.4 E" : "▲12:41:18.4 E") == (later == 30), "\(row)")
            #expect(row.hasPrefix(" 12:41:18.4 E") == (later == 1), "\(row)")
            try sample.press("3 ?")
            #expect(TextWriter.text(of: sample.frame.grid).contains("newest problem, from further up"))
        }
    }

    @Test("a dropped line is replaced by the oldest that is kept")
    func dropped() {
        var state = LogState()
        state.bottom = -50
        #expect(numbers(state, 3) == [0, 1, 2])
    }
}
