package import AdTracking
package import CreativeCache
package import HLS
package import Ports

/// Everything a screen or a dump can show of one session at one moment. Immutable; the newest one wins.
package struct Snapshot: Sendable {
    package var at: Moment
    package var session: SessionView
    package var playlist: PlaylistView
    package var playhead: PlayheadView
    /// What the last good metadata document says it describes.
    package var dataRange: ClosedRange<UnixTime>?
    /// How far metadata reaches beyond the playhead: `dataRange.end − playhead`; negative when it lags.
    package var coverageAhead: Duration?
    package var timeToNextBreak: Duration?
    /// Start of the next break that is known, in media time.
    package var nextBreakStart: UnixTime?
    /// In start order.
    package var breaks: [BreakView]
    package var interstitials: [InterstitialView]
    /// The one that plays or played last; nil before the first.
    package var lastInterstitial: LastInterstitialView?
    /// Continuous stretches that were played, in media dates.
    package var playedRanges: [ClosedRange<UnixTime>]
    package var counters: Counters
    package var activity: ActivityView
    /// For metrics.
    package var deliveries = DeliveryTally()
    /// Newest last occurrence first.
    package var findings: [FindingView]
    package var log: LogView
    /// The newest error of each kind, as the reference library offers them.
    package var errors: [ErrorKind: ErrorView]
    package var latestError: ErrorView?
    /// The result of the newest user action; a screen shows it as a toast once per `number`.
    package var userReport: UserReportView?
    /// The followed media playlist in full; nil until one was read.
    package var playlistDetail: PlaylistDetail?
    /// The auction beside the stream; nil where none is configured.
    package var auction: AuctionView?
    /// The ad spaces beside the stream; nil when the session has none.
    package var formats: FormatsView?
    /// The creative cache of this process; nil where there is none.
    package var cache: CacheReport?
    /// Rewarded zones that are kept for their hour, the newest first.
    package var zones: [ZoneRow] = []
}

/// The three kinds of error of the reference library (TRK-21), and a recording that failed.
package enum ErrorKind: String, Sendable, CaseIterable, Codable {
    case network, metadata, beacon, recording
}

package struct ErrorView: Sendable, Equatable {
    package var kind: ErrorKind
    package var at: Moment
    package var message: String
}

/// Identity, addresses and health of the session.
package struct SessionView: Sendable, Equatable {
    /// A short name for tabs and the header, from the media URL.
    package var name: String
    package var mediaURL: String
    package var manifestURL: String?
    package var metadataURL: String?
    /// `harmonic`, `none` for a plain stream, or `auto` while that is not known.
    package var provider: String
    /// Which way of session initialisation won, e.g. `get`, `post`, `redirect`, `variant`, `manifest`; nil while
    /// undecided.
    package var initPath: String?
    package var sessionID: String?
    package var mode: ReportingMode
    /// False under `--readonly`: no key may arm or send.
    package var canArm: Bool
    package var phase: Phase
    package var playlistHealth: FeedHealth
    package var metadataHealth: FeedHealth

    package enum Phase: String, Sendable, CaseIterable {
        case starting, running, failing, ended
    }
}

/// How a polled feed does.
package struct FeedHealth: Sendable, Equatable {
    package enum State: String, Sendable {
        /// Nothing asked yet, or the feed does not exist.
        case none
        case waiting, good, failing
    }

    package var state: State
    /// Status of the last answer, nil when none came.
    package var status: Int?
    /// Duration of the last exchange.
    package var took: Duration?
    package var bytes: Int?
    package var lastGoodAt: Moment?
    package var consecutiveFailures: Int
    package var nextAttemptAt: Moment?
    /// What is wrong, one clause, when failing.
    package var problem: String?

    package static let none = FeedHealth(state: .none, consecutiveFailures: 0)
}

