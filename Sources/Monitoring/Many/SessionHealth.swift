package import AdTracking
package import Ports

/// How one session among many is: a row of the table, a line of the dump, what metrics count. It is made without the
/// views of breaks and events, so that asking five hundred sessions once a second costs little.
package struct SessionHealth: Sendable, Equatable {
    /// When this was so.
    package var at: Moment
    /// As the user calls it, else as the session names itself.
    package var name: String
    package var mediaURL: String
    package var phase: SessionView.Phase
    package var mode: ReportingMode
    package var kind: PlaylistView.Kind
    package var playhead: PlayheadView.State
    /// Wall clock minus media date; nil without dates.
    package var latency: Duration?
    /// Whether an ad is on air.
    package var isOnAir: Bool
    /// Breaks that are known now, and their ads.
    package var breaks: Int
    package var ads: Int
    package var playlist: FeedHealth
    package var metadata: FeedHealth
    /// Tracking events that are known now, by what became of their beacons.
    package var events: [ReportingState: Int]
    package var counters: Counters
    package var deliveries: DeliveryTally
    /// Different findings by severity.
    package var findings: [Severity: Int]
    /// The newest error.
    package var latestError: ErrorView?
    /// Why no session could be had; nil while there is one.
    package var sessionProblem: String?
}

extension SessionHealth {
    /// Beacons of a session, each counted once however often it was tried.
    package struct Beacons: Sendable, Equatable {
        /// Sent, or due and not sent.
        package var due = 0
        package var sent = 0
        package var acknowledged = 0
        /// Rejected by status, or not answered.
        package var failed = 0
        /// Events with a beacon whose outcome an earlier process did not live to see.
        package var unknown = 0

        package init() {}

        /// Both together.
        package static func + (left: Self, right: Self) -> Self {
            var sum = left
            sum.due += right.due
            sum.sent += right.sent
            sum.acknowledged += right.acknowledged
            sum.failed += right.failed
            sum.unknown += right.unknown
            return sum
        }
    }

    package var beacons: Beacons {
        var sum = Beacons()
        sum.sent = max(0, counters.beaconsSent - counters.retries)
        sum.acknowledged = counters.beaconsAcknowledged
        sum.failed = counters.beaconsFailed
        sum.unknown = events[.unknown] ?? 0
        let unsent = deliveries.counts.values.reduce(0) { $0 + ($1[.observed] ?? 0) + ($1[.skipped] ?? 0) }
        sum.due = sum.sent + unsent
        return sum
    }

    /// The feeds that the session polls.
    private var feeds: [FeedHealth] { [playlist, metadata].filter { $0.state != .none } }

    /// Since the last good answer of the feed that has waited longest; nil while one has none yet.
    package func pollAge(at now: Moment) -> Duration? {
        var oldest: Duration?
        for feed in feeds {
            guard let good = feed.lastGoodAt else { return nil }
            oldest = max(oldest ?? .zero, now.uptime - good.uptime)
        }
        return oldest
    }

    /// What is wrong now, else what was wrong last.
    package var problem: String? {
        sessionProblem ?? playlist.problem.map { "playlist: \($0)" } ?? metadata.problem.map { "metadata: \($0)" }
            ?? latestError?.message
    }

    /// Whether something is wrong at this moment.
    package var isFailing: Bool { phase == .failing }
}
