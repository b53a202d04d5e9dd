import Algorithms
import Ports

/// Which beacons are one: the same type and URL, asked for again under other names, at other times, by another instance of
/// the server or with another cache buster.
extension Ledger {
    /// A start that differs by no more is the same showing, where the break is not longer.
    static let leastReach: Duration = .seconds(60)
    /// Starts that differ by no more are one start, as two instances of a server give it.
    static let sameStart: Duration = .seconds(1)
    /// Neighbours in time that are looked at for one insertion; more within reach is not a stream but an attack.
    static let neighboursLookedAt = 64

    /// A document was taken in as a whole: finds out which of its events ask for what is known under other names.
    ///
    /// What one document lists side by side are different showings, unless they would play at the same time. What it
    /// lists in the place of an event that it lists no more is that event.
    package mutating func identify() {
        insertions.drop(changes.unused)
        defer {
            rememberMissing()
            changes = IdentityChanges()
            documents &+= 1
        }
        learnFromReplaced()
        guard !changes.groups.isEmpty || !changes.added.isEmpty || changes.hasLearned else { return }
        if changes.hasLearned { rekey() }
        // Another key shows what was one before; else what was listed beside a beacon is another one for good.
        let areAllCompared = learnBusters() || changes.hasLearned
        for key in changes.groups { identify(group: key, comparesAll: areAllCompared) }
    }

    /// - Parameter comparesAll: whether also what a document listed side by side may be one.
    private mutating func identify(group key: Fingerprint, comparesAll: Bool) {
        for index in insertions.group(key) where !insertions[index].others.isEmpty { split(index, key) }
        let group = insertions.group(key)
        guard group.count > 1 else { return }
        let present = group.filter(isPresent).sorted { insertions[$0].start < insertions[$1].start }
        let absent = group.filter { !isPresent($0) }.sorted { isFirst($0, before: $1) }
        var gone: Set<Int32> = []
        var left = absent
        var named = NamedInsertions()
        let unsent = absent.map { insertions[$0] }.filter { $0.sent == nil }.map(\.start)
        for likeness in Likeness.allCases {
            left.removeAll { known in
                guard
                    let new = successor(
                        of: known, among: present, gone, likeness, unsent, &named, comparesAll: comparesAll)
                else { return false }
                merge(new, into: known)
                gone.insert(new)
                return true
            }
        }
        // What found its successor is listed now: the same may be listed a second time.
        mergeOverlapping(group.filter { !gone.contains($0) && isPresent($0) }, &gone)
        insertions.drop(Array(gone))
    }

    /// What was sent looks for its successor first: it is what must not be sent again.
    private func isFirst(_ left: Int32, before right: Int32) -> Bool {
        let (left, right) = (insertions[left], insertions[right])
        guard (left.sent == nil) == (right.sent == nil) else { return left.sent != nil }
        return left.start < right.start
    }

    func isPresent(_ index: Int32) -> Bool {
        insertions[index].members.contains { listed($0, index) != nil }
    }

    /// Where the newest document lists a member with that beacon; nil where the event or its URL is gone.
    private func listed(_ event: EventID, _ index: Int32) -> EventPlacement? {
        guard let entry = entries.open[event], entry.placement.isPresent,
            entry.delivery.urls.contains(where: { $0.insertion == index && isListed($0, of: entry.key.type) })
        else { return nil }
        return entry.placement
    }

    /// Whether the newest document has the URL of a slot, maybe with another value of a cache buster.
    private func isListed(_ slot: URLDelivery, of type: String) -> Bool {
        guard slot.isListed, let replacement = slot.replacement else { return slot.isListed }
        return Fingerprint(type: type, url: replacement, without: busters) == insertions.key(of: slot.insertion)
    }

    /// How much speaks for a successor. What is certain is found first: the nearest may be another ad's.
    private enum Likeness: CaseIterable {
        case sameNamesAndURL, sameURL, sameNames, nearest
    }

