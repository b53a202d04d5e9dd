import Ports

/// One merge of an answer's breaks into the known ones (PRV-9).
struct ListingMerge {
    /// Starts that differ by at most this can be one break or ad; in seconds.
    private static let near = ExactDecimal(1).quarters(2)
    /// Ads with the same id can move by at most this.
    private static let far = ExactDecimal(10)

    /// What merging found.
    private(set) var findings: [Finding] = []
    private var breaks: [ListedBreak]
    /// The first break of each id, and the breaks without one.
    private var indices: [String: Int] = [:]
    private var unnamed: [Int] = []
    /// Whether ads of a break were too many.
    private(set) var isFull: Bool

    /// - Parameter isFull: whether that was found before.
    init(into breaks: [ListedBreak], isFull: Bool) {
        (self.breaks, self.isFull) = (breaks, isFull)
        for index in breaks.indices { noteID(of: index) }
    }

    /// Adds the breaks of an answer: the same break gets what is newer, and the union of ads and events.
    mutating func add(_ newer: [ListedBreak]) {
        for new in newer {
            if let index = index(of: new) {
                merge(new, into: index)
            } else {
                breaks.append(new)
                noteID(of: breaks.count - 1)
            }
        }
    }

    /// The breaks and their ads in order of start.
    var sorted: [ListedBreak] {
        breaks.map { known in
            var known = known
            known.ads = known.ads.sortedStably { $0.start < $1.start }
            return known
        }.sortedStably { $0.start < $1.start }
    }

    private mutating func noteID(of index: Int) {
        guard let id = breaks[index].id else { return unnamed.append(index) }
        if indices[id] == nil { indices[id] = index }
    }

    private func index(of new: ListedBreak) -> Int? {
        guard let id = new.id else { return breaks.indices.first { isNear(new, to: $0) } }
        return indices[id] ?? unnamed.first { isNear(new, to: $0) }
    }

    private func isNear(_ new: ListedBreak, to index: Int) -> Bool {
        if let date = breaks[index].date, let other = new.date { return date == other }
        return breaks[index].start.distance(to: new.start) <= Self.near
    }

    private mutating func merge(_ new: ListedBreak, into index: Int) {
        if let id = new.id, breaks[index].id == nil {
            breaks[index].id = id
            indices[id] = index
            unnamed.removeAll { $0 == index }
        }
        breaks[index].start = new.start
        breaks[index].date = new.date ?? breaks[index].date
        breaks[index].planned = new.planned ?? breaks[index].planned
        breaks[index].isOpen = new.isOpen
        if let told = new.told, told.isPositive || breaks[index].told == nil {
            if let before = breaks[index].told, before.minus(told) > .listedTolerance {
                findings.append(
                    LintRule.shrank.finding("the break shrank from \(before) to \(told) s", path: breaks[index].node))
            }
            breaks[index].told = told
        }
        mergeAds(new.ads, into: index)
        if !new.events.isEmpty { breaks[index].events.add(new.events, inLength: breaks[index].length) }
    }

    /// Merges in place: a copy of the ads for each answer that lists the break again would cost their square.
    private mutating func mergeAds(_ newer: [ListedAd], into index: Int) {
        var partners = Self.partners(of: newer, in: breaks[index].ads)
        for (number, ad) in newer.enumerated() {
            guard let partner = partners.removeValue(forKey: number) else {
                append(ad, to: index)
                continue
            }
            let before = breaks[index].ads[partner].length
            if breaks[index].ads[partner].take(ad) {
                findings.append(
                    LintRule.shrank.finding(
                        "the ad shrank from \(before?.text ?? "-") to \(ad.length?.text ?? "-") s",
                        path: breaks[index].node(of: ad)))
            }
        }
    }

    private mutating func append(_ ad: ListedAd, to index: Int) {
        guard breaks[index].ads.count >= ListedAnswer.adsPerBreak else { return breaks[index].ads.append(ad) }
        guard !isFull else { return }
        isFull = true
        let message = "the break has more ads than are kept: the rest is ignored"
        findings.append(LintRule.wrongType.finding(message, path: breaks[index].node))
    }

    /// The known ad of each newer one, in three rounds; nearest starts first.
    private static func partners(of newer: [ListedAd], in known: [ListedAd]) -> [Int: Int] {
        var partners: [Int: Int] = [:]
        var taken: Set<Int> = []
        let rounds: [(ListedAd, ListedAd) -> ExactDecimal?] = [
            { $0.id != nil && $0.id == $1.id ? near : nil }, { $0.id != nil && $0.id == $1.id ? far : nil },
            { $0.isLinear == $1.isLinear ? near : nil },
        ]
        let candidates = pairs(of: newer, in: known)
        for reach in rounds where !candidates.isEmpty {
            let pairs = candidates.filter { pair in
                guard partners[pair.new] == nil, !taken.contains(pair.known) else { return false }
                return reach(newer[pair.new], known[pair.known]).map { pair.distance <= $0 } ?? false
            }
            for pair in pairs.sortedStably(by: { $0.distance < $1.distance })
            where partners[pair.new] == nil && !taken.contains(pair.known) {
                partners[pair.new] = pair.known
                taken.insert(pair.known)
            }
        }
        return partners
    }

    private struct Pair {
        var new: Int
        var known: Int
        var distance: ExactDecimal
    }

    /// Ads that are near enough for one of the rounds. Most are not, and no round needs to look at those.
    private static func pairs(of newer: [ListedAd], in known: [ListedAd]) -> [Pair] {
        let starts = known.map(\.start)
        var pairs: [Pair] = []
        for (new, ad) in newer.enumerated() {
            for (old, start) in starts.enumerated() {
                let distance = ad.start.distance(to: start)
                if distance <= far { pairs.append(Pair(new: new, known: old, distance: distance)) }
            }
        }
        return pairs
    }
}
