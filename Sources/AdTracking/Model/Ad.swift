package import Ports

/// One ad of a break as metadata describes it.
package struct Ad: Hashable, Sendable {
    /// As metadata names it; nil when it gives no id (lint L13).
    package var name: String?
    package var start: UnixTime
    /// Stitched so far: it grows from poll to poll while the ad touches the end of the data range (TRK-5).
    package var duration: Duration
    package var events: [TrackingEvent]
    /// Landing page; shown, never requested.
    package var clickThrough: String?
    /// Reported on a click, so never by this program by itself.
    package var clickTracking: String?
    package var companions: [Companion]
    package var verifications: [Verification]
    package var icons: [Icon]
    /// Members without a field of their own, as they came: `startDateTime`, `prftStartTime`, unknown ones.
    package var extras: JSONObject

    package init(
        name: String?, start: UnixTime, duration: Duration, events: [TrackingEvent] = [], clickThrough: String? = nil,
        clickTracking: String? = nil, companions: [Companion] = [], verifications: [Verification] = [],
        icons: [Icon] = [], extras: JSONObject = JSONObject()
    ) {
        self.name = name
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

    /// End of what is stitched so far.
    package var end: UnixTime { start + duration }

    /// Where the full creative ends: its last timed moment, at least the stitched end (TRK-5).
    /// Windows of user events are no evidence: some servers give them the break's length.
    package var plannedEnd: UnixTime {
        events.reduce(end) { $1.eventClass == .time ? max($0, $1.start) : $0 }
    }
}
