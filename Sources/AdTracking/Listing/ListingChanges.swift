import Ports

/// What one more answer changed in a listing: nodes as findings call them.
package struct ListingChanges: Hashable, Sendable {
    /// New in the listing.
    package private(set) var added: [String] = []
    /// Known, and now with another time, length, id or addresses.
    package private(set) var changed: [String] = []
    /// Known, and not listed by this answer. They stay in the listing (PRV-9).
    package private(set) var dropped: [String] = []

    /// - Parameters:
    ///   - before: the breaks before the answer was merged, `after` those with it.
    ///   - answer: what the answer itself lists.
    package init(from before: [ListedBreak], to after: [ListedBreak], by answer: [ListedBreak]) {
        let (old, new) = (Self.nodes(before), Self.nodes(after))
        let known = Dictionary(old) { first, _ in first }
        let listed = Set(Self.nodes(answer).map(\.0))
        for (node, facts) in new {
            guard let earlier = known[node] else {
                added.append(node)
                continue
            }
            if earlier != facts { changed.append(node) }
        }
        dropped = old.map(\.0).filter { !listed.contains($0) }
    }

    /// The nodes in order, each with the facts that can change.
    private static func nodes(_ breaks: [ListedBreak]) -> [(String, String)] {
        let names = numbered(breaks.map(name))
        return zip(breaks, names).flatMap { adBreak, name -> [(String, String)] in
            let own = (name, "\(adBreak.start) \(adBreak.length?.text ?? "-") \(adBreak.planned?.text ?? "-")")
            let adNames = numbered(adBreak.ads.map { $0.id ?? "at \($0.start)" })
            let ads = zip(adBreak.ads, adNames).flatMap { ad, adName -> [(String, String)] in
                let node = "\(name)/\(adName)"
                return [(node, "\(ad.start) \(ad.length?.text ?? "-")")] + events(ad.events, of: node, ad.length)
            }
            return [own] + events(adBreak.events, of: name, adBreak.length) + ads
        }
    }

    /// One without an id is called by its start, or where nothing has placed it yet by its first ad.
    private static func name(_ adBreak: ListedBreak) -> String {
        let ad = adBreak.ads.first { _ in adBreak.isExpected }
        return adBreak.id ?? ad.flatMap { $0.id ?? $0.creative }.map { "of \($0)" } ?? "at \(adBreak.start)"
    }

    private static func events(_ events: [ListedEvent], of node: String, _ length: ExactDecimal?) -> [(String, String)]
    {
        let ordered = events.inOrder(inLength: length)
        return zip(ordered, numbered(ordered.map(\.name))).map { event, name in
            ("\(node)/\(name)", "\(event.offset(inLength: length)?.text ?? "-") \(event.urls)")
        }
    }

    /// One name may occur several times, as that of an ad that is on air twice in a break: from the second time on it has a number.
    private static func numbered(_ names: [String]) -> [String] {
        var counts: [String: Int] = [:]
        return names.map { name in
            let count = counts[name, default: 0] + 1
            counts[name] = count
            return count == 1 ? name : "\(name) #\(count)"
        }
    }
}
