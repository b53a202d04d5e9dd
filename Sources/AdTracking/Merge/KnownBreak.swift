package import Ports

/// Whether the newest document lists a node (TRK-17).
package enum Presence: Hashable, Sendable, CaseIterable {
    case present
    /// Absent because the document's window does not cover it, or because the page lists only what is not finished; this is no
    /// fault.
    case outsideRange
    /// Absent although the window covers it: a tombstone. Its events are not sent unless it returns.
    case vanished
}

/// A break with a stable identity, kept until metadata no longer lists it and retention ends.
package struct KnownBreak: Hashable, Sendable, Identifiable {
    package var id: BreakID
    /// The name given when the break first appeared.
    package var name: NodeName
    package var start: UnixTime
    package var duration: Duration
    package var source: AdBreak.Source
    /// The clock of all its times.
    package var track: AdTrack
    package var presence: Presence
    package var extras: JSONObject
    /// See ``AdBreak/listedStart``.
    package var listedStart: ExactDecimal?
    /// Ordered by start; tombstones included.
    package var ads: [KnownAd]

    package var end: UnixTime { start + duration }
    package var plannedEnd: UnixTime { ads.reduce(end) { $1.presence == .vanished ? $0 : max($0, $1.plannedEnd) } }
    /// The ads that metadata lists now, as in the reference library's lists.
    package var presentAds: [KnownAd] { ads.filter { $0.presence != .vanished } }
}

/// A tracking event with a stable identity; the state of its URLs is in the ``Ledger`` under `id`.
package struct KnownEvent: Hashable, Sendable, Identifiable {
    package var id: EventID
    package var key: EventKey
    package var presence: Presence
    package var event: TrackingEvent
}
