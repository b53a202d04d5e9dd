package import AdTracking
package import CreativeCache
package import HLS
package import Ports

/// The state of one session at one moment, for screens and dumps. Immutable; the newest one counts.
package struct Snapshot: Sendable {
    package var at: Moment
    package var session: SessionView
    package var playlist: PlaylistView
    package var playhead: PlayheadView
    /// The data range of the last valid metadata document.
    package var dataRange: ClosedRange<UnixTime>?
    /// How far metadata extends beyond the playhead: `dataRange.end − playhead`; negative when it lags.
    package var coverageAhead: Duration?
    package var timeToNextBreak: Duration?
    /// Start of the next known break in media time.
    package var nextBreakStart: UnixTime?
    /// Breaks ordered by start.
    package var breaks: [BreakView]
    package var interstitials: [InterstitialView]
    /// The interstitial that plays or played last; nil before the first.
    package var lastInterstitial: LastInterstitialView?
    /// Continuous stretches that were played, in media dates.
    package var playedRanges: [ClosedRange<UnixTime>]
    package var counters: Counters
    package var activity: ActivityView
    /// Counters for metrics.
    package var deliveries = DeliveryTally()
    /// Findings by last occurrence, newest first.
    package var findings: [FindingView]
    package var log: LogView
    package var errors = ErrorBook()
    /// The result of the newest user action; a screen shows it as a toast once per `number`.
    package var userReport: UserReportView?
    /// The followed media playlist in full; nil until one was read.
    package var playlistDetail: PlaylistDetail?
    /// The auction beside the stream; nil when none is configured.
    package var auction: AuctionView?
    /// The ad spaces beside the stream; nil when the session has none.
    package var formats: FormatsView?
    /// The creative cache of this process; nil without one.
    package var cache: CacheReport?
    /// Rewarded zones kept for their hour, newest first.
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
    /// The provider's name, `none` for a plain stream, or `auto` while unknown.
    package var provider: String
    /// Who reports, and where the requests for metadata stand; nil for a plain stream.
    package var service: ServiceView?
    /// The step of session initialisation that succeeded: `get`, `post`, `redirect`, `variant` or `manifest`; nil
    /// before that.
    package var initPath: String?
    package var sessionID: String?
    package var mode: ReportingMode
    /// Which beacons are repeated; nil in recordings from before there was a choice.
    package var retry: RetrySetting?
    /// False under `--readonly` and without a journal: arming and sending are disabled.
    package var canArm: Bool
    /// Nothing is sent because the journal cannot be written, or another process has this session open.
    package var lacksJournal = false
    /// Nothing is sent because another process has this session open.
    package var isHeldElsewhere = false
    /// Beacons go to collectors on this machine only: the session fires because its address is on loopback, and a person has
    /// not armed it.
    package var sendsToLoopbackOnly = false
    package var phase: Phase
    package var playlistHealth: FeedHealth
    package var metadataHealth: FeedHealth
    /// Number of sessions that the server ended and that were replaced.
    package var renewals = 0
    /// How far the opening of the stream has come; nil once its first playlist was read.
    package var opening: OpeningView?
    /// What the user's settings add to its requests.
    package var additions: [RequestAddition] = []
    /// Where in a recording this is; nil in a session that runs.
    package var replay: ReplayView?
    /// Whose picture this is; nil in a session of this process.
    package var picture: PictureView?

    package enum Phase: String, Sendable, CaseIterable {
        case starting, running, failing, ended
        /// The server rejects the session, and no new one is open yet.
        case over
    }
}

/// What is known of the service that inserts the ads.
package struct ServiceView: Sendable, Equatable {
    package var mode: String?
    package var reporter: ProviderStatus.Reporter
    /// When the token was listed with which the next answer continues the list; nil where every answer has the whole list.
    package var tokenSince: Moment?
    /// Time between two requests; nil when metadata is not polled.
    package var interval: Duration?
    /// The newest ping; nil before the first one, and for services without pings.
    package var ping: PingView?

    package init(
        mode: String? = nil, reporter: ProviderStatus.Reporter = .viewer, tokenSince: Moment? = nil,
        interval: Duration? = nil
    ) {
        (self.mode, self.reporter, self.tokenSince, self.interval) = (mode, reporter, tokenSince, interval)
    }
}

