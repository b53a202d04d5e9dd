import Ports

extension YospaceQueue {
    /// What of a break was seen in the media.
    struct Seen {
        /// Only the ads that were seen.
        var adBreak: ListedBreak
        /// The break with all that answers listed.
        var known: Queued

        /// Whether all of its ads were seen.
        var isWhole: Bool { known.starts.allSatisfy { $0 != nil } }

        /// A name of its own in the session.
        var key: String {
            let ad = known.listed.ads.first.map { "\($0.id ?? "") \($0.creative ?? "")" } ?? ""
            return known.listed.id ?? "\(ad) \(known.airing)"
        }

        /// The same break with all that answers listed of the ads that were seen.
        var whole: Seen? { YospaceQueue.seen(known.current, of: known) }
    }
}

/// What a session gets: unlike ``YospaceQueue/placed`` without ads that are only expected, because their beacons would be sent for what was perhaps not
/// on air.
extension YospaceQueue {
    /// The breaks that have a placed ad, as the newest answers listed them, with the ads that were seen.
    var onAir: [Seen] { queue.filter(\.isPlaced).compactMap { Self.seen($0.current, of: $0) } }

    /// A break as an answer lists it with the ads that were seen; nil without one.
    func seen(of listed: ListedBreak) -> Seen? {
        index(of: listed).flatMap { Self.seen(listed, of: queue[$0]) }
    }

    fileprivate static func seen(_ listed: ListedBreak, of known: Queued) -> Seen? {
        var taken: Set<Int> = []
        var adBreak = listed
        adBreak.ads = listed.ads.compactMap { ad in
            let partner = known.listed.ads.indices.first {
                !taken.contains($0) && isSame(known.listed.ads[$0], ad)
            }
            guard let partner, taken.insert(partner).inserted, let start = known.starts[partner]?.moment else {
                return nil
            }
            var ad = ad
            (ad.start, ad.date) = (start.seconds, start.date)
            return ad
        }.sortedStably { $0.start < $1.start }
        guard let first = adBreak.ads.first else { return nil }
        (adBreak.id, adBreak.name) = (known.listed.id, known.listed.name)
        (adBreak.start, adBreak.date) = (first.start, first.date)
        let missed = known.starts.prefix { $0 == nil }.count
        adBreak.statedDuration = missed == 0 ? listed.statedDuration ?? known.listed.statedDuration : nil
        adBreak.statedDuration = adBreak.statedDuration ?? length(of: known.listed.ads.dropFirst(missed))
        return Seen(adBreak: adBreak, known: known)
    }

    /// The length of ads together; nil while one is unknown.
    private static func length(of ads: ArraySlice<ListedAd>) -> ExactDecimal? {
        var sum = ExactDecimal.zero
        for ad in ads where ad.isLinear {
            guard let length = ad.length else { return nil }
            sum = sum.plus(length)
        }
        return sum
    }
}
