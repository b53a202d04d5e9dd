import Ports

/// Learning of cache busters from what takes the place of what.
extension Ledger {
    /// Compares what is new in the newest document with what it lists no more, and with what a journal restored: a beacon
    /// that comes back under another name at the same time shows which of its values change.
    mutating func learnBusters() {
        guard !changes.added.isEmpty, !changes.left.isEmpty || !restoredBeacons.isEmpty else { return }
        var known: [Int: [(url: String, insertion: Int32)]] = [:]
        func add(_ url: String, _ insertion: Int32) {
            known[CacheBusters.skeleton(of: url), default: []].append((url, insertion))
        }
        for event in changes.left {
            for slot in entries[event]?.delivery.urls ?? [] where slot.insertion != Insertion.none {
                add(slot.url, slot.insertion)
            }
        }
        for (insertion, beacon) in restoredBeacons { add(beacon.key.url, insertion) }
        for (ad, added) in Dictionary(grouping: changes.added, by: { entries[$0.event]?.placement.ad ?? AdID(0) }) {
            let urls = Set(added.map(\.event)).flatMap { entries[$0]?.delivery.urls.map(\.url) ?? [] }
            let varying = ad == AdID(0) ? [] : CacheBusters.varyingNames(in: urls)
            for (event, insertion) in added { learn(event, insertion, from: known, varying) }
        }
    }

    /// - Parameter varying: names of parameters that differ among the URLs of the ad. Two ads that differ in another one
    ///   are taken for one only if they would play at the same time: the value may be the ad's own number.
    private mutating func learn(
        _ event: EventID, _ insertion: Int32, from known: [Int: [(url: String, insertion: Int32)]], _ varying: Set<Int>
    ) {
        guard let url = entries[event]?.delivery.urls.first(where: { $0.insertion == insertion })?.url,
            insertions.group(insertions.key(of: insertion)).count == 1,
            let candidates = known[CacheBusters.skeleton(of: url)]
        else { return }
        let new = insertions[insertion]
        let same = candidates.prefix(Self.neighboursLookedAt).first { candidate in
            let old = insertions[candidate.insertion]
            let distance = old.distance(to: new)
            if distance < new.adLength { return busters.mayBeOne(candidate.url, url) }
            return distance <= reach(of: old, new) && busters.mayBeOne(candidate.url, url, varying: varying)
        }
        if let same, busters.learn(from: same.url, to: url) { changes.hasLearned = true }
    }

    /// Finds every insertion under the key that the URLs have now.
    mutating func rekey() {
        var moves: [Int32: Fingerprint] = [:]
        for entry in entries.values {
            for slot in entry.delivery.urls where slot.insertion != Insertion.none {
                moves[slot.insertion] = Fingerprint(type: entry.key.type, url: slot.url, without: busters)
            }
        }
        for (insertion, beacon) in restoredBeacons {
            moves[insertion] = Fingerprint(type: beacon.key.event.type, url: beacon.key.url, without: busters)
        }
        insertions.move(moves)
        changes.groups.formUnion(moves.values)
    }
}