/// A ping and when the next one is due.
package struct PingView: Sendable, Equatable {
    /// Unredacted.
    package var url: String
    /// Why it was due, in one word.
    package var cause: String
    package var state: DeliveryState
    package var reason: SkipReason?
    package var status: Int?
    /// Position of the stream beyond which the next one is due; nil while that is unknown.
    package var next: StreamTime?

    package init(
        url: String, cause: String, state: DeliveryState, reason: SkipReason? = nil, status: Int? = nil,
        next: StreamTime? = nil
    ) {
        (self.url, self.cause, self.state) = (url, cause, state)
        (self.reason, self.status, self.next) = (reason, status, next)
    }
}

/// The health of a polled feed.
package struct FeedHealth: Sendable, Equatable {
    package enum State: String, Sendable {
        /// Nothing was requested yet, or the feed does not exist.
        case none
        case waiting, good, failing
    }

    package var state: State
    /// Status of the last answer; nil when none arrived.
    package var status: Int?
    /// The protocol of the last answer; nil when none arrived.
    package var version: HTTPProtocolVersion?
    /// Duration of the last exchange.
    package var took: Duration?
    package var bytes: Int?
    package var lastGoodAt: Moment?
    package var consecutiveFailures: Int
    package var nextAttemptAt: Moment?
    /// The problem, as one clause, in state `failing`.
    package var problem: String?

    package static let none = FeedHealth(state: .none, consecutiveFailures: 0)
}

/// The followed media playlist and its timeline.
package struct PlaylistView: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case unknown, live, event, vod
        /// There is none: the session is attached to its tracking data, and the time is that of the wall clock.
        case clock
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
    /// Nil for a single media playlist, and before a variant is chosen.
    package var variant: VariantView?
    package var delivery = DeliveryView()
    /// The variants of the multivariant playlist; empty for a single media playlist.
    package var variants: [VariantOption] = []
}

extension PlaylistView {
    /// Most variants that a screen or a dump lists.
    package static let listedVariants = 64
}

/// The followed variant.
package struct VariantView: Sendable, Equatable {
    /// Its position in the multivariant playlist, from 1.
    package var number: Int
    /// BANDWIDTH in bit/s.
    package var bandwidth: Int?
    /// Resolution such as `1280x720`.
    package var resolution: String?
    package var codecs: String?
    /// PATHWAY-ID; nil when it has none.
    package var pathway: String?
    /// Number of other variants for failover.
    package var redundantCount: Int
    /// Whether the preferred variant failed and this one replaced it.
    package var isFallback: Bool
    /// Whether the server refuses those that were preferred, and this one has another bandwidth.
    package var hasSteppedDown = false
    /// What a person wants: `best`, `worst`, a height, a bandwidth, or the end of an address.
    package var wish = VariantWish.best
}

/// How the media playlist is requested.
package struct DeliveryView: Sendable, Equatable {
    /// Whether parts are used and the playhead keeps PART-HOLD-BACK.
    package var isLowLatency = false
    /// Whether the server holds requests until there is something new.
    package var isBlocking = false
    /// PART-TARGET.
    package var partTarget: Duration?
    /// Number of parts after the last whole segment.
    package var trailingParts = 0
    /// Number of merged delta updates.
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
    /// Change of latency since the last join, seek or jump: positive when falling behind.
    package var drift: Duration?
    /// Whether it moves with the clock, up to `limitStream`; see ``Snapshot/playhead(at:)``.
    package var isAdvancing = false
    /// How far it can play with the current playlist.
    package var limitStream: StreamTime?
    /// Time left of the interstitial that plays; nil while none plays, or while it does not move with the clock.
    package var interstitialRest: Duration?
}

