package import Ports

/// The creative cache as a value: entries, lifetimes, byte limits and eviction, in a memory tier and a disk tier
/// (CACHE-1).
///
/// With a disk tier every creative is written to it, and memory contains the most recently used ones. The store only
/// plans disk operations (``takeChanges()``); the caller performs them and reports failures.
package struct CreativeStore: Sendable {
    private typealias Position = RecencyList<CreativeID>.Position

    private struct Entry: Sendable {
        var record: CreativeRecord
        var content: CachedCreative.Content?
        var memoryPosition: Position?
        var diskPosition: Position?

        /// Its current state, and its positions in the tiers. Counts as a use when its bytes are in memory.
        mutating func use(at now: UnixTime) -> (CreativeLookup, memory: Position?, disk: Position?) {
            guard record.isValid(at: now) else { return (.missing, nil, nil) }
            guard let content else { return (.onDisk(record), nil, nil) }
            record.hits += 1
            record.lastUsed = now
            return (.found(record, content), memoryPosition, diskPosition)
        }
    }

    /// The bytes of one tier and its eviction order.
    private struct Tier: Sendable {
        var limit: Int
        var bytes = 0
        var order = RecencyList<CreativeID>()
    }

    package let limits: StoreLimits
    package private(set) var counters = StoreCounters()
    private var entries: [CreativeID: Entry] = [:]
    private var memory: Tier
    private var disk: Tier?
    private var changes: [StoreChange] = []
    /// A lower bound of the expiry of all entries.
    private var earliestExpiry: UnixTime?

    package init(limits: StoreLimits = StoreLimits()) {
        self.limits = limits
        memory = Tier(limit: limits.memoryBytes)
        disk = limits.diskBytes.map { Tier(limit: $0) }
    }

    package var count: Int { entries.count }
    package var memoryBytes: Int { memory.bytes }
    package var diskBytes: Int { disk?.bytes ?? 0 }

    // MARK: Putting

    /// Stores a creative. A `life` of nil or zero is the default; unless `replacing`, a valid creative with the same id
    /// is kept.
    @discardableResult
    package mutating func put(
        _ creative: CachedCreative, life: Duration? = nil, replacing: Bool = true, at now: UnixTime
    ) -> PutOutcome {
        let bytes = creative.content.byteCount
        if let life, life < .zero { return refuse(.negativeLife) }
        guard bytes <= entryLimit else { return refuse(.tooLarge(bytes: bytes, limit: entryLimit)) }
        if let old = entries[creative.id] {
            if !replacing, old.record.isValid(at: now) { return .exists }
            drop(creative.id)
        }
        let record = CreativeRecord(creative, storedAt: now, expiresAt: now + actualLife(life))
        counters.stored += 1
        var evicted: [CreativeID] = []
        insert(Entry(record: record), content: creative.content, isOnDisk: false, at: now, evicted: &evicted)
        return .stored(evicted: evicted)
    }

    /// Adds a creative that the disk tier found at the start, least recently used first. False for one that is expired,
    /// dated in the future, too large or already known: its file must be deleted.
    package mutating func restore(_ record: CreativeRecord, at now: UnixTime) -> Bool {
        guard disk != nil, record.isValid(at: now), record.storedAt <= now + StoreLimits.clockTolerance,
            record.expiresAt <= record.storedAt + limits.maximumLife, record.byteCount <= entryLimit,
            entries[record.id] == nil
        else { return false }
        var evicted: [CreativeID] = []
        insert(Entry(record: record), content: nil, isOnDisk: true, at: now, evicted: &evicted)
        return true
    }

    /// Makes a creative valid for `life` from now. False when it does not exist.
    package mutating func extend(_ id: CreativeID, life: Duration? = nil, at now: UnixTime) -> Bool {
        guard var entry = entries[id], entry.record.isValid(at: now) else { return false }
        // A lifetime starts when it is set, so the storing time moves as well.
        entry.record.storedAt = now
        entry.record.expiresAt = now + actualLife(life)
        note(expiry: entry.record.expiresAt)
        entries[id] = entry
        if entry.diskPosition != nil { changes.append(.write(id)) }
        return true
    }

    // MARK: Reading

    /// Returns the valid creative with an id; counts as a use.
    package mutating func get(_ id: CreativeID, at now: UnixTime) -> CreativeLookup {
        guard let place = entries.index(forKey: id) else {
            counters.misses += 1
            return .missing
        }
        // In place, because copying the entry touches everything it refers to, which is most of the cost of a lookup.
        let (lookup, memoryPosition, diskPosition) = entries.values[place].use(at: now)
        switch lookup {
        case .found:
            counters.hits += 1
            if let memoryPosition { memory.order.use(memoryPosition) }
            if let diskPosition { disk?.order.use(diskPosition) }
        case .onDisk: break
        case .missing:
            counters.misses += 1
            expire(id)
        }
        return lookup
    }

    /// Records that the bytes of a creative were read from disk.
    package mutating func loaded(_ content: CachedCreative.Content, for id: CreativeID, at now: UnixTime) {
        guard let entry = entries[id], entry.content == nil else { return }
        var evicted: [CreativeID] = []
        hold(content, for: id, at: now, evicted: &evicted)
    }

    /// The record of a creative, without counting as a use.
    package func record(_ id: CreativeID) -> CreativeRecord? { entries[id]?.record }

    /// The bytes of a creative if they are in memory, without counting as a use.
    package func content(_ id: CreativeID) -> CachedCreative.Content? { entries[id]?.content }

    /// The ids in the disk tier, including those about to be written.
    package var idsOnDisk: [CreativeID] { entries.filter { $0.value.diskPosition != nil }.map(\.key) }

    /// All valid creatives, newest first.
    package func records(at now: UnixTime) -> [CreativeRecord] {
        entries.values.map(\.record).filter { $0.isValid(at: now) }
            .sorted { ($1.storedAt, $0.id.text) < ($0.storedAt, $1.id.text) }
    }

    // MARK: Leaving

    /// Removes a creative; false when it does not exist.
    @discardableResult
    package mutating func remove(_ id: CreativeID) -> Bool {
        guard entries[id] != nil else { return false }
        drop(id)
        return true
    }

    /// Removes all creatives and returns their number.
    @discardableResult
    package mutating func removeAll() -> Int {
        let ids = Array(entries.keys)
        ids.forEach { drop($0) }
        return ids.count
    }

    /// Removes a creative whose file another program deleted or replaced: no disk operation is planned.
    package mutating func forget(_ id: CreativeID) {
        leaveMemory(id)
        leaveDisk(id)
        entries[id] = nil
    }

    /// Records that the file of a creative is missing or damaged; a creative that was only on disk is removed.
    package mutating func lost(_ id: CreativeID) {
        leaveDisk(id)
        forgetIfNowhere(id)
    }

    /// Removes expired creatives.
    package mutating func sweep(at now: UnixTime) {
        guard let earliestExpiry, earliestExpiry <= now else { return }
        for (id, entry) in entries where !entry.record.isValid(at: now) { expire(id) }
        self.earliestExpiry = entries.values.lazy.map(\.record.expiresAt).min()
    }

    /// Returns the disk operations since the last call.
    package mutating func takeChanges() -> [StoreChange] {
        defer { changes.removeAll() }
        return changes
    }
}

