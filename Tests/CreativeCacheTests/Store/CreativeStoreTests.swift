import CreativeCache
import Ports
import Testing

@Suite struct CreativeStoreTests {
    private static let start = UnixTime(milliseconds: 1_800_000_000_000)

    private static func creative(_ id: String, bytes: Int = 10) throws -> CachedCreative {
        CachedCreative(
            id: try #require(CreativeID(id)), kind: .banner,
            content: CachedCreative.Content(body: Array(repeating: 0x61, count: bytes)))
    }

    private static func limits(memory: Int, disk: Int? = nil) -> StoreLimits {
        var limits = StoreLimits()
        limits.memoryBytes = memory
        limits.diskBytes = disk
        return limits
    }

    @Test func twoTiersKeepWhatMemoryCannotHold() throws {
        var store = CreativeStore(limits: Self.limits(memory: 20, disk: 40))
        for name in ["a", "b", "c"] { store.put(try Self.creative(name), at: Self.start) }
        let a = try #require(CreativeID("a"))
        #expect(store.memoryBytes == 20 && store.diskBytes == 30 && store.count == 3)
        let changes = store.takeChanges()
        #expect(changes == ["a", "b", "c"].compactMap { CreativeID($0).map(StoreChange.write) })
        guard case .onDisk(let record) = store.get(a, at: Self.start) else {
            Issue.record("a should be on disk only")
            return
        }
        store.loaded(try Self.creative("a").content, for: record.id, at: Self.start)
        guard case .found(let found, _) = store.get(a, at: Self.start) else {
            Issue.record("a should be in memory now")
            return
        }
        #expect(found.hits == 1 && store.memoryBytes == 20)
    }

    @Test(arguments: [nil, 1_000]) func smallCreativesAreCounted(disk: Int?) throws {
        var limits = Self.limits(memory: 1_000, disk: disk)
        limits.entries = 2
        var store = CreativeStore(limits: limits)
        store.put(try Self.creative("old", bytes: 1), life: .seconds(1), at: Self.start)
        store.put(try Self.creative("a", bytes: 1), at: Self.start)
        let later = Self.start + .seconds(2)
        // Expired creatives are evicted first, then the least recently used.
        let evicted = try ["b", "c"].map { store.put(try Self.creative($0, bytes: 1), at: later) }
        #expect(evicted == [.stored(evicted: []), .stored(evicted: [try #require(CreativeID("a"))])])
        #expect(store.records(at: later).map(\.id.text) == ["b", "c"])
        #expect(store.memoryBytes == 2 && store.diskBytes == (disk == nil ? 0 : 2))
        // A replacement needs no additional room.
        let replaced = store.put(try Self.creative("c", bytes: 1), at: later)
        #expect(replaced == .stored(evicted: []))
        let changes = store.takeChanges()
        #expect(changes.contains(.delete(try #require(CreativeID("a")))) == (disk != nil))
    }

    @Test func whatTheDiskEvictsMayStayInMemory() throws {
        var store = CreativeStore(limits: Self.limits(memory: 30, disk: 20))
        for name in ["a", "b", "c"] { store.put(try Self.creative(name), at: Self.start) }
        #expect(store.count == 3 && store.diskBytes == 20)
        let changes = store.takeChanges()
        #expect(changes.contains(.delete(try #require(CreativeID("a")))))
    }