package struct BreakView: Sendable, Equatable, Identifiable {
    /// Stable across polls, unique in the session.
    package var id: String
    /// Name in metadata; unredacted text from outside.
    package var name: String
    /// Short label of its order in the session, `B1`, `B2`, …
    package var label: String
    package var start: UnixTime
    /// Duration stitched so far (growing edge).
    package var duration: Duration
    /// End planned by the last event of the last ad; at least `start + duration`.
    package var plannedEnd: UnixTime
    /// `metadata`, `marker`, …; `metadata+marker` when both describe it.
    package var source: String
    package var isOnAir: Bool
    package var hasEnded: Bool
    /// No longer in the metadata; kept for the record of what was sent.
    package var hasVanished: Bool
    package var ads: [AdView]
    /// The sources that describe it, if markers are among them; empty otherwise.
    package var evidence: [BreakEvidenceView] = []
    /// Contradictions between the sources, one sentence each.
    package var differences: [String] = []
    /// Which document brought it, and what each later one changed; empty where no document lists it.
    package var growth = BreakGrowth()

    /// The length that metadata and cues announce, at least what is stitched so far; once the break is over, what it
    /// lasted.
    package var announcedDuration: Duration {
        guard !hasEnded else { return duration }
        let cues = evidence.lazy.filter { $0.source == AdBreak.Source.marker.rawValue }.compactMap(\.duration)
        return max(duration, plannedEnd - start, cues.max() ?? .zero)
    }

    /// What announced it first; nil for a name of no source.
    package var origin: AdBreak.Source? { AdBreak.Source.allCases.first { source.hasPrefix($0.rawValue) } }

    /// Whether only playlist cues announce it, so that there is nothing to report.
    package var isCuesOnly: Bool { ads.isEmpty && source == AdBreak.Source.marker.rawValue }

    /// Whether what was listed for it has no ad at all, and so no length: an asset list that is empty.
    package var isEmpty: Bool { ads.isEmpty && !isCuesOnly && announcedDuration == .zero }
}

package struct AdView: Sendable, Equatable, Identifiable {
    package var id: String
    package var name: String
    /// Label within its break: `A1`, `A2`, …
    package var label: String
    package var start: UnixTime
    package var duration: Duration
    package var isOnAir: Bool
    package var hasVanished: Bool
    /// Landing page; shown and never requested.
    package var clickThrough: String?
    package var events: [EventView]
    /// All other metadata of the ad as `name: value` lines for the detail pane (companions, icons, verifications,
    /// unknown fields).
    package var extras: [ExtraView]
    /// How it was found and what it plays; nil when only its events are known.
    package var creative: CreativeView?

    /// The length by its last event that time triggers, at least what is stitched so far: an ad on air may still grow.
    package var announcedDuration: Duration {
        guard let last = events.lazy.filter({ !$0.isUserTriggered }).map(\.start).max() else { return duration }
        return max(duration, last - start)
    }
}

package struct ExtraView: Sendable, Equatable {
    package var name: String
    package var value: String
}

package struct EventView: Sendable, Equatable, Identifiable {
    package var id: String
    /// The event's name in metadata.
    package var event: String
    package var start: UnixTime
    package var duration: Duration
    package var state: ReportingState
    /// Why it is `skipped`, `observed` or still idle.
    package var reason: SkipReason?
    /// True for mute, pause and the like: reported on the user's action, not by time.
    package var isUserTriggered: Bool
    package var urls: [URLView]
    /// Whether it is older than everything that was played: the session joined after it.
    package var isBeforeJoin = false

    /// Why it is not sent, only observed, or still idle, in words; nil without a reason.
    package var reasonWords: ReasonWord? {
        // What the service reports is its own, whenever a viewer joins.
        if isBeforeJoin, reason != .serverBeaconed { return .beforeJoin }
        return reason?.words ?? (state == .unknown ? .unknownOutcome : nil)
    }
}

package struct URLView: Sendable, Equatable, Identifiable {
    package var id: String
    package var url: String
    package var state: DeliveryState
    package var reason: SkipReason?
    /// The URL with its macros filled, once claimed; nil when it has none to fill.
    package var requested: String?
    package var attempts: [AttemptView]
    package var retryAt: Moment?
    /// Time between the due time and the first attempt, real or hypothetical: positive when late.
    package var late: Duration?
}

/// One attempt at one URL.
package struct AttemptView: Sendable, Equatable {
    package var at: Moment
    /// Nil while in flight.
    package var exchange: BeaconAnswer?
}

