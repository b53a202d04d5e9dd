/// The session's log, shared between state and snapshots without copying: full chunks never change again.
package struct LogView: Sendable, Equatable {
    private static let chunkSize = 256

    private var full: [[LogEntry]] = []
    private var open: [LogEntry] = []
    private var capacity: Int
    /// Lines dropped at the old end.
    package private(set) var dropped = 0

    /// Keeps at least `capacity` lines, dropping whole chunks beyond.
    package init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    package var count: Int { full.count * Self.chunkSize + open.count }

    /// The entry at `position`, 0 being the oldest kept; nil outside.
    package subscript(position: Int) -> LogEntry? {
        guard position >= 0, position < count else { return nil }
        let chunk = position / Self.chunkSize
        return chunk < full.count
            ? full[chunk][position % Self.chunkSize] : open[position - full.count * Self.chunkSize]
    }

    package var last: LogEntry? { open.last ?? full.last?.last }

    /// The newest `maximum` entries, oldest first.
    package func suffix(_ maximum: Int) -> [LogEntry] {
        (max(0, count - max(0, maximum))..<count).compactMap { self[$0] }
    }

    package mutating func append(_ entry: LogEntry) {
        open.append(entry)
        guard open.count == Self.chunkSize else { return }
        full.append(open)
        open = []
        if (full.count - 1) * Self.chunkSize >= capacity {
            full.removeFirst()
            dropped += Self.chunkSize
        }
    }
}
