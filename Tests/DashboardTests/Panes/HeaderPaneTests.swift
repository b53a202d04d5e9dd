import AdTracking
import Screen
import Session
import Testing

@testable import Dashboard

/// The first row of the dashboard.
@Suite struct HeaderPaneTests {
    struct Mode: Sendable {
        var mode = ReportingMode.fire
        var retry: RetrySetting?
        var long: String
        var short: String
        var lacksJournal = false
    }

    @Test(
        "a retry setting that can send a beacon twice, or drops one, is part of the mode in every width",
        arguments: [
            Mode(retry: nil, long: " FIRE ", short: "FIRE"), Mode(retry: .safe, long: " FIRE ", short: "FIRE"),
            Mode(retry: .standard, long: " FIRE retry standard ", short: "FIRE standard"),
            Mode(retry: .never, long: " FIRE retry never ", short: "FIRE never"),
            Mode(mode: .observe, retry: .standard, long: "OBSERVE", short: "OBSERVE"),
            Mode(mode: .observe, long: "OBSERVE · no journal", short: "OBSERVE · no journal", lacksJournal: true),
        ])
    func mode(_ row: Mode) {
        var snapshot = SnapshotSamples.midBreak
        snapshot.session.mode = row.mode
        snapshot.session.retry = row.retry
        snapshot.session.lacksJournal = row.lacksJournal
        let sample = DashboardSample(snapshot, 80, 24)
        let header = HeaderPane.row(FrameContext(snapshot, sample.state, now: sample.now))
        #expect(header.fitted(columns: 300).right.string.hasPrefix(row.long))
        // In few columns the long form goes first, and the short one never.
        let (_, right) = header.fitted(columns: 40)
        #expect(right.string == row.short || right.string.hasPrefix(row.short + " "), "\(right.string)")
    }
}
