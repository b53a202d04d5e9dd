/// Events in order of time; events of the same instant in order of insertion.
package struct EventQueue<Event: Sendable>: Sendable {
    private struct Entry: Sendable {
        var at: Duration
        var order: Int
        var event: Event

        func isBefore(_ other: Entry) -> Bool { at == other.at ? order < other.order : at < other.at }
    }

    /// A binary heap.
    private var entries: [Entry] = []
    private var order = 0

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }
    package var count: Int { entries.count }
    /// The instant of the first event.
    package var next: Duration? { entries.first?.at }

    /// Number of waiting events that satisfy `predicate`.
    func count(where predicate: (Event) -> Bool) -> Int { entries.count { predicate($0.event) } }

    package mutating func insert(_ event: Event, at instant: Duration) {
        order += 1
        entries.append(Entry(at: instant, order: order, event: event))
        var child = entries.count - 1
        while child > 0, entries[child].isBefore(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    package mutating func popFirst() -> (at: Duration, event: Event)? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return (first.at, first.event)
    }

    /// Removes and returns all events in order.
    package mutating func removeAll() -> [Event] {
        var events: [Event] = []
        while let next = popFirst() { events.append(next.event) }
        return events
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var first = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].isBefore(entries[first]) {
                first = child
            }
            guard first != parent else { return }
            entries.swapAt(parent, first)
            parent = first
        }
    }
}
