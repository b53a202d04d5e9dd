package import Ports

/// Whether the newest document still has a node (TRK-17).
package enum Presence: Hashable, Sendable {
    case present
    /// Absent because the document's window no longer, or not yet, covers it: nothing is wrong.
    case outsideRange
    /// Absent although covered: a tombstone. Its events are held back until it returns.
    case vanished
}

/// A break with its stable identity, kept while metadata has it or retention wants it.
package struct KnownBreak: Hashable, Sendable, Identifiable {
    package var id: BreakID
    /// Name at first sight.
    package var name: NodeName
    package var start: UnixTime
    package var duration: Duration
    package var source: AdBreak.Source
    /// The clock that all its times are on.
    package var track: AdTrack
    package var presence: Presence
    package var extras: JSONObject
    /// By start; tombstones included.
    package var ads: [KnownAd]

    package var end: UnixTime { start + duration }
    package var plannedEnd: UnixTime { ads.reduce(end) { $1.presence == .vanished ? $0 : max($0, $1.plannedEnd) } }
    /// What metadata lists now, as the reference library's lists show it.
    package var presentAds: [KnownAd] { ads.filter { $0.presence != .vanished } }
}

/// An ad with its stable identity.
package struct KnownAd: Hashable, Sendable, Identifiable {
    package var id: AdID
    package var name: NodeName
    /// Start at first sight, part of the identity of its events.
    package var firstStart: UnixTime
    package var presence: Presence
    /// The newest description.
    package var ad: Ad
    /// In the order of metadata, tombstones last.
    package var events: [KnownEvent]

    package var start: UnixTime { ad.start }
    package var end: UnixTime { ad.end }
    package var plannedEnd: UnixTime { ad.plannedEnd }
}

/// A tracking event with its stable identity; what became of its URLs is in the ``Ledger`` under `id`.
package struct KnownEvent: Hashable, Sendable, Identifiable {
    package var id: EventID
    package var key: EventKey
    /// `present` or `vanished`.
    package var presence: Presence
    package var event: TrackingEvent
}