// MARK: - Tiers

extension CreativeStore {
    /// The most bytes of one creative: its own limit, and those of the tiers that must store it.
    private var entryLimit: Int { min(limits.entryBytes, memory.limit, disk?.limit ?? .max) }

    private func actualLife(_ life: Duration?) -> Duration {
        guard let life, life > .zero else { return min(limits.defaultLife, limits.maximumLife) }
        return min(life, limits.maximumLife)
    }

    private mutating func refuse(_ outcome: PutOutcome) -> PutOutcome {
        counters.refused += 1
        return outcome
    }

    private mutating func insert(
        _ entry: Entry, content: CachedCreative.Content?, isOnDisk: Bool, at now: UnixTime, evicted: inout [CreativeID]
    ) {
        let id = entry.record.id
        makePlace(at: now, evicted: &evicted)
        note(expiry: entry.record.expiresAt)
        if let limit = disk?.limit {
            let bytes = entry.record.byteCount
            sweepIfFull(diskBytes + bytes > limit, at: now)
            while diskBytes + bytes > limit, let oldest = disk?.order.leastRecent {
                leaveDisk(oldest, deleting: true)
                forgetIfNowhere(oldest, evicted: &evicted)
            }
            entries[id] = entry
            entries[id]?.diskPosition = disk?.order.append(id)
            disk?.bytes += bytes
            if !isOnDisk { changes.append(.write(id)) }
        } else {
            entries[id] = entry
        }
        if let content { hold(content, for: id, at: now, evicted: &evicted) }
    }

