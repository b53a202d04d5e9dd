import HeapModule

/// Events in order of time; events of the same instant in order of insertion.
package struct EventQueue<Event: Sendable>: Sendable {
    private struct Entry: Comparable, Sendable {
        var at: Duration
        var order: Int
        var event: Event

        static func == (one: Entry, other: Entry) -> Bool { one.order == other.order }
        static func < (one: Entry, other: Entry) -> Bool { (one.at, one.order) < (other.at, other.order) }
    }

    private var entries = Heap<Entry>()
    private var order = 0

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }
    package var count: Int { entries.count }
    /// The instant of the first event.
    package var next: Duration? { entries.min?.at }

    /// Number of waiting events that satisfy `predicate`.
    func count(where predicate: (Event) -> Bool) -> Int { entries.unordered.count { predicate($0.event) } }

    package mutating func insert(_ event: Event, at instant: Duration) {
        order += 1
        entries.insert(Entry(at: instant, order: order, event: event))
    }

    package mutating func popFirst() -> (at: Duration, event: Event)? {
        entries.popMin().map { ($0.at, $0.event) }
    }

    /// Removes and returns all events in order.
    package mutating func removeAll() -> [Event] {
        var events: [Event] = []
        while let next = popFirst() { events.append(next.event) }
        return events
    }
}
