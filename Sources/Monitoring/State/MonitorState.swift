import AdTracking
package import Ports

/// Everything a session knows, and all its rules: `apply` is synchronous and total, reads nothing but its arguments, and
/// returns what must be done at the edge.
package struct MonitorState: Sendable {
    package let configuration: MonitorConfiguration
    var mode: ReportingMode
    var log: SessionLog
    var reports = UserReports()
    private(set) var isStopped = false

    package init(_ configuration: MonitorConfiguration) {
        self.configuration = configuration
        mode = configuration.mode
        log = SessionLog(capacity: configuration.logLines)
    }

    /// True when the session has ended and nothing more is awaited.
    package var isQuiet: Bool { isStopped }

    /// The session after `input`, and what it wants done.
    package mutating func apply(_ input: Input, at now: Moment) -> [Effect] {
        if case .stopped = input { isStopped = true }
        return []
    }

    /// What there is to see at `now`.
    package func snapshot(at now: Moment) -> Snapshot {
        Snapshot(
            at: now,
            session: SessionView(
                name: configuration.mediaURL.host, mediaURL: configuration.mediaURL.text, manifestURL: nil, metadataURL: nil,
                provider: "none", initPath: nil, sessionID: nil, mode: mode, canArm: !configuration.isReadonly,
                phase: .starting, playlistHealth: .none, metadataHealth: .none),
            playlist: PlaylistView(
                kind: .unknown, variantCount: 0, segmentCount: 0, hasEnded: false, discontinuities: 0, reloads: 0),
            playhead: PlayheadView(state: .idle, rate: configuration.rate, isMuted: false),
            breaks: [], interstitials: [], playedRanges: [], counters: Counters(),
            activity: ActivityView(beaconsPerSecond: [], errorsPerSecond: [], hosts: []),
            findings: [], log: log.view, errors: [:], userReport: reports.newest)
    }
}