/// Events by state, and totals of the session.
package struct Counters: Sendable, Equatable {
    package var events: [ReportingState: Int] = [:]
    package var beaconsSent = 0
    package var beaconsAcknowledged = 0
    /// Rejected by status, or not answered and not received either.
    package var beaconsFailed = 0
    /// Sent, and not known to have arrived.
    package var beaconsUnknown = 0
    /// The same of an earlier process: those that are in the list and were not sent again.
    package var earlierUnknown = 0
    package var retries = 0
    /// Those of the sent ones that were of ad spaces, and those that were pings.
    package var adSpaceBeacons = 0
    package var pings = 0
    /// Pings that are due and not sent: at most the newest one.
    package var unsentPings = 0
    package var late = 0
    /// Breaks that the playhead has reached or joined.
    package var breaksOnAir = 0
    package var metadataPolls = 0
    package var playlistReloads = 0
    /// Number of requests for tags and wrappers.
    package var adRequests = 0
    /// HTTP answers to beacons by class: 2xx, 3xx (as last answer), 4xx, 5xx.
    package var statusClasses: [Int: Int] = [:]
    package var droppedLogLines = 0

    package init() {}

    /// Counts a beacon that leaves.
    mutating func noteSent(_ owner: ClaimID.Owner) {
        beaconsSent += 1
        switch owner {
        case .adSpace: adSpaceBeacons += 1
        case .ping: pings += 1
        case .stream, .notice: break
        }
    }

    /// A beacon that was counted did not leave after all.
    mutating func noteKept(_ owner: ClaimID.Owner) {
        beaconsSent -= 1
        switch owner {
        case .adSpace: adSpaceBeacons -= 1
        case .ping: pings -= 1
        case .stream, .notice: break
        }
    }

    /// Counts a beacon whose last try ended in that state.
    mutating func noteLost(_ state: DeliveryState) {
        if state == .unknown { beaconsUnknown += 1 } else { beaconsFailed += 1 }
    }

    /// A person asked for another try of a beacon that was counted as lost.
    mutating func noteTakenBack(_ state: DeliveryState) {
        if state == .unknown { beaconsUnknown -= 1 } else { beaconsFailed -= 1 }
    }
}

/// Recent activity for sparklines and latency figures.
package struct ActivityView: Sendable, Equatable {
    /// Beacons sent per second, oldest first, ending with the second of the snapshot; at most 120.
    package var beaconsPerSecond: [Int]
    package var errorsPerSecond: [Int]
    /// Median latency of answered beacons and of those that timed out; nil before the first.
    package var latencyMedian: Duration?
    package var latency95: Duration?
    package var latencyMaximum: Duration?
    /// 95th percentile and failures per host, busiest first, at most 20.
    package var hosts: [HostView]
}

package struct HostView: Sendable, Equatable {
    package var host: String
    package var sent: Int
    package var failed: Int
    /// 95th percentile, time-outs included.
    package var latency95: Duration?
    /// Answered with 2xx.
    package var acknowledged = 0
    /// What answers took, time-outs included.
    package var answers = DelayHistogram()
    /// How late the beacons were that were sent.
    package var lateness = DelayHistogram()
    /// Sent, and not known to have arrived.
    package var unknown = 0
}

package struct LogEntry: Sendable, Equatable {
    /// Number of the line in the session, from 0; stable when old lines are dropped.
    package var number: Int
    package var at: Moment
    package var level: LogLevel
    /// Unredacted; may contain text from outside.
    package var message: String
    /// The user's name of the session, in a log of several; nil in a session's own log.
    package var session: String? = nil
    /// What it is about.
    package var source = LogSource.session
    /// The host of a beacon; nil for other lines.
    package var host: String?

    package init(
        number: Int, at: Moment, level: LogLevel, message: String, session: String? = nil,
        source: LogSource = .session, host: String? = nil
    ) {
        (self.number, self.at, self.level) = (number, at, level)
        (self.message, self.session) = (message, session)
        (self.source, self.host) = (source, host)
    }
}

/// The result of a mute, pause or other user action.
package struct UserReportView: Sendable, Equatable {
    /// Number of the action in the session.
    package var number: Int
    package var action: UserAction
    package var at: Moment
    /// Whether a beacon was sent and acknowledged; nil while in flight.
    package var wasReported: Bool?
    /// One sentence with target and result, e.g. `mute sent for B2/A2 204 37ms` or `mute: no ad on air`.
    package var message: String
    /// Whether something is wrong when nothing was reported; false where no ad asks for a report.
    package var isFailure = true
}
