import Algorithms
import Ports

/// An ad before the gaps in its answer are filled (PRV-11).
struct ListedAdDraft {
    var ad: ListedAd
    /// Nil where the answer has none.
    var start: ExactDecimal?
}

/// Starts and lengths that an answer leaves out, for providers whose ads have starts (PRV-11).
enum ListedGaps {
    /// The ads behind one that have no start and follow it end to end.
    private struct Followers {
        var length = ExactDecimal.zero
        /// Whether one of them has no length.
        var lackLength = false
    }

    /// The ads of one break with a start and, where anything determines it, a length.
    /// - Parameter length: the length that the answer lists for the break.
    static func filled(
        _ drafts: [ListedAdDraft], breakStart: ExactDecimal, length: ExactDecimal?, _ answer: inout ListedAnswer,
        node: (ListedAd) -> String
    ) -> [ListedAd] {
        let starts = drafts.filter(\.ad.isLinear).compactMap(\.start).sorted()
        let breakEnd = length.flatMap { $0.isPositive ? breakStart.plus($0) : nil }
        let followers = followers(of: drafts)
        var ads: [ListedAd] = []
        // Behind an ad of unknown length nothing shows where the next one starts, and so how long it is.
        var isPlaced = true
        for (index, draft) in drafts.enumerated() {
            var ad = draft.ad
            ad.move(to: draft.start ?? ads.last.map { $0.end ?? $0.start } ?? breakStart)
            isPlaced = isPlaced || draft.start != nil
            if ad.length == nil, ad.isLinear, isPlaced {
                let next = starts[starts.partitioningIndex { $0 > ad.start }...].first
                ad.length = derived(ad, until: next ?? breakEnd, followers[index])
                ad.isLengthDerived = ad.length != nil
                if let found = ad.length {
                    answer.report(.derivedLength, "the ad has no length; \(found) s are derived", at: node(ad))
                }
            }
            if ad.isLinear, ad.length == nil { isPlaced = false }
            ads.append(ad)
        }
        return ads
    }

    /// The followers of each ad, in the order of the ads.
    private static func followers(of drafts: [ListedAdDraft]) -> [Followers] {
        var all: [Followers] = []
        var next = Followers()
        for draft in drafts.reversed() {
            all.append(next)
            if draft.start != nil { next = Followers() }
            guard draft.start == nil, draft.ad.isLinear else { continue }
            if let length = draft.ad.length { next.length = next.length.plus(length) } else { next.lackLength = true }
        }
        return all.reversed()
    }

    /// - Parameter end: where the last of the followers ends.
    private static func derived(_ ad: ListedAd, until end: ExactDecimal?, _ followers: Followers) -> ExactDecimal? {
        if let end, !followers.lackLength {
            let rest = end.minus(ad.start).minus(followers.length)
            if rest.isPositive { return rest }
        }
        return ad.events.compactMap(\.statedOffset).max().flatMap { $0.isPositive ? $0 : nil }
    }
}

extension ListedAd {
    /// Begins elsewhere; what has a time of its own stays where it is.
    fileprivate mutating func move(to start: ExactDecimal) {
        let shift = self.start.minus(start)
        self.start = start
        guard shift != .zero else { return }
        for index in events.indices { events[index].statedOffset = events[index].statedOffset?.plus(shift) }
    }
}