    private mutating func hold(
        _ content: CachedCreative.Content, for id: CreativeID, at now: UnixTime, evicted: inout [CreativeID]
    ) {
        let bytes = content.byteCount
        sweepIfFull(memory.bytes + bytes > memory.limit, at: now)
        while memory.bytes + bytes > memory.limit, let oldest = memory.order.leastRecent {
            leaveMemory(oldest)
            forgetIfNowhere(oldest, evicted: &evicted)
        }
        guard entries[id] != nil else { return }
        entries[id]?.content = content
        entries[id]?.memoryPosition = memory.order.append(id)
        memory.bytes += bytes
    }

    /// Makes room for one more entry.
    private mutating func makePlace(at now: UnixTime, evicted: inout [CreativeID]) {
        sweepIfFull(entries.count >= limits.entries, at: now)
        while entries.count >= limits.entries, let oldest = disk?.order.leastRecent ?? memory.order.leastRecent {
            leaveMemory(oldest)
            leaveDisk(oldest, deleting: true)
            forgetIfNowhere(oldest, evicted: &evicted)
        }
    }

    /// Expired creatives are removed before any valid one.
    private mutating func sweepIfFull(_ isFull: Bool, at now: UnixTime) {
        if isFull { sweep(at: now) }
    }

    private mutating func note(expiry: UnixTime) {
        earliestExpiry = earliestExpiry.map { min($0, expiry) } ?? expiry
    }

    private mutating func expire(_ id: CreativeID) {
        counters.expired += 1
        drop(id)
    }

    private mutating func drop(_ id: CreativeID) {
        leaveMemory(id)
        leaveDisk(id, deleting: true)
        entries[id] = nil
    }

    private mutating func leaveMemory(_ id: CreativeID) {
        guard let entry = entries[id], let position = entry.memoryPosition, let content = entry.content else { return }
        memory.order.remove(position)
        memory.bytes -= content.byteCount
        entries[id]?.memoryPosition = nil
        entries[id]?.content = nil
    }

    private mutating func leaveDisk(_ id: CreativeID, deleting: Bool = false) {
        guard let entry = entries[id], let position = entry.diskPosition else { return }
        disk?.order.remove(position)
        disk?.bytes -= entry.record.byteCount
        entries[id]?.diskPosition = nil
        if deleting { changes.append(.delete(id)) }
    }

    private mutating func forgetIfNowhere(_ id: CreativeID) {
        var evicted: [CreativeID] = []
        forgetIfNowhere(id, evicted: &evicted)
    }

    private mutating func forgetIfNowhere(_ id: CreativeID, evicted: inout [CreativeID]) {
        guard let entry = entries[id], entry.memoryPosition == nil, entry.diskPosition == nil else { return }
        entries[id] = nil
        counters.evicted += 1
        evicted.append(id)
    }
}
