import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// The log of one break (improvement 9).
@Suite struct LogBreakTests {
    /// A session in the middle of B2, whose log has lines about B1, B2 and no break.
    private func sample(_ columns: Int = 120, _ rows: Int = 40) -> DashboardSample {
        var snapshot = SnapshotSamples.midBreak
        snapshot.log = LogView(capacity: 100)
        let lines: [(LogLevel, String, BreakView?)] = [
            (.info, "break B1 started", snapshot.breaks[0]), (.info, "playlist reloaded", nil),
            (.info, "break B2 started", snapshot.breaks[1]), (.error, "beacon start B1/A1 failed", snapshot.breaks[0]),
            (.warning, "beacon start B2/A2 503", snapshot.breaks[1]), (.error, "playlist: answered 503", nil),
        ]
        for (number, line) in lines.enumerated() {
            let adBreak = line.2.map { LogEntry.Break(name: $0.name, start: $0.start) }
            snapshot.log.append(
                LogEntry(number: number, at: SnapshotSamples.now, level: line.0, message: line.1, adBreak: adBreak))
        }
        return DashboardSample(snapshot, columns, rows)
    }

    private func text(_ sample: DashboardSample) -> String { TextWriter.text(of: sample.frame.grid) }

    /// The messages that the log shows.
    private func shown(_ sample: DashboardSample) -> [String] {
        LogWindow(sample.snapshot.log, sample.state.log).entries(100).map(\.message)
    }

    @Test(
        "a key shows the selected break alone and names it in the title; the key again shows all",
        arguments: ["g }", "g } 3"])
    func key(_ keys: String) throws {
        var sample = sample()
        try sample.press(keys)
        let label = sample.snapshot.breaks[1].label
        #expect(label == "B2" && !text(sample).contains("Log of"))
        try sample.press("b")
        #expect(text(sample).contains("[3] Log of B2"))
        #expect(shown(sample) == ["break B2 started", "beacon start B2/A2 503"])
        try sample.press("b")
        #expect(!text(sample).contains("Log of") && shown(sample).count == 6)
    }

    @Test("another break that is selected takes its place, and an event is of its break")
    func another() throws {
        var sample = sample()
        try sample.press("g b")
        #expect(shown(sample) == ["break B1 started", "beacon start B1/A1 failed"])
        try sample.press("} l j b")
        #expect(text(sample).contains("[3] Log of B2"))
    }

    @Test("Esc shows all breaks, after the filter of the pane and before anything is closed")
    func escape() throws {
        var sample = sample()
        try sample.press("g } b 3 + /")
        sample.type("503")
        try sample.press("Enter Esc")
        #expect(sample.state.log.filter.isEmpty && sample.state.log.adBreak != nil)
        try sample.press("Esc")
        #expect(sample.state.log.adBreak == nil && sample.state.isZoomed)
        try sample.press("Esc b 1 Esc")
        #expect(sample.state.log.adBreak == nil && sample.effects.isEmpty)
    }

    @Test("where the log is not on the screen Esc leaves it as it is") func hidden() throws {
        var sample = sample(40, 8)
        try sample.press("g } b Esc")
        #expect(sample.state.log.adBreak?.label == "B2")
        try sample.press("3 Esc")
        #expect(sample.state.log.adBreak == nil)
    }

    @Test(":log break does as the key, :log all ends it, and sources choose among its lines") func command() throws {
        var sample = sample()
        for (command, count) in [("log break", 2), ("log metadata", 1), ("log all", 6)] {
            try sample.press("g } :")
            sample.type(command)
            try sample.press("Enter")
            #expect(shown(sample).count == count, "\(command)")
        }
    }

    @Test("a break without a line says so, and how to see the others") func none() throws {
        var sample = sample()
        try sample.press("g } } b")
        let label = sample.snapshot.breaks[2].label
        #expect(text(sample).contains("no line is about \(label); Esc shows all breaks"))
    }

    @Test("a break that moved keeps its lines, and of breaks with one id each has its own") func nearest() throws {
        var breaks = SnapshotSamples.midBreak.breaks
        breaks[1].name = breaks[0].name
        let logged = LogEntry.Break(name: breaks[0].name, start: breaks[0].start)
        let entry = LogEntry(number: 0, at: SnapshotSamples.now, level: .info, message: "", adBreak: logged)
        breaks[0].start = breaks[0].start + .seconds(3)
        let (first, second) = (try #require(LogBreak(breaks[0].id, in: breaks)), LogBreak(breaks[1].id, in: breaks))
        #expect(first.isSubject(of: entry) && second?.isSubject(of: entry) == false)
        #expect(LogBreak("b999", in: breaks) == nil)
    }

    @Test("a table, a row that folds breaks, and another session have no break to show") func without() throws {
        var sample = sample()
        try sample.press("g } b")
        sample.send(.sessionsChanged(["ch7", "ch8"], current: 1))
        #expect(sample.state.log.adBreak == nil)
        sample.snapshot.breaks = []
        sample.snapshot.at = sample.snapshot.at.advanced(by: .seconds(1))
        sample.send(.snapshotArrived)
        try sample.press("b")
        #expect(sample.state.log.adBreak == nil && text(sample).contains("no break is selected"))
    }
}