    @Test func aLostFileTakesTheEntryWithItUnlessMemoryHasIt() throws {
        var store = CreativeStore(limits: Self.limits(memory: 10, disk: 40))
        store.put(try Self.creative("a"), at: Self.start)
        store.put(try Self.creative("b"), at: Self.start)
        for name in ["a", "b"] { store.lost(try #require(CreativeID(name))) }
        #expect(store.records(at: Self.start).map(\.id.text) == ["b"])
        #expect(store.diskBytes == 0 && store.memoryBytes == 10)
    }

    @Test func restoringRefusesTheExpiredTheFutureAndTheKnown() throws {
        var store = CreativeStore(limits: Self.limits(memory: 100, disk: 100))
        func record(_ id: String, storedAt: Duration, life: Duration) throws -> CreativeRecord {
            CreativeRecord(
                try Self.creative(id), storedAt: Self.start + storedAt, expiresAt: Self.start + storedAt + life)
        }
        let records = [
            try record("a", storedAt: .seconds(-10), life: .seconds(60)),
            try record("a", storedAt: .zero, life: .seconds(60)),
            try record("b", storedAt: .seconds(-60), life: .seconds(60)),
            try record("c", storedAt: .seconds(5), life: .seconds(60)),
            try record("d", storedAt: .seconds(6), life: .seconds(60)),
            try record("e", storedAt: .zero, life: .seconds(3_601)),
        ]
        #expect(records.map { store.restore($0, at: Self.start) } == [true, false, false, true, false, false])
        let changes = store.takeChanges()
        #expect(changes == [])
    }

    @Test func extendingCountsFromNow() throws {
        var store = CreativeStore(limits: Self.limits(memory: 100, disk: 100))
        let a = try #require(CreativeID("a"))
        store.put(try Self.creative("a"), life: .seconds(10), at: Self.start)
        _ = store.takeChanges()
        let isExtended = store.extend(a, life: .seconds(99_999), at: Self.start + .seconds(9))
        #expect(isExtended)
        #expect(store.record(a)?.expiresAt == Self.start + .seconds(3_609))
        let changes = store.takeChanges()
        #expect(changes == [.write(a)])
        let isLate = !store.extend(a, at: Self.start + .seconds(3_609))
        #expect(isLate)
    }

    @Test func removingFreesBytes() throws {
        var store = CreativeStore(limits: Self.limits(memory: 100))
        store.put(try Self.creative("a"), at: Self.start)
        store.put(try Self.creative("b"), at: Self.start)
        let a = try #require(CreativeID("a"))
        let removals = [store.remove(a), store.remove(a)]
        #expect(removals == [true, false])
        let rest = store.removeAll()
        #expect(rest == 1)
        #expect(store.memoryBytes == 0 && store.count == 0)
    }

    /// After any sequence of puts, reads and removals, bytes are within the limits, sums are correct, and a hit has the
    /// bytes put last.
    @Test(arguments: 1...20) func anySequenceKeepsTheLimits(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        var store = CreativeStore(limits: Self.limits(memory: 300, disk: seed % 2 == 0 ? 500 : nil))
        var last: [String: Int] = [:]
        var now = Self.start
        for _ in 0..<400 {
            now += .seconds(Int.random(in: 0...60, using: &random))
            let name = "n\(Int.random(in: 0...30, using: &random))"
            let id = try #require(CreativeID(name))
            switch Int.random(in: 0...9, using: &random) {
            case 0...4:
                let bytes = Int.random(in: 0...120, using: &random)
                let life = Duration.seconds(Int.random(in: 0...400, using: &random))
                if store.put(try Self.creative(name, bytes: bytes), life: life, at: now).isStored { last[name] = bytes }
            case 5: store.remove(id)
            case 6: store.sweep(at: now)
            default:
                switch store.get(id, at: now) {
                case .found(let record, let content):
                    #expect(content.body.count == last[name] && record.isValid(at: now), "seed \(seed)")
                case .onDisk:
                    store.loaded(try Self.creative(name, bytes: last[name] ?? 0).content, for: id, at: now)
                case .missing: break
                }
            }
            #expect(store.memoryBytes <= 300 && store.diskBytes <= 500, "seed \(seed)")
            #expect(store.memoryBytes >= 0 && store.diskBytes >= 0, "seed \(seed)")
        }
        store.removeAll()
        #expect(store.memoryBytes == 0 && store.diskBytes == 0 && store.count == 0, "seed \(seed)")
    }
}
