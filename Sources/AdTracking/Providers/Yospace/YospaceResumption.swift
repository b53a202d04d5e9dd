import Ports

/// Ads that an earlier process of the session saw begin (PRV-32).
extension YospaceQueue {
    /// Starts of an ad that are at most so many seconds apart are one.
    private static let sameStart = ExactDecimal(1)

    /// Places the ad in whose middle the viewer joined: it began where it did for the earlier process, and its records go on.
    /// - Parameter date: where the viewer joined.
    /// - Returns: those of `earlier` that were placed.
    mutating func resume(_ earlier: [EarlierAd], joinedAt date: UnixTime) -> [EarlierAd] {
        earlier.filter { known in
            guard known.start < date, let index = queue.lastIndex(where: { $0.listed.writtenID == known.adBreak })
            else {
                return false
            }
            let place = queue[index].listed.ads.indices.first { ad in
                let listed = queue[index].listed.ads[ad]
                guard listed.id == known.ad, queue[index].starts[ad] == nil else { return false }
                return listed.length.map { date < known.start + $0.asSeconds } ?? false
            }
            guard let place else { return false }
            let start = MediaMoment(known.start)
            queue[index].starts[place] = Start(moment: start, record: start.seconds, isEarlier: true)
            return true
        }
    }

    /// Whether a record is of an ad that was resumed: its first one, or one while it lasts.
    func isOfEarlier(_ record: YospaceRecord) -> Bool {
        queue.contains { queued in
            zip(queued.listed.ads, queued.starts).contains { ad, start in
                guard ad.creative == record.media, let start, start.isEarlier, let length = ad.length else {
                    return false
                }
                if record.isFirst {
                    return record.adStart.seconds.distance(to: start.moment.seconds) <= Self.sameStart
                }
                let offset = record.time.seconds.minus(start.moment.seconds)
                return !offset.isNegative && offset <= length
            }
        }
    }
}

/// What one process hands on to the next (FLT-15). Starts are not among it: the next one reads the segments from where the viewer was left, and knows
/// of the ads before from what was claimed.
extension YospaceQueue {
    /// - Parameter date: the playhead.
    func memory(at date: UnixTime?) -> JSONValue {
        let onAir = queue.lastIndex(where: \.isPlaced) ?? 0
        let breaks = queue.enumerated().filter { index, queued in
            guard let start = queued.starts.compactMap({ $0?.moment.date }).min() else { return index >= onAir }
            let length = queued.listed.ads.compactMap(\.length).reduce(ExactDecimal.zero) { $0.plus($1) }
            return date.map {
                start + max(length, queued.listed.statedDuration ?? .zero).asSeconds + ListedBreak.remembered > $0
            }
                ?? true
        }
        return [
            "breaks": .array(breaks.map { $0.element.current.memory }),
            "missed": .array(missedIDs.map(JSONValue.string)),
        ]
    }

    mutating func recall(_ memory: JSONValue) {
        queue = ListedBreak.list(memory: memory["breaks"], limit: Self.breakLimit).map(Queued.init)
        missedIDs = (memory["missed"]?.arrayValue ?? []).prefix(Self.breakLimit).compactMap(\.stringValue)
    }
}
