package import AdTracking
package import Ports

/// The health of one session among many: a row of the table, a line of the dump, the source of metrics. It is built
/// without the views of breaks and events, so that five hundred sessions can be read once a second at little cost.
package struct SessionHealth: Sendable, Equatable {
    /// The time of this state.
    package var at: Moment
    /// The user's name of the session, or else the session's own.
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
    /// Number of known breaks, followed by the number of their ads.
    package var breaks: Int
    package var ads: Int
    package var playlist: FeedHealth
    package var metadata: FeedHealth
    /// Known tracking events by reporting state.
    package var events: [ReportingState: Int]
    package var counters: Counters
    package var deliveries: DeliveryTally
    /// Number of distinct findings by severity.
    package var findings: [Severity: Int]
    /// The worst finding: of the most severe those seen most often; nil without warnings and errors.
    package var worstFinding: FindingView?
    /// The newest error.
    package var latestError: ErrorView?
    /// Why there is no session; nil while there is one.
    package var sessionProblem: String?
    /// The distance from the end of the playlist that a player keeps; nil before a playlist was read.
    package var holdBack: Duration?
    /// What became of beacons lately.
    package var recent = Recent()
    /// Whether the stream was requested, and its first playlist has not been read.
    package var isOpening = false
    /// Whether beacons are sent only to collectors on this machine.
    package var sendsToLoopbackOnly = false
}

extension SessionHealth {
    /// What became of beacons lately, oldest first.
    package struct Recent: Sendable, Equatable {
        /// The worst outcome of each minute of the last hour.
        package var hour: [MinuteOutcome] = []
        /// How many were sent in each five seconds of the last minute.
        package var minute: [Int] = []
        /// The newest that failed; nil where none did in this process.
        package var failure: FailedBeacon?

        package init(hour: [MinuteOutcome] = [], minute: [Int] = [], failure: FailedBeacon? = nil) {
            (self.hour, self.minute, self.failure) = (hour, minute, failure)
        }
    }

    /// Beacons of a session, each counted once regardless of the number of attempts.
    package struct Beacons: Sendable, Equatable {
        /// Sent, or due and not sent.
        package var due = 0
        package var sent = 0
        package var acknowledged = 0
        /// Rejected by status, or not answered; as in the list also of an earlier process.
        package var failed = 0
        /// Whose outcome is unknown: no answer came although they were sent, or an earlier process ended first.
        package var unknown = 0
        /// Those of the sent ones that were of ad spaces, and those that were pings.
        package var adSpaces = 0
        package var pings = 0
        /// Those of the failed ones that were pings.
        package var failedPings = 0

        package init() {}

        /// The beacons of a session from its counters.
        package init(_ counters: Counters, _ deliveries: DeliveryTally) {
            sent = max(0, counters.beaconsSent - counters.retries)
            acknowledged = counters.beaconsAcknowledged
            failed = counters.beaconsFailed + counters.earlierFailed
            unknown = counters.beaconsUnknown + counters.earlierUnknown
            (adSpaces, pings, failedPings) = (counters.adSpaceBeacons, counters.pings, counters.pingsFailed)
            let unsent = deliveries.counts.values.reduce(0) { $0 + ($1[.observed] ?? 0) + ($1[.skipped] ?? 0) }
            due = sent + unsent + counters.unsentPings
        }

        /// The sum of both.
        package static func + (left: Self, right: Self) -> Self {
            var sum = left
            sum.due += right.due
            sum.sent += right.sent
            sum.acknowledged += right.acknowledged
            sum.failed += right.failed
            sum.unknown += right.unknown
            sum.adSpaces += right.adSpaces
            sum.pings += right.pings
            sum.failedPings += right.failedPings
            return sum
        }
    }

    package var beacons: Beacons { Beacons(counters, deliveries) }

    /// The feeds that the session polls.
    private var feeds: [FeedHealth] { [playlist, metadata].filter { $0.state != .none } }

    /// Time since the last good answer of the feed with the oldest one; nil while a feed has none.
    package func pollAge(at now: Moment) -> Duration? {
        var oldest: Duration?
        for feed in feeds {
            guard let good = feed.lastGoodAt else { return nil }
            oldest = max(oldest ?? .zero, now.uptime - good.uptime)
        }
        return oldest
    }

    /// The current problem, or else the last one.
    package var problem: String? {
        sessionProblem ?? playlist.problem.map { "playlist: \($0)" }
            ?? metadata.problem.map { "\(metadata.isPing ? "ping" : "metadata"): \($0)" } ?? latestError?.message
    }

    /// Whether there is a problem at this moment.
    package var isFailing: Bool { phase == .failing || phase == .over }
}
