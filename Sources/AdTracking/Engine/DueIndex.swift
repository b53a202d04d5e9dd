import Algorithms
package import Ports

/// Events ordered by time, so that the cost of a tick does not depend on the number of events.
///
/// A sorted array and two binary searches; it is rebuilt only when metadata changes. Whether an event that it returns
/// may be sent is decided elsewhere.
package struct DueIndex: Sendable {
    private struct Entry: Sendable {
        var start: UnixTime
        var end: UnixTime
        var event: EventID
        /// The latest end of this entry and all before it: a search for open spans stops there.
        var latestEnd: UnixTime
    }

    private var entries: [Entry] = []

    package init() {}

    package var count: Int { entries.count }

    /// Replaces the entries of `changed` events by `events`; changed events missing from `events` are removed.
    package mutating func update(
        _ changed: [EventID], with events: [(event: EventID, start: UnixTime, end: UnixTime)]
    ) {
        guard !changed.isEmpty || !events.isEmpty else { return }
        if !entries.isEmpty {
            let changed = Set(changed)
            entries.removeAll { changed.contains($0.event) }
        }
        entries += events.map { Entry(start: $0.start, end: $0.end, event: $0.event, latestEnd: $0.end) }
        entries.sort { ($0.start, $0.event) < ($1.start, $1.event) }
        for index in entries.indices.dropFirst() {
            entries[index].latestEnd = max(entries[index].end, entries[index - 1].latestEnd)
        }
        if let first = entries.indices.first { entries[first].latestEnd = entries[first].end }
    }

    /// Events that start after `from` and not after `through`, in order.
    package func starting(after from: UnixTime, through: UnixTime) -> [EventID] {
        var found: [EventID] = []
        var index = entries.partitioningIndex { $0.start > from }
        while index < entries.count, entries[index].start <= through {
            found.append(entries[index].event)
            index += 1
        }
        return found
    }

    /// Spans that began before `time` and last beyond it, in order.
    package func open(at time: UnixTime) -> [EventID] {
        var found: [EventID] = []
        var index = entries.partitioningIndex { $0.start >= time }
        while index > 0, entries[index - 1].latestEnd > time {
            index -= 1
            if entries[index].end > time { found.append(entries[index].event) }
        }
        return found.reversed()
    }

    /// Events that may be due where playback begins at `from`: open spans, and events that start up to one tick before it or up to
    /// `through`.
    package func touched(from: UnixTime, through: UnixTime, tick: Duration) -> [EventID] {
        open(at: from) + starting(after: from - tick - .microseconds(1), through: through)
    }

    /// The first start after `time`.
    package func nextStart(after time: UnixTime) -> UnixTime? {
        let index = entries.partitioningIndex { $0.start > time }
        return index < entries.count ? entries[index].start : nil
    }
}
