import Ports

/// All insertions of a session, found by type and URL.
struct InsertionBook: Sendable {
    /// Sent beacons remembered of events that are forgotten, about 200 bytes each. Only those that lie behind the
    /// retention are dropped, and nothing is sent any more where they were (``ForgottenTimes``).
    static let rememberedLimit = 1_024

    private(set) var all: [Insertion] = []
    /// Free places in `all`.
    private var free: [Int32] = []
    /// By type and URL.
    private var groups = InsertionGroups()
    /// The key in `groups` of each place in `all`.
    private var keys: [Fingerprint] = []
    /// Those of which an earlier process sent the beacon in vain: it failed, or what became of it is not recorded.
    private(set) var lostEarlier: Set<Int32> = []
    /// What was reported in sessions that this one replaced.
    var reported = ReportedMoments()
    /// Insertions without a member.
    private(set) var rememberedCount = 0
    private var nextSweep = Self.rememberedLimit

    var count: Int { all.count - free.count }

    subscript(index: Int32) -> Insertion {
        get { all[Int(index)] }
        set { all[Int(index)] = newValue }
    }

    /// Insertions of one type and URL, in no order that means anything.
    func group(_ key: Fingerprint) -> InsertionGroup { groups.group(key, keys) }

    /// Where insertions of the same type and URL were due when they were claimed; of more than are remembered the newest.
    func sentStarts(like index: Int32) -> some Sequence<(Int32, UnixTime)> {
        group(key(of: index)).suffix(2 * Self.rememberedLimit).lazy.compactMap { other in
            self.all[Int(other)].sent.map { (other, $0.start) }
        }
    }

    /// Everything of which something was claimed, in a fixed order.
    var claimed: [Int32] {
        let unused = Set(free)
        return (0..<Int32(clamping: all.count)).filter { self[$0].sent != nil && !unused.contains($0) }
    }

    func key(of index: Int32) -> Fingerprint { keys[Int(index)] }

    /// Makes room for more, as ``EventTable/reserve(_:)`` does.
    mutating func reserve(_ more: Int) {
        let needed = all.count - free.count + more
        guard needed > all.capacity else { return }
        let room = max(needed, all.capacity + all.capacity / 4)
        all.reserveCapacity(room)
        keys.reserveCapacity(room)
    }

    /// - Returns: its place, and whether it is the only one of its type and URL.
    mutating func add(_ insertion: Insertion, _ key: Fingerprint) -> (index: Int32, isAlone: Bool) {
        let index: Int32
        if let place = free.popLast() {
            index = place
            all[Int(place)] = insertion
            keys[Int(place)] = key
        } else {
            index = Int32(clamping: all.count)
            // An event may have several URLs, and the array would double its room for the first one too many.
            if all.count == all.capacity { reserve(1) }
            all.append(insertion)
            keys.append(key)
        }
        rememberedCount += insertion.member == nil ? 1 : 0
        return (index, groups.append(index, key, keys))
    }

    mutating func noteLostEarlier(_ index: Int32) { lostEarlier.insert(index) }

    /// An event asks for an insertion that had none, or is one more of its members.
    mutating func join(_ event: EventID, _ index: Int32) {
        if self[index].member == nil { rememberedCount -= 1 }
        self[index].add(event)
    }

    /// Events do not ask for it any more.
    /// - Returns: whether the insertion is of no use now; the caller then drops it.
    mutating func leave(_ events: Set<EventID>, _ index: Int32) -> Bool {
        guard self[index].member != nil else { return false }
        self[index].remove(events)
        guard self[index].member == nil else { return false }
        rememberedCount += 1
        return self[index].sent == nil
    }

    /// Many at once, so that a group is gone through once.
    mutating func drop(_ indices: [Int32]) {
        let dropped = Set(indices)
        for key in Set(dropped.map { key(of: $0) }) {
            groups.removeAll(of: key, keys) { dropped.contains($0) }
        }
        for index in dropped {
            if self[index].member == nil { rememberedCount -= 1 }
            self[index].others = []
        }
        lostEarlier.subtract(dropped)
        free += dropped
    }

    /// Insertions without a member that start before `horizon`, beyond the limit, the oldest first.
    mutating func surplus(before horizon: UnixTime) -> [Int32] {
        guard rememberedCount > nextSweep else { return [] }
        let unused = Set(free)
        let old = zip(Int32(0)..., all)
            .filter { index, insertion in
                !unused.contains(index) && insertion.member == nil && insertion.start < horizon
            }
            .sorted { $0.1.start < $1.1.start }.map(\.0)
        let surplus = Array(old.prefix(max(0, rememberedCount - Self.rememberedLimit / 2)))
        nextSweep = max(Self.rememberedLimit, 2 * (rememberedCount - surplus.count))
        return surplus
    }

    /// Puts insertions under other keys; many at once, so that a group is gone through once.
    mutating func move(_ moves: [Int32: Fingerprint]) {
        let moved = moves.filter { key(of: $0.key) != $0.value }
        for key in Set(moved.keys.map { key(of: $0) }) {
            groups.removeAll(of: key, keys) { moved[$0] != nil }
        }
        for (index, key) in moved.sorted(by: { $0.key < $1.key }) {
            keys[Int(index)] = key
            _ = groups.append(index, key, keys)
        }
    }
}

/// The type and the URL of a beacon in eight bytes: texts of identities would cost hundreds each.
///
/// Each process has a random seed for the hash, so that those who choose the URLs cannot make two of them collide: the
/// second one would never be sent.
struct Fingerprint: Hashable, Sendable {
    let hash: Int

    /// Whether each URL of such events is a beacon of its own: the id in it may look like a cache buster, and is none (PRV-47).
    static func isExact(_ type: String) -> Bool { type == EventType.mediaVerification.rawValue }

    /// - Parameter type: the name of the event; its case means nothing (TRK-4).
    init(type: String, url: String, without busters: CacheBusters) {
        var hasher = Hasher()
        if Self.isExact(type) {
            hasher.combine(url)
            hash = hasher.finalize()
            return
        }
        hasher.combine(type.lowercased())
        busters.combine(url, into: &hasher)
        hash = hasher.finalize()
    }
}
