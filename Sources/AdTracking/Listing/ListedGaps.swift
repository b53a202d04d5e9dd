import Ports

/// An ad before the gaps in its answer are filled (PRV-11).
struct ListedAdDraft {
    var ad: ListedAd
    /// Nil where the answer has none.
    var start: ExactDecimal?
}

/// Starts and lengths that an answer leaves out, for providers whose ads have starts (PRV-11).
enum ListedGaps {
    /// The ads of one break with a start and, where anything determines it, a length.
    /// - Parameter length: the length that the answer lists for the break.
    static func filled(
        _ drafts: [ListedAdDraft], breakStart: ExactDecimal, length: ExactDecimal?, _ answer: inout ListedAnswer,
        node: (ListedAd) -> String
    ) -> [ListedAd] {
        var ads: [ListedAd] = []
        for (index, draft) in drafts.enumerated() {
            var ad = draft.ad
            ad.move(to: draft.start ?? ads.last.map { $0.end ?? $0.start } ?? breakStart)
            if ad.length == nil, ad.isLinear {
                let next = drafts.dropFirst(index + 1).lazy.filter(\.ad.isLinear).compactMap(\.start).first
                ad.length = derived(ad, next: next, breakStart: breakStart, breakLength: length)
                ad.isLengthDerived = ad.length != nil
                if let found = ad.length {
                    answer.report(.derivedLength, "the ad has no length; \(found) s are derived", at: node(ad))
                }
            }
            ads.append(ad)
        }
        return ads
    }

    private static func derived(
        _ ad: ListedAd, next: ExactDecimal?, breakStart: ExactDecimal, breakLength: ExactDecimal?
    ) -> ExactDecimal? {
        let end = next ?? breakLength.flatMap { $0.isPositive ? breakStart.plus($0) : nil }
        if let end, end > ad.start { return end.minus(ad.start) }
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
