/// Entries by key, in the order in which their keys came first; the oldest make room.
struct KeyedEntries<Entry: Hashable & Sendable>: Hashable, Sendable {
    private let limit: Int
    private var entries: [String: Entry] = [:]
    private(set) var keys: [String] = []

    init(limit: Int) {
        self.limit = limit
    }

    subscript(key: String) -> Entry? { entries[key] }

    /// Adds an entry; one of the same key is replaced in its place.
    mutating func note(_ entry: Entry, for key: String) {
        if entries.updateValue(entry, forKey: key) == nil { keys.append(key) }
        // Room is made for several at once, so that each costs the same.
        guard keys.count > limit + limit / 4 else { return }
        for oldest in keys.prefix(keys.count - limit) { entries[oldest] = nil }
        keys.removeFirst(keys.count - limit)
    }
}
