import Ports

/// What a new beacon teaches that seems to have taken the place of one that is listed no more.
extension Ledger {
    /// What the newest document teaches, the successors that differ least first.
    func lessons(without explained: Set<Int32>) -> [BusterLesson] {
        let known = lostBeacons(without: explained)
        guard !known.isEmpty else { return [] }
        var lessons: [Int32: BusterLesson] = [:]
        let ads = Dictionary(grouping: changes.added) { entries[$0.event]?.placement.ad ?? AdID(0) }
        let urls = ads.mapValues { added in
            Set(added.map(\.event)).flatMap { entries[$0]?.delivery.urls.map(\.url) ?? [] }
        }
        let isNew = Set(changes.added.map(\.insertion))
        let told = changes.isPage ? toldValues(known) : ToldValues()
        var listed = ListedValues()
        let common = ads.count > 1 ? CacheBusters.commonNames(in: urls.values) : []
        // What is known under its present URL was not replaced by it.
        var areNew = GroupAnswers()
        for (ad, added) in ads {
            let varying = ad == AdID(0) ? [] : CacheBusters.varyingNames(in: urls[ad] ?? []).union(common)
            func isNewBeacon(_ insertion: Int32) -> Bool {
                areNew.answer(insertions.key(of: insertion)) { insertions.group($0).allSatisfy(isNew.contains) }
            }
            let constants = ad == AdID(0) ? [] : constants(of: added.filter { !isNewBeacon($0.insertion) })
            for (event, insertion) in added where isNewBeacon(insertion) {
                guard let lesson = lesson(event, insertion, from: known, varying, constants, told),
                    !isListed(lesson, &listed)
                else { continue }
                lessons[lesson.insertion] = min(lessons[lesson.insertion] ?? lesson, lesson)
            }
        }
        return lessons.values.sorted()
    }

    /// Whether the newest document still lists, at about that time, the values that seem to be replaced: then they are not, and the new
    /// beacon is another one.
    private func isListed(_ lesson: BusterLesson, _ listed: inout ListedValues) -> Bool {
        if listed.isEmpty {
            for entry in listedEntries {
                for slot in entry.delivery.urls where slot.isListed {
                    listed.add(busters.values(of: slot.replacement ?? slot.url), at: entry.placement.start)
                }
            }
        }
        return busters.values(of: lesson.old, unlike: lesson.new).contains {
            listed.contains($0, near: insertions[lesson.insertion].start)
        }
    }

    /// The places whose values are as before: those of beacons that are known under their present URLs.
    private func constants(of known: [(event: EventID, insertion: Int32)]) -> Set<Int> {
        Set(known.flatMap { event, insertion in url(event, insertion).map(busters.places) ?? [] })
    }

    private func url(_ event: EventID, _ insertion: Int32) -> String? {
        entries[event]?.delivery.urls.first { $0.insertion == insertion }?.url
    }

    /// What the URLs of the new beacons, and of those that are listed no more, differ in.
    private func toldValues(_ known: [Int: [LostBeacon]]) -> ToldValues {
        var told = ToldValues()
        for beacon in known.values.joined() { told.add(beacon.type, beacon.url, busters) }
        for (event, insertion) in changes.added {
            if let type = entries[event]?.key.type, let url = url(event, insertion) { told.add(type, url, busters) }
        }
        return told
    }

    /// What the newest document lists no more, by the parts of the URL that no cache buster changes.
    private func lostBeacons(without explained: Set<Int32>) -> [Int: [LostBeacon]] {
        var known: [Int: [LostBeacon]] = [:]
        var arePresent = GroupAnswers()
        func add(_ beacon: LostBeacon) {
            let isListed = arePresent.answer(insertions.key(of: beacon.insertion)) {
                insertions.group($0).contains(where: isPresent)
            }
            guard !isListed, !explained.contains(beacon.insertion) else { return }
            known[CacheBusters.skeleton(of: beacon.url), default: []].append(beacon)
        }
        for event in changes.left.sorted() + missing {
            guard let entry = entries[event] else { continue }
            for slot in entry.delivery.urls where slot.insertion != Insertion.none {
                add(
                    LostBeacon(
                        url: slot.url, insertion: slot.insertion, type: entry.key.type, placement: entry.placement,
                        isKept: slot.replacement == nil && insertions[slot.insertion].wasToldAgain))
            }
        }
        for (insertion, beacon) in restoredBeacons {
            add(LostBeacon(url: beacon.key.url, insertion: insertion, type: beacon.key.event.type))
        }
        return known
    }

