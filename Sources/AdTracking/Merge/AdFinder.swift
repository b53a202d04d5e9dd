/// Finds ads of breaks: one pass over a break serves all its ads.
package struct AdFinder {
    private let book: BreakBook
    private var places: [BreakID: [AdID: Int]] = [:]

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
}
