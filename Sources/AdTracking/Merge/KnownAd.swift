package import Ports

/// An ad with a stable identity.
package struct KnownAd: Hashable, Sendable, Identifiable {
    package var id: AdID
    package var name: NodeName
    /// Start when the ad first appeared, part of the identity of its events.
    package var firstStart: UnixTime
    package var presence: Presence
    /// The newest description in metadata, without its events once they are packed. For what else it says this costs less than ``ad``.
    package private(set) var details: Ad
    /// Empty once they are packed.
    private var openEvents: [KnownEvent]
    /// The events of an ad that is past.
    private var packed: PackedEvents?

    init(
        id: AdID, name: NodeName, firstStart: UnixTime, presence: Presence, ad: Ad, events: [KnownEvent]
    ) {
        (self.id, self.name, self.firstStart, self.presence) = (id, name, firstStart, presence)
        (details, openEvents) = (ad, events)
    }

    /// Whether the newest document lists it and its break.
    func isListed(in adBreak: KnownBreak) -> Bool { presence == .present && adBreak.presence == .present }

    package var start: UnixTime { details.start }
    package var end: UnixTime { details.end }
    package var plannedEnd: UnixTime {
        packed.map { max(details.end, $0.latestStart ?? details.end) } ?? details.plannedEnd
    }
}

extension KnownAd {
    /// The newest description in metadata.
    package var ad: Ad {
        get {
            guard let packed else { return details }
            var ad = details
            ad.events = packed.listed
            return ad
        }
        set {
            unpack()
            details = newValue
        }
    }

    /// Events in the order of metadata, tombstones last.
    package var events: [KnownEvent] {
        get { packed?.events ?? openEvents }
        set {
            unpack()
            openEvents = newValue
        }
    }

    /// The identities of its events, in the same order; this costs less than the events.
    package var eventIDs: [EventID] { packed?.ids ?? openEvents.map(\.id) }
    package var eventCount: Int { packed?.count ?? openEvents.count }

    /// Keeps its events as bytes until one is changed. Of two ads that are else equal the packed one is another one.
    mutating func pack() {
        guard packed == nil, let packed = PackedEvents(openEvents, listed: details.events) else { return }
        (self.packed, openEvents, details.events) = (packed, [], [])
    }

    mutating func unpack() {
        guard let packed else { return }
        (openEvents, details.events, self.packed) = (packed.events, packed.listed, nil)
    }
}
