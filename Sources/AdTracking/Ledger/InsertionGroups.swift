/// The insertions of each type and URL. Nearly all are alone, so the table has only a place for each type and URL, and finds it by the keys that the
/// book has of all insertions; a dictionary from keys to groups would take five times as much.
struct InsertionGroups: Sendable {
    /// The first insertion of each group, at or behind the bucket of its key, without a free one between. Their number is a power of two.
    private var buckets: [Int32] = []
    private var count = 0
    /// The further insertions of groups that have any.
    private var others: [Fingerprint: [Int32]] = [:]

    /// - Parameter keys: that of each insertion in the book.
    func group(_ key: Fingerprint, _ keys: [Fingerprint]) -> InsertionGroup {
        guard let bucket = bucket(of: key, keys) else { return InsertionGroup() }
        return InsertionGroup(first: buckets[bucket], others: others[key] ?? [])
    }

    /// - Returns: whether it is the only one of its group.
    mutating func append(_ index: Int32, _ key: Fingerprint, _ keys: [Fingerprint]) -> Bool {
        guard bucket(of: key, keys) == nil else {
            others[key, default: []].append(index)
            return false
        }
        reserve(1, keys)
        insert(index, key)
        return true
    }

    mutating func removeAll(of key: Fingerprint, _ keys: [Fingerprint], where isLeaving: (Int32) -> Bool) {
        guard let bucket = bucket(of: key, keys) else { return }
        var rest = (others[key] ?? []).filter { !isLeaving($0) }
        if isLeaving(buckets[bucket]) {
            if rest.isEmpty { free(bucket, keys) } else { buckets[bucket] = rest.removeFirst() }
        }
        others[key] = rest.isEmpty ? nil : rest
    }

    /// Makes room for more; at most three of four buckets are in use.
    private mutating func reserve(_ more: Int, _ keys: [Fingerprint]) {
        var size = max(buckets.count, 16)
        while (count + more) * 4 > size * 3 { size *= 2 }
        guard size > buckets.count else { return }
        let former = buckets
        (buckets, count) = (Array(repeating: Insertion.none, count: size), 0)
        for index in former where index != Insertion.none { insert(index, keys[Int(index)]) }
    }

    private var mask: Int { buckets.count - 1 }

    private func bucket(of key: Fingerprint, _ keys: [Fingerprint]) -> Int? {
        guard !buckets.isEmpty else { return nil }
        var bucket = key.hash & mask
        while buckets[bucket] != Insertion.none {
            if keys[Int(buckets[bucket])] == key { return bucket }
            bucket = (bucket + 1) & mask
        }
        return nil
    }

    private mutating func insert(_ index: Int32, _ key: Fingerprint) {
        var bucket = key.hash & mask
        while buckets[bucket] != Insertion.none { bucket = (bucket + 1) & mask }
        buckets[bucket] = index
        count += 1
    }

    /// Moves what is behind a bucket that is freed, as long as it would not be found otherwise.
    private mutating func free(_ bucket: Int, _ keys: [Fingerprint]) {
        count -= 1
        var gap = bucket
        var next = (gap + 1) & mask
        while buckets[next] != Insertion.none {
            let distance = (next &- keys[Int(buckets[next])].hash) & mask
            if distance >= (next - gap) & mask {
                buckets[gap] = buckets[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        buckets[gap] = Insertion.none
    }
}
