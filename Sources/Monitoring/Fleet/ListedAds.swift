import Fleet
import Ports
import Session

/// What metadata listed of the newest ads of a viewer. Reports show it; no decision depends on it.
struct ListedAds {
    /// Ads that are remembered at most: an agent has thousands of viewers.
    static let limit = 128
    /// Breaks into which an ad may still be listed.
    static let breakLimit = 32

    private var breaks: [JournalNote.Break] = []
    private var listings: [Int64: AdListing] = [:]
    /// The ads, the one that was listed first at the front.
    private var order: [Int64] = []

    /// Notes what is listed; other notes do nothing.
    mutating func add(_ note: JournalNote.Content) {
        switch note {
        case .adBreak(let listed):
            breaks.removeAll { $0.name == listed.name && $0.start == listed.start }
            if breaks.count >= Self.breakLimit { breaks.removeFirst() }
            breaks.append(listed)
        case .ad(let ad): add(ad)
        default: break
        }
    }

    private mutating func add(_ ad: JournalNote.Ad) {
        let id = BeaconIdentity.ad(breakName: ad.breakName, name: ad.name, firstStart: ad.firstStart).id
        var listing = AdListing(duration: ad.duration)
        // The note of a break comes before those of its ads, also where its name was used before.
        if let adBreak = breaks.last(where: { $0.name == ad.breakName }) {
            listing.breakStart = .microseconds(adBreak.start.microseconds)
            listing.breakDuration = adBreak.duration
            listing.source = adBreak.source
        }
        if listings.updateValue(listing, forKey: id) == nil { order.append(id) }
        if order.count > Self.limit { listings[order.removeFirst()] = nil }
    }

    /// The ad with what was listed of it.
    func completed(_ ad: ClaimedAd) -> ClaimedAd {
        var ad = ad
        ad.listing = listings[ad.id]
        return ad
    }
}
