package import Ports

extension FindingPlace {
    /// A break, or one of its ads.
    init(_ adBreak: KnownBreak, _ ad: KnownAd? = nil) {
        self.init(adBreak: adBreak.name.text, start: adBreak.start, ad: ad?.name.text)
    }
}

extension BreakBook {
    /// The place of a change; nil when the break is not known any more.
    func place(of change: MergeChange) -> FindingPlace? {
        guard let adBreak = self[change.breakID] else { return nil }
        switch change.node {
        case .adBreak: return FindingPlace(adBreak)
        case .ad(let id): return FindingPlace(adBreak, adBreak.ads.first { $0.id == id })
        case .event(let adID, let id):
            let ad = adBreak.ads.first { $0.id == adID }
            var place = FindingPlace(adBreak, ad)
            place.event = ad?.events.first { $0.id == id }?.event.rawName
            return place
        }
    }
}

extension AdTracker {
    /// The place of an event; nil when it is not known.
    func place(of event: EventID, _ ads: inout AdFinder) -> FindingPlace? {
        guard let plan = plan(of: event), let found = ads.find(plan.adID, in: plan.breakID) else { return nil }
        var place = FindingPlace(found.adBreak, found.ad)
        place.event = ads.event(event, of: found.ad)?.event.rawName
        return place
    }

    /// The place of an event; nil when it is not known.
    package func place(of event: EventID) -> FindingPlace? {
        var ads = AdFinder(book)
        return place(of: event, &ads)
    }

    /// The place of a break; nil when it is not known.
    package func place(of id: BreakID) -> FindingPlace? { book[id].map { FindingPlace($0) } }
}
