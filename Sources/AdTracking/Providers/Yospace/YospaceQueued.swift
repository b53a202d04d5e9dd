import Ports

extension YospaceQueue {
    /// A break that was listed, and what is known of when its ads begin.
    struct Queued: Hashable {
        var listed: ListedBreak
        /// The start of each ad; nil while it is not placed.
        var starts: [Start?]
        /// The events of each ad, and those of the break, in the newest answer that lists it.
        var newest: [[ListedEvent]]
        var newestOfBreak: [ListedEvent]
        /// The newest answer that lists its id once more: that may be another break (PRV-31).
        var relisted: ListedBreak?
        /// Number of breaks before it that have its id.
        var airing = 0

        init(_ listed: ListedBreak) {
            self.listed = listed
            starts = listed.ads.map { _ in nil }
            (newest, newestOfBreak) = (listed.ads.map(\.events), listed.events)
        }

        /// Takes in what a newer answer lists of the break. Returns findings about its ads.
        mutating func merge(_ newer: ListedBreak) -> [Finding] {
            var findings: [Finding] = []
            if !newer.ads.isEmpty { relisted = newer }
            listed.statedDuration = newer.statedDuration ?? listed.statedDuration
            var taken: Set<Int> = []
            for ad in newer.ads {
                let partner = listed.ads.indices.first {
                    !taken.contains($0) && YospaceQueue.isSame(listed.ads[$0], ad)
                }
                if let partner {
                    taken.insert(partner)
                    newest[partner] = ad.events
                    guard listed.ads[partner].take(ad) else { continue }
                    let path = listed.node(of: listed.ads[partner])
                    findings.append(LintRule.shrank.finding("the ad shrank", path: path))
                } else if listed.ads.count < ListedAnswer.adsPerBreak {
                    taken.insert(listed.ads.count)
                    listed.ads.append(ad)
                    starts.append(nil)
                    newest.append(ad.events)
                }
            }
            newestOfBreak = newer.events
            listed.events.add(newer.events, inLength: listed.length)
            return findings
        }

        /// The break with the URLs of the newest answers alone: one in the place of another is the same beacon (TRK-16).
        var current: ListedBreak {
            var current = listed
            for index in current.ads.indices { current.ads[index].events.replace(with: newest[index]) }
            current.events.replace(with: newestOfBreak)
            return current
        }

        var isPlaced: Bool { starts.contains { $0 != nil } }

        /// The break from its first placed ad on; ads that were not seen yet follow the one before them. Nil while no ad is placed.
        var placed: ListedBreak? {
            guard let first = starts.firstIndex(where: { $0 != nil }), let start = starts[first]?.moment else {
                return nil
            }
            var adBreak = listed
            var cursor = start
            adBreak.start = start.seconds
            adBreak.date = start.date
            adBreak.ads = zip(listed.ads, starts).dropFirst(first).map { listed, known in
                var ad = listed
                if let known { cursor = known.moment }
                ad.isPlanned = known == nil
                (ad.start, ad.date) = (cursor.seconds, cursor.date)
                cursor.seconds = ad.end ?? ad.start
                return ad
            }.sortedStably { $0.start < $1.start }
            return adBreak
        }
    }

    /// Where records say that an ad begins.
    struct Start: Hashable {
        var moment: MediaMoment
        /// Time of the record that it follows from.
        var record: ExactDecimal
        /// Whether an earlier process saw the ad begin.
        var isEarlier = false
    }
}