/// The followed media playlist and its timeline.
package struct PlaylistView: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case unknown, live, event, vod
    }

    package var kind: Kind
    /// Final URL of the followed media playlist.
    package var url: String?
    package var bandwidth: Int64?
    package var variantCount: Int
    package var targetDuration: Duration?
    package var segmentCount: Int
    package var mediaSequence: Int64?
    package var hasEnded: Bool
    package var windowStart: StreamTime?
    package var windowEnd: StreamTime?
    package var windowStartDate: UnixTime?
    package var windowEndDate: UnixTime?
    package var holdBack: Duration?
    package var discontinuities: Int
    package var reloads: Int
    package var nextReloadAt: Moment?
    /// Nil for a lone media playlist, and before one is chosen.
    package var variant: VariantView?
    package var delivery = DeliveryView()
}

/// The variant that is followed.
package struct VariantView: Sendable, Equatable {
    /// Its place in the multivariant playlist, from 1.
    package var number: Int
    /// Bit/s.
    package var bandwidth: Int?
    /// `1280x720`
    package var resolution: String?
    package var codecs: String?
    /// PATHWAY-ID; nil where it names none.
    package var pathway: String?
    /// Other variants that can take over.
    package var redundantCount: Int
    /// The preferred variant failed, this one took over.
    package var isFallback: Bool
}

/// How the media playlist is asked for.
package struct DeliveryView: Sendable, Equatable {
    /// Parts count, and the playhead keeps PART-HOLD-BACK.
    package var isLowLatency = false
    /// Requests are held by the server until there is something new.
    package var isBlocking = false
    /// PART-TARGET.
    package var partTarget: Duration?
    /// Parts after the last whole segment.
    package var trailingParts = 0
    /// Delta updates that were merged.
    package var deltaUpdates = 0

    package init() {}
}

package struct PlayheadView: Sendable, Equatable {
    package enum State: String, Sendable {
        case idle, playing, paused, stalled, interstitial, ended
    }

    package var state: State
    package var stream: StreamTime?
    /// The media date at the playhead; nil without PROGRAM-DATE-TIME.
    package var date: UnixTime?
    package var rate: Double
    package var isMuted: Bool
    /// Wall clock minus media date.
    package var latency: Duration?
    /// Distance to the end of the playlist.
    package var behindEdge: Duration?
    /// Change of latency since it was last at rest: positive when falling behind.
    package var drift: Duration?
    /// It moves with the clock, up to `limitStream`; see ``Snapshot/playhead(at:)``.
    package var isAdvancing = false
    /// How far it can play with the playlist as it is.
    package var limitStream: StreamTime?
    /// What is left of the interstitial that plays; nil while none does, or none moves with the clock.
    package var interstitialRest: Duration?
}

package struct BreakView: Sendable, Equatable, Identifiable {
    /// Stable over polls, unique in the session.
    package var id: String
    /// As metadata names it; raw text from outside.
    package var name: String
    /// Short label of its order in the session, `B1`, `B2`, …
    package var label: String
    package var start: UnixTime
    /// Stitched so far (growing edge).
    package var duration: Duration
    /// End planned by the last event of the last ad; at least `start + duration`.
    package var plannedEnd: UnixTime
    /// `metadata`, `marker`, …; `metadata+marker` when both tell of it.
    package var source: String
    package var isOnAir: Bool
    package var hasEnded: Bool
    /// No longer in the metadata; kept because of what was sent.
    package var hasVanished: Bool
    package var ads: [AdView]
    /// Who tells of it, where markers do; empty otherwise.
    package var evidence: [BreakEvidenceView] = []
    /// How they contradict each other, one sentence each.
    package var differences: [String] = []
}

package struct AdView: Sendable, Equatable, Identifiable {
    package var id: String
    package var name: String
    /// `A1`, `A2`, … within its break.
    package var label: String
    package var start: UnixTime
    package var duration: Duration
    package var isOnAir: Bool
    package var hasVanished: Bool
    /// Landing page; shown, never requested.
    package var clickThrough: String?
    package var events: [EventView]
    /// Everything else metadata says of the ad, as `name: value` lines for the detail pane (companions, icons,
    /// verifications, unknown fields).
    package var extras: [ExtraView]
    /// How it was found and what it plays; nil when nothing is known but its events.
    package var creative: CreativeView?
}

package struct ExtraView: Sendable, Equatable {
    package var name: String
    package var value: String
}

