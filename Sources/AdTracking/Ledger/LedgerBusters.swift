import Algorithms

/// Learning of cache busters from what takes the place of what.
extension Ledger {
    /// Compares what is new in the newest document with what it lists no more, and with what a journal restored: a beacon
    /// that comes back under another name at the same time shows which of its values change.
    ///
    /// What the document still lists with the same URL shows nothing: an ad that appears where another one was, which
    /// moved, is another ad. Each beacon has one successor, the one that differs in the fewest parameters. What these teach may
    /// explain the others: a beacon that seemed replaced by another one is then listed with another value of a cache buster.
    /// - Returns: whether any was learned.
    mutating func learnBusters() -> Bool {
        guard !changes.added.isEmpty, !changes.left.isEmpty || !missing.isEmpty || !restoredBeacons.isEmpty else {
            return false
        }
        var explained: Set<Int32> = []
        for round in 0..<Self.lessonRounds {
            guard learnFromLikest(&explained) else { return round > 0 }
            rekey()
        }
        return true
    }

    /// A document begins.
    /// - Parameter isPage: whether it lists only what is not finished.
    package mutating func begin(isPage: Bool) { changes.isPage = isPage }

    /// A document listed what the one before it did.
    mutating func noteUnchanged() { documents &+= 1 }

    /// Learns from events that came back with another URL, but nothing of a value that other URLs of the ad have as before: no
    /// server renews its cache busters for one beacon alone, and damage changes few values.
    ///
    /// On a page the event may be that of the next ad, which has the place of one that is over. It teaches where it hardly moved, or where
    /// a value that other ads do not have says that it is the same one, and all that differs has several values among the URLs of the ad:
    /// that is no number of the ad. A host whose URL is still listed was not replaced, and neither was a value that another URL of the event
    /// has now: they are in another order.
    mutating func learnFromReplaced() {
        // With a known cache buster in every URL each poll replaces all of them: what follows is then not worth its time.
        let telling = changes.replaced.filter { busters.mayTeach(from: $0.old, to: $0.new) }
        guard !telling.isEmpty else { return }
        let urls = replacedAds()
        var told = ToldValues()
        for (event, old, new, _) in changes.replaced where changes.isPage {
            guard let type = entries[event]?.key.type else { continue }
            told.add(type, old, busters)
            told.add(type, new, busters)
        }
        var listed = ListedMarks()
        for (event, old, new, isInPlace) in telling {
            let ad = (entries[event]?.placement.ad).flatMap { urls[$0] }
            if changes.isPage {
                guard let ad, let type = entries[event]?.key.type, isInPlace || told.tell(type, old, new, busters),
                    busters.differences(old, new, varying: isInPlace ? nil : ad.varying) != nil
                else { continue }
            }
            guard !(busters.haveOtherHosts(old, new) && isListed(old, like: event)),
                !isElsewhere(old, new, of: event, &listed)
            else { continue }
            if busters.learn(from: old, to: new, constants: ad?.constants ?? []) { changes.hasLearned = true }
        }
    }

    /// Whether the newest document has a URL for a beacon of the type of an event.
    private func isListed(_ url: String, like event: EventID) -> Bool {
        guard let type = entries[event]?.key.type else { return false }
        return insertions.group(Fingerprint(type: type, url: url, without: busters)).contains(where: isPresent)
    }

    /// Whether another URL of an event has a value now that only the old one had.
    private func isElsewhere(_ old: String, _ new: String, of event: EventID, _ listed: inout ListedMarks) -> Bool {
        if listed.event != event {
            let urls = entries[event]?.delivery.urls.filter(\.isListed).map { $0.replacement ?? $0.url } ?? []
            let values = urls.count > 1 ? Set(urls.flatMap { busters.marks(of: $0).map(\.value) }) : []
            listed = ListedMarks(event: event, values: values)
        }
        guard !listed.values.isEmpty else { return false }
        let kept = Set(busters.marks(of: new).map(\.value))
        return busters.marks(of: old).contains { listed.values.contains($0.value) && !kept.contains($0.value) }
    }

    /// Of each ad with a replaced URL: the names that vary among its URLs, and the places whose values are as before.
    private func replacedAds() -> [AdID: (varying: Set<Int>, constants: Set<Int>)] {
        let ads = Set(changes.replaced.compactMap { entries[$0.event]?.placement.ad }).subtracting([AdID(0)])
        let added = Set(changes.added.map(\.insertion))
        var urls: [AdID: (all: [String], constants: Set<Int>)] = [:]
        for entry in listedEntries where ads.contains(entry.placement.ad) {
            for slot in entry.delivery.urls where slot.isListed {
                urls[entry.placement.ad, default: ([], [])].all.append(slot.replacement ?? slot.url)
                guard slot.replacement == nil, slot.insertion != Insertion.none, !added.contains(slot.insertion) else {
                    continue
                }
                urls[entry.placement.ad]?.constants.formUnion(busters.places(of: slot.url))
            }
        }
        // Where a known cache buster replaces every URL, the other values are as before.
        for (event, old, new, _) in changes.replaced {
            guard let ad = entries[event]?.placement.ad, ads.contains(ad) else { continue }
            urls[ad]?.constants.formUnion(busters.places(of: new, keptFrom: old))
        }
        return urls.mapValues { (CacheBusters.varyingNames(in: $0.all), $0.constants) }
    }

    /// What left may come back in a later document than the next one.
    mutating func rememberMissing() {
        let newest = changes.left.sorted() + missing.filter { !changes.left.contains($0) }
        missing = Array(newest.filter(entries.contains).prefix(Self.missingKept))
    }

    /// Missing events that are looked at; more of them are another stream.
    private static let missingKept = 256

    /// Rounds of lessons for one document; what is left is learned from the next one.
    private static let lessonRounds = 8

    /// Learns from those successors that differ in the fewest parameters and teach something.
    /// - Parameter explained: beacons whose successor is known; those that were used are added.
    /// - Returns: whether a parameter is known now that was not before.
    private mutating func learnFromLikest(_ explained: inout Set<Int32>) -> Bool {
        for (_, likest) in lessons(without: explained).chunked(on: \.differences) {
            var hasLearned = false
            for lesson in likest {
                explained.insert(lesson.insertion)
                hasLearned = busters.learn(from: lesson.old, to: lesson.new) || hasLearned
            }
            if hasLearned { return true }
        }
        return false
    }

    /// Finds every insertion under the key that the URLs have now.
    mutating func rekey() {
        var moves: [Int32: Fingerprint] = [:]
        for (_, entry) in entries {
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
