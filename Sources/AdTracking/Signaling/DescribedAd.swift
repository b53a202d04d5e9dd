import Ports

extension Ad {
    /// An ad of date ranges in a break of the metadata, which does not list it.
    func alone(of breakName: String) -> Ad {
        var ad = self
        ad.signaled = SignaledAd(self, of: breakName, isAlone: true)
        for event in events.indices { ad.events[event].isSignaled = true }
        return ad
    }

    /// Whether the date range that described it is none of those that are listed.
    func isWithdrawn(from listed: Set<SignaledAd>) -> Bool {
        guard var range = signaled else { return false }
        range.isAlone = false
        return !listed.contains(range)
    }

    /// Adds what a date range lists for an ad that the metadata lists, too. A beacon in both is that of the metadata.
    /// - Parameter former: events that the metadata listed up to now.
    mutating func describe(
        by other: Ad, of breakName: String, former: [TrackingEvent], _ busters: CacheBusters
    ) {
        func key(_ url: String) -> Fingerprint { Fingerprint(anyTypeOf: url, without: busters) }
        func beacon(_ event: TrackingEvent, _ url: String) -> Fingerprint {
            let isKnown = event.type != .unknown
            return Fingerprint(type: isKnown ? event.type.rawValue : event.rawName, url: url, without: busters)
        }
        signaled = SignaledAd(other, of: breakName, isAlone: false)
        let others = Set(other.events.lazy.flatMap(\.urls).map(key))
        // Some only identify the ad.
        guard !others.isEmpty else { return }
        var beacons = Set(events.flatMap { event in event.urls.map { beacon(event, $0) } })
        for event in former where event.urls.contains(where: { others.contains(key($0)) }) {
            let own = event.urls.map { beacon(event, $0) }
            guard beacons.isDisjoint(with: own) else { continue }
            events.append(event)
            beacons.formUnion(own)
        }
        let listed = Set(events.lazy.flatMap(\.urls).map(key))
        for index in events.indices {
            let shared = events[index].urls.filter { others.contains(key($0)) }
            events[index].sharedURLs = shared
        }
        for listing in other.events {
            var event = listing
            event.urls = listing.urls.filter { !beacons.contains(beacon(listing, $0)) }
            guard !event.urls.isEmpty else { continue }
            event.isSignaled = true
            event.sharedURLs = event.urls.filter { listed.contains(key($0)) }
            events.append(event)
        }
    }
}

extension KnownAd {
    /// All that the metadata listed of the ad, with what a date range lists for it now.
    /// - Parameter other: the ad in the date range; nil where none describes it.
    /// - Returns: nil for an ad that only date ranges listed, and list no more.
    func described(by other: Ad?, of breakName: String, _ busters: CacheBusters) -> Ad? {
        if ad.signaled?.isAlone == true { return other?.alone(of: breakName) }
        var new = ad
        new.signaled = nil
        new.events = events.filter { $0.presence != .vanished && !$0.event.isSignaled }.map(\.event)
        for index in new.events.indices { new.events[index].sharedURLs = [] }
        if let other { new.describe(by: other, of: breakName, former: [], busters) }
        return new
    }
}
