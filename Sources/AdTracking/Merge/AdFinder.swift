/// Finds ads of breaks: one pass over a break serves all its ads.
package struct AdFinder {
    private let book: BreakBook
    private var places: [BreakID: [AdID: Int]] = [:]
    /// The events of the ad that was asked for last.
    private var newest: (ad: AdID, events: [EventID: KnownEvent])?

    package init(_ book: BreakBook) {
        self.book = book
    }

    package mutating func find(_ ad: AdID, in id: BreakID) -> (adBreak: KnownBreak, ad: KnownAd)? {
        guard let adBreak = book[id] else { return nil }
        if places[id] == nil {
            places[id] = Dictionary(uniqueKeysWithValues: adBreak.ads.lazy.map(\.id).enumerated().map { ($1, $0) })
        }
        return places[id]?[ad].map { (adBreak, adBreak.ads[$0]) }
    }

    /// An event of an ad that was found.
    mutating func event(_ id: EventID, of ad: KnownAd) -> KnownEvent? {
        if newest?.ad != ad.id {
            newest = (ad.id, Dictionary(uniqueKeysWithValues: ad.events.lazy.map { ($0.id, $0) }))
        }
        return newest?.events[id]
    }
}