    /// The nearest listed insertion that may be `known` under another name, of those nothing was sent of.
    /// - Parameters:
    ///   - present: by start.
    ///   - unsent: starts, in order, of showings that a document listed before and that nothing was sent of.
    private func successor(
        of known: Int32, among present: [Int32], _ gone: Set<Int32>, _ likeness: Likeness, _ unsent: [UnixTime],
        _ named: inout NamedInsertions, comparesAll: Bool
    ) -> Int32? {
        let old = insertions[known]
        lazy var oldURL = url(of: known)
        func mayBe(_ index: Int32) -> Bool {
            let new = insertions[index]
            guard new.sent == nil, !gone.contains(index), comparesAll || new.listedSince > old.lastListed,
                old.track == nil || old.track == new.track,
                old.sent == nil || !isAnother(new, than: old, unsent)
            else { return false }
            switch likeness {
            case .sameNamesAndURL: return old.hasNames(of: new) && oldURL == url(of: index)
            case .sameURL: return oldURL == url(of: index)
            case .sameNames: return old.hasNames(of: new)
            case .nearest: return true
            }
        }
        let first = present.partitioningIndex { insertions[$0].start >= old.start }
        let near = present[
            max(0, first - Self.neighboursLookedAt)..<min(present.count, first + Self.neighboursLookedAt)]
        // Before they are compared: most are far from each other, where a URL is that of an ad which airs again and again.
        if near.contains(where: { isWithinReach(insertions[$0], of: old) }),
            let nearest = near.filter(mayBe).min(by: {
                insertions[$0].distance(to: old) < insertions[$1].distance(to: old)
            }), isWithinReach(insertions[nearest], of: old)
        {
            return nearest
        }
        guard likeness == .sameNames, old.members.contains(where: changes.left.contains) else { return nil }
        if named.isEmpty { named = NamedInsertions(present.map { ($0, insertions[$0].names) }) }
        return named.first(
            of: old.names, lookingAt: Self.neighboursLookedAt, whileLeft: { !gone.contains($0) }, where: mayBe)
    }

    /// Whether a document listed another showing where this one starts.
    private func isAnother(_ new: Insertion, than old: Insertion, _ unsent: [UnixTime]) -> Bool {
        guard new.distance(to: old) > Self.sameStart else { return false }
        let next = unsent.partitioningIndex { $0 >= new.start - Self.sameStart }
        return next < unsent.count && unsent[next] <= new.start + Self.sameStart
    }

    /// The URL of what asks for an insertion, as the document has it; nil where that is not remembered.
    private func url(of index: Int32) -> String? {
        guard let member = insertions[index].member else { return restoredBeacons[index]?.key.url }
        return entries[member]?.delivery.urls.first { $0.insertion == index }?.url
    }

    /// How far the start of one showing may be from what is taken for the same.
    func reach(of known: Insertion, _ new: Insertion) -> Duration {
        max(Self.leastReach, known.breakLength, new.breakLength)
    }

    private func isWithinReach(_ new: Insertion, of known: Insertion) -> Bool {
        new.distance(to: known) <= reach(of: known, new)
    }

    /// The members of `new` ask for `known` from now on.
    private mutating func merge(_ new: Int32, into known: Int32) {
        let restored = restoredBeacons.removeValue(forKey: known)
        if let restored, restored.mayBeTriedAgain { failedEarlier[known] = restored }
        let isInherited = insertions[known].member == nil && failedEarlier[known] == nil
        let inherited = isInherited ? insertions[known].sent : nil
        if insertions[known].sent == nil { insertions[known].start = insertions[new].start }
        insertions[known].track = insertions[new].track
        for event in insertions[new].members {
            if !asks(event, for: known) { insertions.join(event, known) }
            changeSlots(of: event, in: new) { slot in
                slot.insertion = known
                // A beacon that was kept back has no result that this one should show.
                guard let inherited, inherited.state != .skipped, slot.state == .planned else { return }
                slot.state = inherited.state
                slot.round = Int(inherited.round)
            }
        }
    }

    /// A document that lists one ad twice, under two names and at one time, has one showing of it. What was sent keeps the time at
    /// which it was, so the times that count are those of the document.
    private mutating func mergeOverlapping(_ listed: [Int32], _ gone: inout Set<Int32>) {
        guard listed.count > 1 else { return }
        let shown = listed.map { (index: $0, insertion: asListed($0)) }.sorted {
            $0.insertion.start < $1.insertion.start
        }
        for (place, (index, insertion)) in shown.enumerated() where !gone.contains(index) {
            for (other, next) in shown[(place + 1)...].prefix(Self.neighboursLookedAt) where !gone.contains(other) {
                let distance = next.distance(to: insertion)
                guard distance == .zero || distance < insertion.adLength else { break }
                guard areOne(insertion, next) else { continue }
                let isKept = insertions[other].sent == nil
                guard isKept || insertions[index].sent == nil else { continue }
                merge(isKept ? other : index, into: isKept ? index : other)
                gone.insert(isKept ? other : index)
                if !isKept { break }
            }
        }
    }

