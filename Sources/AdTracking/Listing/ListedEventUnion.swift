import Ports

/// The events of an ad or break over the answers that list it (PRV-9).
///
/// Services put tokens into URLs, and each answer may have new ones: without a limit the union of a long session's answers would grow until
/// its break is forgotten. What the newest answer lists is kept before all else.
struct ListedEventUnion {
    private struct Address: Hashable {
        var name: String
        var url: String
    }

    private var events: [ListedEvent]
    private let length: ExactDecimal?
    /// Offset of each event in an owner of that length.
    private var offsets: [ExactDecimal?]
    /// The events of each name.
    private var named: [String: [Int]] = [:]
    /// The first event with that name and URL; made when an event is looked for that moved.
    private var addressed: [Address: Int]?
    /// The URLs of the events that got some.
    private var known: [Int: Set<String>] = [:]
    /// The URLs that the newest answer lists, of each event that it lists.
    private var listed: [Int: Set<String>] = [:]

    init(_ events: [ListedEvent], inLength length: ExactDecimal?) {
        (self.events, self.length) = (events, length)
        offsets = events.map { $0.offset(inLength: length) }
        for (index, event) in events.enumerated() { named[event.name, default: []].append(index) }
    }

    /// Adds the events of a newer answer: the same event gets the union of the URLs, one that shares a URL moved.
    mutating func add(_ newer: [ListedEvent]) {
        for event in newer {
            if let index = indexOfSame(as: event) ?? indexOfMoved(event) {
                merge(event, into: index)
            } else {
                append(event)
            }
        }
    }

    private func indexOfSame(as event: ListedEvent) -> Int? {
        guard let candidates = named[event.name] else { return nil }
        guard let offset = event.offset(inLength: length) else { return candidates.first { offsets[$0] == nil } }
        return candidates.first { offsets[$0].map { $0.distance(to: offset) <= .sameOffset } ?? false }
    }

    private mutating func indexOfMoved(_ event: ListedEvent) -> Int? {
        guard named[event.name] != nil else { return nil }
        if addressed == nil {
            addressed = [:]
            for (index, event) in events.enumerated() { note(event.urls, of: index) }
        }
        let places = addressed ?? [:]
        return event.urls.lazy.compactMap { places[Address(name: event.name, url: $0)] }.min()
    }

    private mutating func append(_ event: ListedEvent) {
        let index = events.count
        events.append(event)
        offsets.append(event.offset(inLength: length))
        named[event.name, default: []].append(index)
        listed[index] = Set(event.urls)
        note(event.urls, of: index)
    }

    private mutating func merge(_ event: ListedEvent, into index: Int) {
        listed[index, default: []].formUnion(event.urls)
        var urls = known.removeValue(forKey: index) ?? Set(events[index].urls)
        let new = event.urls.filter { !urls.contains($0) }
        urls.formUnion(new)
        known[index] = urls
        events[index].urls += new
        note(new, of: index)
        events[index].statedOffset = event.statedOffset ?? events[index].statedOffset
        events[index].window = event.window ?? events[index].window
        events[index].isReportedByService = event.isReportedByService
        offsets[index] = events[index].offset(inLength: length)
    }

    private mutating func note(_ urls: [String], of index: Int) {
        guard addressed != nil else { return }
        let name = events[index].name
        for url in urls {
            let address = Address(name: name, url: url)
            let first = addressed?[address] ?? index
            addressed?[address] = min(first, index)
        }
    }

    // MARK: Limits

    /// The events in order. Beyond a limit the oldest that the newest answer does not list are gone.
    var kept: [ListedEvent] {
        var excess = events.count - ListedAnswer.eventsPerAd
        var kept: [ListedEvent] = []
        for (index, event) in events.enumerated() {
            if excess > 0, listed[index] == nil {
                excess -= 1
            } else {
                kept.append(Self.limited(event, listed: listed[index] ?? []))
            }
        }
        return Array(kept.prefix(ListedAnswer.eventsPerAd))
    }

    private static func limited(_ event: ListedEvent, listed: Set<String>) -> ListedEvent {
        var excess = event.urls.count - DecodedMetadata.urlsPerEvent
        guard excess > 0 else { return event }
        var event = event
        event.urls.removeAll { url in
            guard excess > 0, !listed.contains(url) else { return false }
            excess -= 1
            return true
        }
        event.urls = Array(event.urls.prefix(DecodedMetadata.urlsPerEvent))
        return event
    }
}

extension Array where Element == ListedEvent {
    /// Adds the events of a newer answer (PRV-9), within ``ListedAnswer/eventsPerAd`` and ``DecodedMetadata/urlsPerEvent``.
    mutating func add(_ newer: [ListedEvent], inLength length: ExactDecimal?) {
        guard !newer.isEmpty else { return }
        var union = ListedEventUnion(self, inLength: length)
        union.add(newer)
        self = union.kept
    }
}
