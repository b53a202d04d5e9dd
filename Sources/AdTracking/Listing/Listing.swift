package import Ports

/// All that the answers of one session listed, merged (PRV-9). Nothing is removed because a later answer lacks it.
///
/// A session merges with ``AdTracker`` instead, which knows what was played and sent. This is for what only looks at answers:
/// `metadata parse`, and the conformance vectors.
package struct Listing: Hashable, Sendable {
    /// Starts that differ by at most this can be one break or ad; in seconds.
    private static let near = ExactDecimal(1).quarters(2)
    /// Ads with the same id can move by at most this.
    private static let far = ExactDecimal(10)

    /// In order of start.
    package private(set) var breaks: [ListedBreak] = []
    /// Findings of the answers and of merging them; ``ListingLint`` has those of the result.
    package private(set) var findings: [Finding] = []

    package init() {}

    /// Merges one more answer.
    package mutating func add(_ answer: ListedAnswer) {
        findings += answer.findings
        for new in answer.breaks {
            if let index = index(of: new) {
                merge(new, into: index)
            } else {
                breaks.append(new)
            }
        }
        breaks = breaks.map { known in
            var known = known
            known.ads = known.ads.sortedStably { $0.start < $1.start }
            return known
        }.sortedStably { $0.start < $1.start }
    }

    /// Adds a finding about the session.
    package mutating func note(_ finding: Finding) {
        findings.append(finding)
    }

    private func index(of new: ListedBreak) -> Int? {
        if let id = new.id {
            if let same = breaks.firstIndex(where: { $0.id == id }) { return same }
        }
        return breaks.firstIndex { known in
            guard known.id == nil || new.id == nil else { return false }
            if let date = known.date, let other = new.date { return date == other }
            return known.start.distance(to: new.start) <= Self.near
        }
    }

    private mutating func merge(_ new: ListedBreak, into index: Int) {
        var known = breaks[index]
        known.id = new.id ?? known.id
        known.start = new.start
        known.date = new.date ?? known.date
        known.planned = new.planned ?? known.planned
        known.isOpen = new.isOpen
        if let told = new.told, told.isPositive || known.told == nil {
            if let before = known.told, before.minus(told) > .listedTolerance {
                findings.append(
                    LintRule.shrank.finding("the break shrank from \(before) to \(told) s", path: known.node))
            }
            known.told = told
        }
        mergeAds(new.ads, into: &known)
        known.events.add(new.events, inLength: known.length)
        breaks[index] = known
    }

    private mutating func mergeAds(_ newer: [ListedAd], into known: inout ListedBreak) {
        var partners = Self.partners(of: newer, in: known.ads)
        for (index, ad) in newer.enumerated() {
            guard let partner = partners.removeValue(forKey: index) else {
                known.ads.append(ad)
                continue
            }
            let before = known.ads[partner].length
            if known.ads[partner].take(ad) {
                findings.append(
                    LintRule.shrank.finding(
                        "the ad shrank from \(before?.text ?? "-") to \(ad.length?.text ?? "-") s",
                        path: known.node(of: ad)))
            }
        }
    }

    /// The known ad of each newer one, in three rounds; nearest starts first.
    private static func partners(of newer: [ListedAd], in known: [ListedAd]) -> [Int: Int] {
        var partners: [Int: Int] = [:]
        var taken: Set<Int> = []
        let rounds: [(ListedAd, ListedAd) -> ExactDecimal?] = [
            { $0.id != nil && $0.id == $1.id ? near : nil }, { $0.id != nil && $0.id == $1.id ? far : nil },
            { $0.isLinear == $1.isLinear ? near : nil },
        ]
        for reach in rounds {
            var pairs: [(new: Int, known: Int, distance: ExactDecimal)] = []
            for (new, ad) in newer.enumerated() where partners[new] == nil {
                for (old, candidate) in known.enumerated() where !taken.contains(old) {
                    let distance = ad.start.distance(to: candidate.start)
                    if let limit = reach(ad, candidate), distance <= limit { pairs.append((new, old, distance)) }
                }
            }
            for pair in pairs.sortedStably(by: { $0.distance < $1.distance })
            where partners[pair.new] == nil && !taken.contains(pair.known) {
                partners[pair.new] = pair.known
                taken.insert(pair.known)
            }
        }
        return partners
    }
}
