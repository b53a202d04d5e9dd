import Ports

/// The events of an ad that is past, as bytes: as values they would take ten times as much memory, and a session keeps thousands.
final class PackedEvents: Hashable, Sendable {
    let count: Int
    /// Start of the last listed one that time triggers.
    let latestStart: UnixTime?
    private let owner: EventKey.Owner
    /// The first URL: those of an ad differ in few characters.
    private let url: String
    private let bytes: [UInt8]
    /// What hardly any event has: for each of them, or empty.
    private let extras: [JSONObject]

    /// Nil where they have nothing in common, or have values for macros.
    /// - Parameter listed: the events that the newest description of the ad has.
    init?(_ events: [KnownEvent], listed: [TrackingEvent]) {
        guard let owner = events.first?.key.owner, Self.listed(of: events) == listed,
            events.allSatisfy({ $0.key.owner == owner && $0.event.macros == nil })
        else { return nil }
        let url = events.lazy.compactMap(\.event.urls.first).first ?? ""
        var writer = PackedWriter()
        for event in events { writer.write(event.id.number) }
        for event in events { event.write(to: &writer, of: owner, like: url) }
        (count, self.owner, self.url, bytes) = (events.count, owner, url, writer.bytes)
        latestStart = listed.lazy.filter { $0.eventClass == .time }.map(\.start).max()
        let all = events.map(\.event.extras)
        extras = all.allSatisfy(\.members.isEmpty) ? [] : all
    }

    var ids: [EventID] {
        var reader = PackedReader(bytes)
        return ids(&reader)
    }

    var events: [KnownEvent] {
        var reader = PackedReader(bytes)
        var events = ids(&reader).map { KnownEvent($0, &reader, of: owner, like: url) }
        for (index, extras) in extras.enumerated() { events[index].event.extras = extras }
        return events
    }

    /// Those that the newest description of the ad has.
    var listed: [TrackingEvent] { Self.listed(of: events) }

    private func ids(_ reader: inout PackedReader) -> [EventID] { (0..<count).map { _ in EventID(reader.int()) } }

    private static func listed(of events: [KnownEvent]) -> [TrackingEvent] {
        events.lazy.filter { $0.presence == .present }.map(\.event)
    }

    static func == (left: PackedEvents, right: PackedEvents) -> Bool {
        left === right
            || left.bytes == right.bytes && left.url == right.url && left.owner == right.owner
                && left.extras == right.extras
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension KnownEvent {
    fileprivate func write(to writer: inout PackedWriter, of owner: EventKey.Owner, like url: String) {
        writer.write(case: presence)
        event.write(to: &writer, since: owner.adStart, like: url)
        writer.write(key.type, usual: event.identityName)
        writer.write(key.start, since: event.start)
    }

    fileprivate init(_ id: EventID, _ reader: inout PackedReader, of owner: EventKey.Owner, like url: String) {
        (self.id, presence) = (id, reader.value())
        event = TrackingEvent(&reader, since: owner.adStart, like: url)
        let name = reader.text(usual: event.identityName) ?? ""
        key = EventKey(of: owner, type: name, start: reader.time(since: event.start))
    }
}
