package import Ports

/// One ad of a break as metadata describes it.
package struct Ad: Hashable, Sendable {
    /// The id from metadata; nil when there is none (lint L13). It is part of identities, which journals keep: a NUL would cut it off there, and it
    /// would be another one when it is read again (TRK-16).
    package var name: String? { didSet { name = name?.withoutNUL } }
    package var start: UnixTime
    /// Duration stitched so far; it grows from poll to poll while the ad touches the end of the data range (TRK-5).
    package var duration: Duration
    package var events: [TrackingEvent]
    /// Landing page; it is shown and never requested.
    package var clickThrough: String?
    /// URL to report a click. This program makes no clicks, so it is never requested automatically.
    package var clickTracking: String?
    package var companions: [Companion]
    package var verifications: [Verification]
    package var icons: [Icon]
    /// Members without a field of their own, unchanged: `startDateTime`, `prftStartTime`, unknown ones.
    package var extras: JSONObject
    /// Second on the provider's clock that the playlists turn into the start; nil where the document has dates.
    package var listedStart: ExactDecimal?
    /// What a date range says of it, where metadata and date ranges describe its break; nil where only one of them does.
    package var signaled: SignaledAd?
    /// Whether the viewer joined in its middle and only the media shows its events: those before are not known.
    package var isSeenInPart = false
    /// Why an ad that this program decided on is not played; nil for one that plays, and for all that metadata lists.
    package var notPlayed: AdLoss?

    package init(
        name: String?, start: UnixTime, duration: Duration, events: [TrackingEvent] = [], clickThrough: String? = nil,
        clickTracking: String? = nil, companions: [Companion] = [], verifications: [Verification] = [],
        icons: [Icon] = [], extras: JSONObject = JSONObject()
    ) {
        self.name = name?.withoutNUL
        self.start = start
        self.duration = duration
        self.events = events
        self.clickThrough = clickThrough
        self.clickTracking = clickTracking
        self.companions = companions
        self.verifications = verifications
        self.icons = icons
        self.extras = extras
    }

    /// Whether the ad is part of the stream; others are shown over it, and may overlap (PRV-24).
    package var isLinear: Bool { extras["linear"] != false }
    /// Whether it is filler: it reports nothing, and one is like the other (PRV-35).
    package var isSlate: Bool { extras["slate"] == true }

    /// End of the part stitched so far.
    package var end: UnixTime { start + duration }

    /// End of the full creative: its last timed event, but at least the stitched end (TRK-5). Windows of user events do
    /// not count: some servers give them the break's length.
    package var plannedEnd: UnixTime {
        // By index: a closure would copy each event.
        var latest = end
        for index in events.indices where events[index].eventClass == .time {
            latest = max(latest, events[index].start)
        }
        return latest
    }
}

/// Why an ad is not played.
package struct AdLoss: Hashable, Sendable {
    /// VAST error code (VAST 4.3 section 2.3.6.3), or from 1000 an error code of VMAP 1.0.
    package var code: Int
    /// One clause, for people: nothing is decided by it.
    package var message: String

    package init(code: Int, message: String) {
        self.code = code
        self.message = message
    }

    /// `301: no answer within 5 s`.
    package var text: String { "\(code): \(message)" }
}
