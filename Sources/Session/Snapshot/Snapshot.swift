package import CreativeCache
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
