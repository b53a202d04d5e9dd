import Ports

/// One merge of an answer's breaks into the known ones (PRV-9).
struct ListingMerge {
    /// Starts that differ by at most this can be one break; in seconds.
    private static let near = ExactDecimal(1).quarters(2)

    /// What merging found, at most ``DecodedMetadata/findingsKept``.
    private(set) var findings: [Finding] = []
    /// A finding that a break has too many ads.
    private(set) var full: Finding?
    private var breaks: [ListedBreak]
    /// The first break of each id.
    private var indices: [String: Int] = [:]
    private var places = BreaksByPlace()
    /// Breaks without an id.
    private var unnamed = BreaksByPlace()

    init(into breaks: [ListedBreak]) {
        self.breaks = breaks
        for index in breaks.indices { note(index) }
    }

    /// Adds the breaks of an answer: the same break gets what is newer, and the union of ads and events.
    mutating func add(_ newer: [ListedBreak]) {
        for new in newer {
            if let index = index(of: new) {
                merge(new, into: index)
            } else {
                breaks.append(new)
                note(breaks.count - 1)
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

    private mutating func note(_ index: Int) {
        places.insert(breaks[index], at: index)
        guard let id = breaks[index].id else { return unnamed.insert(breaks[index], at: index) }
        if indices[id] == nil { indices[id] = index }
    }

    private mutating func forget(_ index: Int) {
        places.remove(breaks[index], at: index)
        if breaks[index].id == nil { unnamed.remove(breaks[index], at: index) }
    }

    private func index(of new: ListedBreak) -> Int? {
        guard let id = new.id else { return places.index(of: new, within: Self.near) }
        // Where an earlier answer had several breaks of this id, the later ones have an id with their time.
        if let index = indices[ListedBreak.ownID(of: id, at: new.start)], breaks[index].name == id { return index }
        return indices[id] ?? unnamed.index(of: new, within: Self.near)
    }

    private mutating func merge(_ new: ListedBreak, into index: Int) {
        forget(index)
        defer { note(index) }
        if breaks[index].id == nil { (breaks[index].id, breaks[index].name) = (new.id, new.name) }
        breaks[index].start = new.start
        breaks[index].date = new.date ?? breaks[index].date
        breaks[index].planned = new.planned ?? breaks[index].planned
        breaks[index].isOpen = new.isOpen
        if let stated = new.statedDuration, stated.isPositive || breaks[index].statedDuration == nil {
            if let before = breaks[index].statedDuration, before.minus(stated) > .listedTolerance {
                report(
                    LintRule.shrank.finding("the break shrank from \(before) to \(stated) s", path: breaks[index].node))
            }
            breaks[index].statedDuration = stated
        }
        mergeAds(new.ads, into: index)
        if !new.events.isEmpty { breaks[index].events.add(new.events, inLength: breaks[index].length) }
    }

    /// Merges in place: a copy of the ads for each answer that lists the break again would cost their square.
    private mutating func mergeAds(_ newer: [ListedAd], into index: Int) {
        var partners = ListedAdMatch(newer, in: breaks[index].ads).partners
        for (number, ad) in newer.enumerated() {
            guard let partner = partners.removeValue(forKey: number) else {
                append(ad, to: index)
                continue
            }
            let before = breaks[index].ads[partner].length
            if breaks[index].ads[partner].take(ad) {
                report(
                    LintRule.shrank.finding(
                        "the ad shrank from \(before?.text ?? "-") to \(ad.length?.text ?? "-") s",
                        path: breaks[index].node(of: ad)))
            }
        }
    }

    private mutating func append(_ ad: ListedAd, to index: Int) {
        guard breaks[index].ads.count >= ListedAnswer.adsPerBreak else { return breaks[index].ads.append(ad) }
        guard full == nil else { return }
        let message = "the break has more ads than are kept: the rest is ignored"
        full = LintRule.wrongType.finding(message, path: breaks[index].node)
    }

    private mutating func report(_ finding: Finding) {
        if findings.count < DecodedMetadata.findingsKept { findings.append(finding) }
    }
}