    /// An insertion at the time where the newest document lists one of its members.
    private func asListed(_ index: Int32) -> Insertion {
        var insertion = insertions[index]
        // A lazy sequence would keep a copy of the ledger.
        for member in insertion.members {
            guard let place = listed(member, index) else { continue }
            insertion.start = place.start
            break
        }
        return insertion
    }

    private func areOne(_ one: Insertion, _ other: Insertion) -> Bool {
        guard one.track == other.track, one.overlaps(other) else { return false }
        guard one.distance(to: other) > Insertion.sameMoment else { return true }
        // An ad may ask for one URL at several of its moments.
        if let isOfSameAd = one.isOfSameAd(as: other) { return !isOfSameAd }
        let ads = Set(one.members.compactMap { entries[$0]?.placement.ad })
        return !other.members.contains { entries[$0].map { ads.contains($0.placement.ad) } ?? false }
    }

    /// Members that the newest document lists side by side are different showings after all.
    private mutating func split(_ index: Int32, _ key: Fingerprint) {
        let insertion = insertions[index]
        let present = insertion.members.filter { listed($0, index) != nil }
        guard present.count > 1, let keeper = keeper(of: index, among: present), let kept = entries[keeper] else {
            return
        }
        var leaving: Set<EventID> = []
        for event in present where event != keeper {
            guard let entry = entries[event] else { continue }
            var own = Insertion(
                entry.placement, names: entry.key.namesHash, track: entry.placement.track.shortHash, member: event)
            own.listedSince = insertion.listedSince
            let keeping = Insertion(kept.placement, names: 0, track: own.track, member: keeper)
            let isOfSameAd = entry.placement.ad == kept.placement.ad
            guard isOfSameAd ? own.distance(to: keeping) > Insertion.sameMoment : !own.overlaps(keeping) else {
                continue
            }
            leaving.insert(event)
            let apart = insertions.add(own, key).index
            changeSlots(of: event, in: index) { slot in
                slot.insertion = apart
                if slot.reason == .duplicate { (slot.state, slot.reason) = (.planned, nil) }
            }
        }
        if !leaving.isEmpty { _ = insertions.leave(leaving, index) }
    }

    /// The member that claimed, else the one that is nearest.
    private func keeper(of index: Int32, among events: [EventID]) -> EventID? {
        func hasClaimed(_ event: EventID) -> Bool {
            entries[event]?.delivery.urls.contains {
                $0.insertion == index && $0.state != .planned && $0.state != .skipped
            } ?? false
        }
        if let claimer = events.first(where: hasClaimed) { return claimer }
        let start = insertions[index].start
        return events.min { left, right in
            func distance(_ event: EventID) -> Duration {
                entries[event].map { ($0.placement.start - start).magnitude } ?? .zero
            }
            return (distance(left), left) < (distance(right), right)
        }
    }

    private mutating func changeSlots(of event: EventID, in index: Int32, _ body: (inout URLDelivery) -> Void) {
        _ = change(event) { entry in
            for place in entry.delivery.urls.indices where entry.delivery.urls[place].insertion == index {
                body(&entry.delivery.urls[place])
            }
        }
    }
}

/// Insertions by the names of their break and ad, in the order given.
private struct NamedInsertions {
    private var byName: [UInt32: ArraySlice<Int32>] = [:]

    var isEmpty: Bool { byName.isEmpty }

    init() {}

    init(_ insertions: some Sequence<(Int32, UInt32)>) {
        for (index, names) in insertions { byName[names, default: []].append(index) }
    }

    /// The first one that fits, among those that are left; those at the front that are not are forgotten.
    mutating func first(
        of names: UInt32, lookingAt limit: Int, whileLeft isLeft: (Int32) -> Bool, where fits: (Int32) -> Bool
    ) -> Int32? {
        guard let left = byName[names]?.drop(while: { !isLeft($0) }) else { return nil }
        byName[names] = left
        return left.prefix(limit).first(where: fits)
    }
}

extension AdTrack {
    var shortHash: UInt32 { UInt32(truncatingIfNeeded: hashValue) }
}
