package import Ports

/// One ad break as one source describes it.
package struct AdBreak: Hashable, Sendable {
    /// The kind of document that describes the break.
    package enum Source: String, Hashable, Sendable, CaseIterable {
        /// The ad metadata of the session.
        case metadata
        /// Tags of the playlist.
        case marker
        /// An HLS interstitial.
        case interstitial
        /// Ad creative signaling in date ranges of a stitched stream.
        case signaling
        /// A VAST or VMAP document.
        case vast
    }

    /// The id from the source; nil when there is none (lint L13). It is part of identities, which journals keep: a NUL would cut it off there, and it
    /// would be another one when it is read again (TRK-16).
    package var name: String? { didSet { name = name?.withoutNUL } }
    package var start: UnixTime
    /// Duration stitched so far; see ``Ad/duration``.
    package var duration: Duration
    package var source: Source
    /// The clock of all its times.
    package var track: AdTrack
    /// Ads ordered by start.
    package var ads: [Ad]
    /// Members without a field of their own, unchanged.
    package var extras: JSONObject
    /// As for ads, see ``Ad/listedStart``.
    package var listedStart: ExactDecimal?

    package init(
        name: String?, start: UnixTime, duration: Duration, source: Source = .metadata,
        track: AdTrack = .primary, ads: [Ad] = [], extras: JSONObject = JSONObject()
    ) {
        self.name = name?.withoutNUL
        self.start = start
        self.duration = duration
        self.source = source
        self.track = track
        self.ads = ads
        self.extras = extras
    }

    /// End of the part stitched so far.
    package var end: UnixTime { start + duration }

    /// End planned by the ads' events, but at least the stitched end.
    package var plannedEnd: UnixTime { ads.reduce(end) { max($0, $1.plannedEnd) } }
}

/// The window of media time that a metadata document describes.
package struct DataRange: Hashable, Sendable {
    package var start: UnixTime
    /// End of the range, after `start` or equal to it.
    package var end: UnixTime

    /// Nil when the end precedes the start (lint L06).
    package init?(start: UnixTime, end: UnixTime) {
        guard start <= end else { return nil }
        self.start = start
        self.end = end
    }

    package func contains(_ time: UnixTime) -> Bool { start <= time && time < end }

    /// Whether a part of what lasts from `first` to `last` is in the range.
    package func overlaps(from first: UnixTime, to last: UnixTime) -> Bool { start < last && first < end }

    /// Whether an ad that ends at `time` may still grow, because it reaches the end of the range (TRK-5). Starts that
    /// shake by less than the slack of all references (TRK-8) do not end it.
    package func isReached(by time: UnixTime) -> Bool { time + Self.slack >= end }

    private static let slack: Duration = .milliseconds(500)
}