package struct EventView: Sendable, Equatable, Identifiable {
    package var id: String
    /// The event's name as metadata has it.
    package var event: String
    package var start: UnixTime
    package var duration: Duration
    package var state: ReportingState
    /// Why it is `skipped` or `observed`, or why it is still idle.
    package var reason: SkipReason?
    /// True for mute, pause and the like: reported on the user's action, not by time.
    package var isUserTriggered: Bool
    package var urls: [URLView]
}

package struct URLView: Sendable, Equatable, Identifiable {
    package var id: String
    package var url: String
    package var state: DeliveryState
    package var reason: SkipReason?
    /// With its macros filled, once it was claimed; nil where there were none to fill.
    package var requested: String?
    package var attempts: [AttemptView]
    package var retryAt: Moment?
    /// Time past the due instant at which it was first sent (or would have been): positive when late.
    package var late: Duration?
}

/// One try at one URL.
package struct AttemptView: Sendable, Equatable {
    package var at: Moment
    /// Nil while in flight.
    package var exchange: AttemptResult?
}

/// What is kept of a beacon's answer.
package struct AttemptResult: Sendable, Equatable {
    package var status: Int?
    /// Kind and message when no answer came.
    package var failure: HTTPFailure?
    package var hops: [HTTPExchange.Hop]
    package var timings: HTTPExchange.Timings
    package var contentType: String?
    package var bytes: Int
}

/// Events by state, and totals of the session.
package struct Counters: Sendable, Equatable {
    package var events: [ReportingState: Int] = [:]
    package var beaconsSent = 0
    package var beaconsAcknowledged = 0
    package var beaconsFailed = 0
    package var retries = 0
    package var late = 0
    package var metadataPolls = 0
    package var playlistReloads = 0
    /// Requests for tags and wrappers.
    package var adRequests = 0
    /// HTTP answers to beacons by class: 2xx, 3xx (as last answer), 4xx, 5xx.
    package var statusClasses: [Int: Int] = [:]
    package var droppedLogLines = 0

    package init() {}
}

/// Recent activity for sparklines and latency figures.
package struct ActivityView: Sendable, Equatable {
    /// Beacons per second (sent or observed), oldest first, ending with the second of the snapshot; at most 120.
    package var beaconsPerSecond: [Int]
    package var errorsPerSecond: [Int]
    /// Of acknowledged beacons; nil before the first.
    package var latencyMedian: Duration?
    package var latency95: Duration?
    package var latencyMaximum: Duration?
    /// Per host: 95th percentile and failures, busiest first, at most 20.
    package var hosts: [HostView]
}

package struct HostView: Sendable, Equatable {
    package var host: String
    package var sent: Int
    package var failed: Int
    package var latency95: Duration?
}

/// A finding with how often and when it was seen.
package struct FindingView: Sendable, Equatable {
    package var finding: Finding
    package var count: Int
    package var first: Moment
    package var last: Moment
    package var source = FindingSource.metadata
}

/// What a finding is about.
package enum FindingSource: Sendable {
    case playlist, metadata, delivery
    /// Tags, their answers, and how they fill a break.
    case decision
}

package enum LogLevel: String, Sendable, CaseIterable, Comparable, Codable {
    case debug, info, warning, error

    package static func < (left: Self, right: Self) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}

package struct LogEntry: Sendable, Equatable {
    /// Counts all lines of the session from 0; stable when old lines are dropped.
    package var number: Int
    package var at: Moment
    package var level: LogLevel
    /// Raw; may hold text from outside.
    package var message: String
    /// Which session says it, as the user calls it, in a log of several; nil in a session's own.
    package var session: String? = nil
}

/// The result of a mute, pause or other user action.
package struct UserReportView: Sendable, Equatable {
    /// Counts the actions of the session.
    package var number: Int
    package var action: UserAction
    package var at: Moment
    /// Whether a beacon really went out and was acknowledged; nil while in flight.
    package var wasReported: Bool?
    /// One sentence naming target and result, e.g. `mute sent for B2/A2 204 37ms` or `mute: no ad on air`.
    package var message: String
}
