import Ports
import Screen
import Session

@testable import Dashboard

/// Dashboards in a given situation, reached by events as a user would.
struct DashboardSample: ClickedSample {
    var state: DashboardState
    var snapshot: Snapshot
    var now = SnapshotSamples.now
    var effects: [DashboardEffect] = []

    init(_ snapshot: Snapshot, _ columns: Int, _ rows: Int, isASCII: Bool = false) {
        var settings = DashboardState.Settings()
        settings.version = "0.1"
        settings.isASCII = isASCII
        settings.sessions = ["ch7 live", "vod-4411"]
        settings.themes = ["default", "midnight", "mono"]
        state = DashboardState(size: Size(columns: columns, rows: rows), settings: settings)
        self.snapshot = snapshot
        send(.snapshotArrived)
    }

    mutating func send(_ event: DashboardEvent) {
        effects = state.update(event, snapshot: snapshot, now: now)
    }

    /// Keys in the notation of `--keys`, time passing between them.
    mutating func press(_ keys: String, every step: Duration = .seconds(1)) throws {
        var all: [DashboardEffect] = []
        for key in try KeySequence.parse(keys) {
            send(.input(.key(key)))
            all += effects
            now = now.advanced(by: step)
        }
        now = now.advanced(by: .zero - step)
        effects = all
    }

    /// Types text into the focused line.
    mutating func type(_ text: String) {
        for scalar in text.unicodeScalars { send(.input(.key(KeyPress(.char(scalar))))) }
    }

    var frame: Frame { Renderer.frame(snapshot, state, now: now) }
}
