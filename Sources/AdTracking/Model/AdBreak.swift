package import Ports

/// One ad break as one source describes it.
package struct AdBreak: Hashable, Sendable {
    /// Who says that there is a break.
    package enum Source: String, Hashable, Sendable, CaseIterable {
        /// The ad metadata of the session.
        case metadata
        /// Tags of the playlist.
        case marker
        /// An HLS interstitial.
        case interstitial
        /// A VAST or VMAP document.
        case vast
    }

    /// As the source names it; nil when it gives no id (lint L13).
    package var name: String?
    package var start: UnixTime
    /// Stitched so far, see ``Ad/duration``.
    package var duration: Duration
    package var source: Source
    /// The clock that all its times are on.
    package var track: AdTrack
    /// By start.
    package var ads: [Ad]
    /// Members without a field of their own, as they came.
    package var extras: JSONObject

    package init(
        name: String?, start: UnixTime, duration: Duration, source: Source = .metadata,
        track: AdTrack = .primary, ads: [Ad] = [], extras: JSONObject = JSONObject()
    ) {
        self.name = name
        self.start = start
        self.duration = duration
        self.source = source
        self.track = track
        self.ads = ads
        self.extras = extras
    }

    /// End of what is stitched so far.
    package var end: UnixTime { start + duration }

    /// End planned by the last ad's events, at least the stitched end.
    package var plannedEnd: UnixTime { ads.reduce(end) { max($0, $1.plannedEnd) } }
}

/// The window of media time that a metadata document describes.
package struct DataRange: Hashable, Sendable {
    package var start: UnixTime
    /// Not before `start`.
    package var end: UnixTime

    /// Nil when inverted (lint L06).
    package init?(start: UnixTime, end: UnixTime) {
        guard start <= end else { return nil }
        self.start = start
        self.end = end
    }

    package func contains(_ time: UnixTime) -> Bool { start <= time && time < end }
}
