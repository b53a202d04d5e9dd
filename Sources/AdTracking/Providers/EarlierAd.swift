package import Ports

/// An ad of which an earlier process of this session has claimed a beacon: that process saw it begin.
package struct EarlierAd: Hashable, Sendable {
    /// Ids of the break and of the ad.
    package var adBreak: String
    package var ad: String
    package var start: UnixTime

    package init(adBreak: String, ad: String, start: UnixTime) {
        (self.adBreak, self.ad, self.start) = (adBreak, ad, start)
    }

    /// Those of beacons in a journal, by start; ads without ids are not among them.
    package static func all(of beacons: [RestoredBeacon]) -> [EarlierAd] {
        let ads = beacons.compactMap { beacon -> EarlierAd? in
            let event = beacon.key.event
            guard let adBreak = event.breakName.given, let ad = event.adName.given else { return nil }
            return EarlierAd(adBreak: adBreak, ad: ad, start: event.adStart)
        }
        return Set(ads).sorted { ($0.start, $0.adBreak, $0.ad) < ($1.start, $1.adBreak, $1.ad) }
    }
}