    /// What a new beacon teaches, if it replaces a known one.
    /// - Parameters:
    ///   - varying: names of parameters that differ among the URLs of the ad, or are equal for all new ads. Two ads
    ///     that differ in another one are taken for one only if they have the same names, or would play at the same time, on pages for
    ///     the most part: there an ad leaves when the next one comes, and the value may be the ad's own number. But the next one of the same
    ///     names never starts before it, nor while it plays.
    ///   - told: what the URLs of ads differ in. On pages an ad elsewhere is the same one only if a value of its URL, which other ads
    ///     do not have, says so: a collector may know each beacon by a token alone. The value may be a place in the break, which the next
    ///     break has as well, so it says nothing of another start where ``mayBeElsewhere(_:as:of:)`` does not hold.
    private func lesson(
        _ event: EventID, _ insertion: Int32, from known: [Int: [LostBeacon]], _ varying: Set<Int>,
        _ constants: Set<Int>, _ told: ToldValues
    ) -> BusterLesson? {
        guard let entry = entries[event], let url = url(event, insertion),
            let candidates = known[CacheBusters.skeleton(of: url)]
        else { return nil }
        let type = entry.key.type
        let new = insertions[insertion]
        // A beacon is its type and its URL: one of another type is another one, also where it is due at the same time.
        let alike = candidates.lazy.filter { $0.type == type }.prefix(Self.neighboursLookedAt)
        return alike.compactMap { candidate -> BusterLesson? in
            let old = insertions[candidate.insertion]
            let distance = old.distance(to: new)
            let isNamesake = distance <= reach(of: old, new) && old.hasNames(of: new)
            let playsBeside = old.playsBeside(new)
            let isReplaced =
                changes.isPage
                ? old.overlaps(new) || isNamesake && (playsBeside || new.start < old.start) : playsBeside || isNamesake
            guard
                isReplaced
                    || distance <= reach(of: old, new)
                        && (!changes.isPage
                            || (isNamesake || distance <= Self.sameStart
                                || mayBeElsewhere(candidate, as: new, of: entry.placement))
                                && told.tell(type, candidate.url, url, busters)),
                let count = busters.differences(
                    candidate.url, url, varying: isReplaced ? nil : varying, constants: constants)
            else { return nil }
            return BusterLesson(
                insertion: candidate.insertion, old: candidate.url, new: url, differences: count, distance: distance)
        }.min()
    }

    /// Whether a beacon of a page may be one of other names that a later page lists elsewhere, with other values in its URL: not where
    /// several pages listed it with one URL, because a cache buster changes with every poll, and not in a break that begins when its own
    /// is over.
    private func mayBeElsewhere(_ lost: LostBeacon, as new: Insertion, of placement: EventPlacement) -> Bool {
        guard !lost.isKept else { return false }
        guard let place = lost.placement else { return !new.follows(insertions[lost.insertion]) }
        return !placement.breakFollows(place)
    }
}

/// A beacon that the newest document lists no more, or that a journal restored.
private struct LostBeacon {
    var url: String
    var insertion: Int32
    var type: String
    /// Where it was listed; nil for what a journal restored.
    var placement: EventPlacement?
    /// Whether several documents listed it with that URL.
    var isKept = false
}

/// What holds for a group of insertions, found out once for each: all beacons of a document may have one URL.
private struct GroupAnswers {
    private var known: [Fingerprint: Bool] = [:]

    mutating func answer(_ key: Fingerprint, _ ask: (Fingerprint) -> Bool) -> Bool {
        if let answer = known[key] { return answer }
        let answer = ask(key)
        known[key] = answer
        return answer
    }
}

/// A beacon that another one seems to have replaced, with the values that changed.
struct BusterLesson: Comparable {
    /// The replaced one.
    var insertion: Int32
    var old: String
    var new: String
    /// Number of changed parameters.
    var differences: Int
    var distance: Duration

    static func < (left: Self, right: Self) -> Bool {
        (left.differences, left.distance, left.new) < (right.differences, right.distance, right.new)
    }
}
