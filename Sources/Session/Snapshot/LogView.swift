/// The session's log, shared between state and snapshots without copies: full chunks never change.
package struct LogView: Sendable, Equatable {
    /// Maximum number of lines in a chunk.
    private static let largestChunk = 256
    private static let smallestChunk = 16

    /// The newest line about something wrong, however long ago: who shows it decides for how long.
    package private(set) var newestProblem: LogEntry?
    private var full: [[LogEntry]] = []
    private var open: [LogEntry] = []
    private var capacity: Int
    private let chunkSize: Int
    /// Number of old lines that were dropped.
    package private(set) var dropped = 0

    /// Keeps at least `capacity` lines; older chunks are dropped as a whole.
    package init(capacity: Int) {
        self.capacity = max(1, capacity)
        chunkSize = min(max(self.capacity / 4, Self.smallestChunk), Self.largestChunk)
    }

    package var count: Int { full.count * chunkSize + open.count }

    /// The entry at `position`, 0 being the oldest one kept; nil outside.
    package subscript(position: Int) -> LogEntry? {
        guard position >= 0, position < count else { return nil }
        let chunk = position / chunkSize
        return chunk < full.count
            ? full[chunk][position % chunkSize] : open[position - full.count * chunkSize]
    }

    package var last: LogEntry? { open.last ?? full.last?.last }

    /// The newest `maximum` entries, oldest first.
    package func suffix(_ maximum: Int) -> [LogEntry] {
        (max(0, count - max(0, maximum))..<count).compactMap { self[$0] }
    }

    package mutating func append(_ entry: LogEntry) {
        if entry.level > .info { newestProblem = entry }
        open.append(entry)
        guard open.count == chunkSize else { return }
        full.append(open)
        open = []
        if (full.count - 1) * chunkSize >= capacity {
            full.removeFirst()
            dropped += chunkSize
        }
    }
}
