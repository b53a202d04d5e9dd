import Screen
import Testing

@testable import Dashboard
@testable import Session

/// Sources of log lines, and lines that are alike (improvement 9, D9).
@Suite struct LogSourceTests {
    private func sample(_ columns: Int = 120, _ rows: Int = 40, hidden: Set<LogSource> = []) -> DashboardSample {
        var snapshot = SnapshotSamples.midBreak
        var log = LogView(capacity: 100)
        let lines: [(LogLevel, String, LogSource, String?)] = [
            (.info, "metadata poll 200 51ms", .metadata, nil), (.info, "inline-2: shown", .formats, nil),
            (.warning, "inline-2: no fill", .formats, nil), (.info, "auction 2: kite won", .auction, nil),
            (.info, "beacon start B2/A2 200 39ms", .beacons, "t.example.com"),
            (.info, "playlist reloaded", .playlist, nil), (.info, "playlist reloaded", .playlist, nil),
            (.info, "playlist reloaded", .playlist, nil), (.info, "playlist reloaded", .playlist, nil),
        ]
        for (number, line) in lines.enumerated() {
            log.append(
                LogEntry(
                    number: number, at: SnapshotSamples.now, level: line.0, message: line.1, source: line.2,
                    host: line.3))
        }
        snapshot.log = log
        var sample = DashboardSample(snapshot, columns, rows)
        sample.state.log.sources.subtract(hidden)
        sample.send(.snapshotArrived)
        return sample
    }

    @Test("alike lines that follow each other are one, and beacons have their host")
    func folding() throws {
        let text = TextWriter.text(of: sample().frame.grid)
        #expect(text.contains("playlist reloaded  ×4") && text.ranges(of: "playlist reloaded").count == 1)
        #expect(text.contains("beacon start B2/A2 200 39ms  t.example.com"))
    }

    @Test(":log chooses what lines are about; warnings are always shown")
    func sources() throws {
        var sample = sample()
        try sample.press(":")
        sample.type("log beacons playlist")
        try sample.press("Enter")
        let text = TextWriter.text(of: sample.frame.grid)
        #expect(text.contains("beacon start") && text.contains("playlist reloaded"))
        #expect(!text.contains("metadata poll") && !text.contains("inline-2: shown") && !text.contains("kite won"))
        #expect(text.contains("inline-2: no fill") && text.contains("beacons playlist"))
        try sample.press(":")
        sample.type("log all")
        try sample.press("Enter")
        #expect(TextWriter.text(of: sample.frame.grid).contains("inline-2: shown"))
        try sample.press(":")
        sample.type("log everything")
        try sample.press("Enter")
        #expect(TextWriter.text(of: sample.frame.grid).contains("\"everything\": use all"))
    }

    @Test("what the caller hides at the start is named in the title")
    func hidden() {
        let text = TextWriter.text(of: sample(hidden: [.formats, .auction]).frame.grid)
        #expect(text.contains("no auction no formats") && !text.contains("inline-2: shown"))
        var settings = DashboardSettings()
        settings.hiddenLog = [.formats]
        #expect(!DashboardState(size: Size(columns: 80, rows: 24), settings: settings).log.sources.contains(.formats))
    }
}
