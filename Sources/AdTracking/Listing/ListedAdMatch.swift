import Algorithms
import Ports

/// Which known ad each ad of a newer answer is (PRV-9): in three rounds, nearest starts first.
struct ListedAdMatch {
    /// Starts that differ by at most this can be one ad; in seconds.
    private static let near = ExactDecimal(1).quarters(2)
    /// Ads with the same id can move by at most this.
    private static let far = ExactDecimal(10)

    /// What two ads have in common that may be one.
    private enum Trait: Hashable {
        case id(String)
        case isLinear(Bool)
    }

    private struct Place: Hashable {
        var trait: Trait
        var start: ExactDecimal
    }

    private struct Pair {
        var new: Int
        var known: Int
        var distance: ExactDecimal
    }

    private let newer: [ListedAd]
    private let known: [ListedAd]
    /// The known ads that are near enough to any of the newer ones, by start.
    private let candidates: [Int]
    /// Index of the known ad of each newer one that has one.
    private(set) var partners: [Int: Int] = [:]
    private var taken: Set<Int> = []

    init(_ newer: [ListedAd], in known: [ListedAd]) {
        (self.newer, self.known) = (newer, known)
        let starts = newer.map(\.start)
        let (first, last) = ((starts.min() ?? .zero).minus(Self.far), (starts.max() ?? .zero).plus(Self.far))
        candidates = known.indices.filter { first <= known[$0].start && known[$0].start <= last }
            .sortedStably { known[$0].start < known[$1].start }
        let ofID: (ListedAd) -> Trait? = { ad in ad.id.map { Trait.id($0) } }
        let ofKind: (ListedAd) -> Trait? = { ad in Trait.isLinear(ad.isLinear) }
        pairEqualStarts(ofID)
        pairNear(ofID, within: Self.near)
        pairNear(ofID, within: Self.far)
        pairEqualStarts(ofKind)
        pairNear(ofKind, within: Self.near)
    }

    private var isOver: Bool { partners.count == newer.count || taken.count == candidates.count }

    /// Ads at one time, in their order. Most are, and ads of one time would have as many pairs as their square.
    private mutating func pairEqualStarts(_ trait: (ListedAd) -> Trait?) {
        guard !isOver else { return }
        var places: [Place: [Int]] = [:]
        for index in candidates.reversed() where !taken.contains(index) {
            guard let own = trait(known[index]) else { continue }
            places[Place(trait: own, start: known[index].start), default: []].append(index)
        }
        for index in newer.indices where partners[index] == nil {
            guard let own = trait(newer[index]),
                let match = places[Place(trait: own, start: newer[index].start)]?.popLast()
            else { continue }
            take(match, for: index)
        }
    }

    /// Ads that moved by at most that many seconds. As in a session, more than ``NodeMatch/candidatesLookedAt`` for one ad are an attack.
    private mutating func pairNear(_ trait: (ListedAd) -> Trait?, within reach: ExactDecimal) {
        guard !isOver else { return }
        let groups = groups(trait)
        var pairs: [Pair] = []
        for index in newer.indices where partners[index] == nil {
            guard let own = trait(newer[index]), let group = groups[own] else { continue }
            let start = newer[index].start
            let first = group.partitioningIndex { known[$0].start >= start.minus(reach) }
            for candidate in group[first...].prefix(NodeMatch.candidatesLookedAt) {
                let distance = start.distance(to: known[candidate].start)
                guard distance <= reach else { break }
                pairs.append(Pair(new: index, known: candidate, distance: distance))
            }
        }
        for pair in pairs.sortedStably(by: { $0.distance < $1.distance })
        where partners[pair.new] == nil && !taken.contains(pair.known) {
            take(pair.known, for: pair.new)
        }
    }

    /// The known ads that have no partner yet, by start.
    private func groups(_ trait: (ListedAd) -> Trait?) -> [Trait: [Int]] {
        var groups: [Trait: [Int]] = [:]
        for index in candidates where !taken.contains(index) {
            if let own = trait(known[index]) { groups[own, default: []].append(index) }
        }
        return groups
    }

    private mutating func take(_ match: Int, for index: Int) {
        partners[index] = match
        taken.insert(match)
    }
}
