package import Ports

/// A bid for a position in a pod.
package struct PodBid: Sendable, Hashable {
    package var id: String
    /// Index among the candidates of the auction.
    package var candidate: Int
    package var cpm: ExactDecimal
    /// Duration in seconds, above zero.
    package var duration: Int
    /// `slotinpod`: -1 last, 0 any, 1 first, 2 first or last.
    package var place: Int

    package init(id: String, candidate: Int = 0, cpm: ExactDecimal, duration: Int, place: Int = 0) {
        self.id = id
        self.candidate = candidate
        self.cpm = cpm
        self.duration = duration
        self.place = place
    }
}

/// The bids that fill a pod, in playing order.
package struct PodResult: Sendable, Hashable {
    package var bids: [PodBid]
    /// Seconds filled, and seconds available.
    package var filled: Int
    package var room: Int
    /// Whether every combination was tried.
    package var isExact: Bool

    /// Sum of the CPMs.
    package var cpm: ExactDecimal { bids.reduce(.zero) { $0.adding($1.cpm) ?? $0 } }

    /// The pod as a bar for display, ids not sanitised: `[p1 30 s|p2 15 s|free 45 s] 21 for 45 of 90 s`.
    package var bar: String {
        let free = room - filled
        let parts = bids.map { "\($0.id) \($0.duration) s" } + (free > 0 ? ["free \(free) s"] : [])
        return "[\(parts.joined(separator: "|"))] \(cpm) for \(filled) of \(room) s"
    }
}

/// Fills a dynamic pod (BID-24) with the combination of the highest CPM that fits. Up to twelve bids, every combination
/// is tried; with more, bids are selected by CPM per second. Equal ones keep the order of the input.
package enum Pod {
    /// With more bids, not all combinations are tried.
    package static let exactBids = 12
    /// Most ads in a pod.
    private static let maximumAds = 60

    /// Nil when the pod has no duration.
    package static func packed(_ bids: [PodBid], in room: PodRoom) -> PodResult? {
        guard let duration = room.duration, duration > 0 else { return nil }
        let most = min(room.maximumAds ?? maximumAds, maximumAds)
        let fitting = bids.filter { $0.duration > 0 && $0.duration <= duration }
        let isExact = fitting.count <= exactBids
        let chosen = isExact ? exact(fitting, duration, most) : greedy(fitting, duration, most)
        return PodResult(
            bids: ordered(chosen) ?? [], filled: chosen.reduce(0) { $0 + $1.duration }, room: duration, isExact: isExact
        )
    }

    private static func exact(_ bids: [PodBid], _ duration: Int, _ most: Int) -> [PodBid] {
        var best: (cpm: ExactDecimal, bids: [PodBid]) = (.zero, [])
        for mask in 1..<(1 << bids.count) where mask.nonzeroBitCount <= most {
            let chosen = bids.indices.filter { mask >> $0 & 1 == 1 }.map { bids[$0] }
            guard chosen.reduce(0, { $0 + $1.duration }) <= duration, ordered(chosen) != nil else { continue }
            let cpm = chosen.reduce(ExactDecimal.zero) { $0.adding($1.cpm) ?? $0 }
            if cpm > best.cpm { best = (cpm, chosen) }
        }
        return best.bids
    }

    private static func greedy(_ bids: [PodBid], _ duration: Int, _ most: Int) -> [PodBid] {
        let ranked = bids.enumerated().sorted { left, right in
            let (first, second) = (perSecond(left.element), perSecond(right.element))
            return first == second ? left.offset < right.offset : first > second
        }
        var chosen: [(offset: Int, element: PodBid)] = []
        var filled = 0
        for bid in ranked where chosen.count < most {
            guard filled + bid.element.duration <= duration else { continue }
            let next = (chosen + [bid]).sorted { $0.offset < $1.offset }
            guard ordered(next.map(\.element)) != nil else { continue }
            chosen = next
            filled += bid.element.duration
        }
        return chosen.map(\.element)
    }

    private static func perSecond(_ bid: PodBid) -> ExactDecimal {
        ExactDecimal(exactly: Int64(bid.duration)).flatMap { bid.cpm.divided(by: $0) } ?? .zero
    }

    /// The bids in an order that satisfies all positions; nil when there is none.
    private static func ordered(_ bids: [PodBid]) -> [PodBid]? {
        var first = bids.filter { $0.place == 1 }
        var last = bids.filter { $0.place == -1 }
        for bid in bids where bid.place == 2 {
            if first.isEmpty { first.append(bid) } else { last.append(bid) }
        }
        guard first.count <= 1, last.count <= 1 else { return nil }
        return first + bids.filter { ![1, -1, 2].contains($0.place) } + last
    }
}
