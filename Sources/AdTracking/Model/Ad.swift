package import Ports

/// One ad of a break as metadata describes it.
package struct Ad: Hashable, Sendable {
    /// The id from metadata; nil when there is none (lint L13).
    package var name: String?
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

    /// End of the part stitched so far.
    package var end: UnixTime { start + duration }

    /// End of the full creative: its last timed event, but at least the stitched end (TRK-5). Windows of user events do
    /// not count: some servers give them the break's length.
    package var plannedEnd: UnixTime {
        events.reduce(end) { $1.eventClass == .time ? max($0, $1.start) : $0 }
    }
}
