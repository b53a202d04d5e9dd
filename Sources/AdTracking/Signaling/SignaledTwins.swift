import Algorithms
import Ports

/// Which ads of two sources are one ad: those that metadata and the date ranges of the playlist both describe (TRK-29).
enum SignaledTwins {
    /// Starts that differ by at most this can be one ad (PRV-9).
    static let near: Duration = .milliseconds(500)
    /// Ads before and after one that are compared with it; more of them at one place are an attack.
    private static let neighboursLookedAt = 32

    /// What tells an ad from another one.
    struct Candidate {
        var name: String?
        var start: UnixTime
        /// Zero where it is not known.
        var duration: Duration
        var isLinear: Bool
        /// Hashes of its URLs; made only for ads that nothing else matches.
        var urls: () -> Set<Fingerprint>
    }

    /// How much speaks for one ad; what is certain is found first.
    fileprivate enum Likeness: CaseIterable {
        case sameNameAndStart, sameName, sameStart, sameURL
    }

    /// For every ad of one source the ad of the other one, or nil: each is taken once, the nearest first.
    static func pairs(known: [Candidate], new: [Candidate]) -> [Int?] {
        var pairs = [Int?](repeating: nil, count: new.count)
        guard !known.isEmpty, !new.isEmpty else { return pairs }
        let order = known.indices.sorted { (known[$0].start, $0) < (known[$1].start, $1) }
        var isTaken = [Bool](repeating: false, count: known.count)
        var beacons: [Int: Set<Fingerprint>] = [:]
        for likeness in Likeness.allCases where pairs.contains(nil) {
            for index in new.indices where pairs[index] == nil {
                let middle = order.partitioningIndex { known[$0].start >= new[index].start }
                let first = max(0, middle - neighboursLookedAt)
                var like = order[first..<min(order.count, middle + neighboursLookedAt)]
                    .filter { !isTaken[$0] && new[index].isLike(known[$0], likeness) }
                if likeness == .sameURL, !like.isEmpty {
                    let own = new[index].urls()
                    like = like.filter { other in
                        let urls = beacons[other] ?? known[other].urls()
                        beacons[other] = urls
                        return !urls.isDisjoint(with: own)
                    }
                }
                let nearest =
                    like
                    .min { new[index].distance(to: known[$0], $0) < new[index].distance(to: known[$1], $1) }
                guard let nearest else { continue }
                pairs[index] = nearest
                isTaken[nearest] = true
            }
        }
        return pairs
    }
}

extension SignaledTwins.Candidate {
    /// - Parameter busters: what is not compared of URLs.
    init(_ ad: Ad, _ busters: CacheBusters) {
        self.init(name: ad.name, start: ad.start, duration: ad.duration, isLinear: ad.isLinear && ad.isInLinearSlot) {
            Set(ad.events.lazy.flatMap(\.urls).map { Fingerprint(anyTypeOf: $0, without: busters) })
        }
    }

    fileprivate func distance(to other: Self, _ index: Int) -> (Duration, Int) {
        ((start - other.start).magnitude, index)
    }

    fileprivate func isLike(_ other: Self, _ likeness: SignaledTwins.Likeness) -> Bool {
        let distance = (start - other.start).magnitude
        // The shorter one of those that are known.
        func length() -> Duration {
            min(duration, other.duration) > .zero
                ? min(duration, other.duration) : max(duration, other.duration, .zero)
        }
        switch likeness {
        case .sameNameAndStart: return distance <= SignaledTwins.near && name != nil && name == other.name
        // An ad that is shown twice in a row has one name.
        case .sameName:
            return distance <= NodeMatch.moveTolerance && distance < length() && name != nil
                && name == other.name
        case .sameStart: return distance <= SignaledTwins.near && isLinear == other.isLinear
        // Whether they have a beacon in common is looked at last.
        case .sameURL: return distance * 2 < length()
        }
    }
}

extension Fingerprint {
    /// A URL whatever its event is.
    init(anyTypeOf url: String, without busters: CacheBusters) {
        self.init(type: "", url: url, without: busters)
    }
}
