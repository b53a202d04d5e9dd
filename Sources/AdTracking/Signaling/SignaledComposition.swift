import Algorithms
import Ports

/// Metadata and the date ranges of the playlist as one description (TRK-29): an ad in both is one ad of the metadata, and what only the
/// date ranges list is a part of the break that the metadata describes there.
struct SignaledComposition {
    /// What the metadata lists, with what the date ranges add; nil while there is no document.
    private(set) var document: DecodedMetadata?
    /// Breaks that only date ranges describe, by start.
    private(set) var own: [AdBreak] = []
    /// Whether date ranges add anything to the document.
    private(set) var addsAnything = false

    /// An ad that date ranges describe.
    private struct Item {
        /// Its break among those of the date ranges.
        var group: Int
        var ad: Ad
    }

    /// Place of an ad in the document.
    private struct Place {
        var adBreak: Int
        var ad: Int
    }

    /// - Parameters:
    ///   - signaled: breaks of the date ranges, by start.
    ///   - book: what is known; metadata may list what is over no more.
    ///   - busters: what is not compared of URLs.
    init(_ document: DecodedMetadata?, with signaled: [AdBreak], beside book: BreakBook, _ busters: CacheBusters) {
        self.document = document
        guard let document, !signaled.isEmpty else {
            own = signaled.map(\.signaled)
            return
        }
        let items = signaled.enumerated().flatMap { group, adBreak in adBreak.ads.map { Item(group: group, ad: $0) } }
        let breaks = Self.inStream(document.breaks, book)
        let places = breaks.flatMap { index in
            document.breaks[index].ads.indices.map { Place(adBreak: index, ad: $0) }
        }
        func ad(_ place: Place) -> Ad { document.breaks[place.adBreak].ads[place.ad] }
        let candidates = items.map { SignaledTwins.Candidate($0.ad, busters) }
        let listed = places.map { SignaledTwins.Candidate(ad($0), busters) }
        let twins = SignaledTwins.pairs(known: listed, new: candidates)
        let former = document.keepsUnlisted ? Self.former(listed, beside: book, busters) : []
        let rest = items.indices.filter { twins[$0] == nil }
        let over = Self.over(rest.map { candidates[$0] }, beside: document, book, busters)
        let homes = Self.homes(
            of: items, twins: twins.map { $0.map { places[$0].adBreak } }, among: document.breaks, breaks)
        var changed: Set<Int> = []
        var left: [Int: [Ad]] = [:]
        for (index, twin) in twins.enumerated() {
            guard let twin else { continue }
            let place = places[twin]
            self.document?.breaks[place.adBreak].ads[place.ad].describe(
                by: items[index].ad, of: signaled[items[index].group].name ?? "",
                former: former.isEmpty ? [] : former[twin], busters)
        }
        for (index, isOver) in zip(rest, over) where !isOver {
            let item = items[index]
            guard let home = homes[index] else {
                left[item.group, default: []].append(item.ad)
                continue
            }
            self.document?.breaks[home].ads.append(item.ad.alone(of: signaled[item.group].name ?? ""))
            changed.insert(home)
        }
        addsAnything = !changed.isEmpty || twins.contains { $0 != nil }
        for index in changed {
            let ads = self.document?.breaks[index].ads ?? []
            self.document?.breaks[index].ads = ads.sortedStably { $0.start < $1.start }
        }
        own = signaled.indices.compactMap { group in
            guard let ads = left[group] else { return nil }
            var adBreak = signaled[group]
            adBreak.ads = ads
            return adBreak.signaled
        }
    }

    /// The breaks of a document that are a part of the stream: others are at the dates of an interstitial.
    private static func inStream(_ breaks: [AdBreak], _ book: BreakBook) -> [Int] {
        let elsewhere = Dictionary(
            grouping: book.breaks.lazy.filter { $0.source == .metadata && $0.track != .primary }, by: \.name.given
        ).mapValues { $0.map(\.start).sorted() }
        return breaks.indices.filter { index in
            guard breaks[index].track == .primary else { return false }
            guard let starts = elsewhere[breaks[index].name] else { return true }
            let start = breaks[index].start
            let next = starts.partitioningIndex { $0 >= start - NodeMatch.moveTolerance }
            return next == starts.count || starts[next] > start + NodeMatch.moveTolerance
        }
    }

    /// For each ad of a page what the metadata listed of it up to now: pages do not list what is finished, though the viewer may not have
    /// seen it yet.
    private static func former(
        _ listed: [SignaledTwins.Candidate], beside book: BreakBook, _ busters: CacheBusters
    ) -> [[TrackingEvent]] {
        let known = book.breaks.filter { $0.source == .metadata && $0.track == .primary && $0.presence != .vanished }
            .flatMap(\.presentAds).filter { $0.ad.signaled?.isAlone != true }
        return SignaledTwins.pairs(known: known.map { SignaledTwins.Candidate($0.ad, busters) }, new: listed)
            .map { pair in
                let events = pair.map { known[$0].events } ?? []
                return events.filter { $0.presence != .vanished && !$0.event.isSignaled }.map(\.event)
            }
    }

    /// For each ad that the document does not list, whether an earlier one did: pages do not list what is finished.
    private static func over(
        _ rest: [SignaledTwins.Candidate], beside document: DecodedMetadata, _ book: BreakBook, _ busters: CacheBusters
    ) -> [Bool] {
        guard !rest.isEmpty else { return [] }
        let names = Set(document.breaks.compactMap(\.name))
        let starts = Set(document.breaks.lazy.filter { $0.name == nil }.map(\.start))
        let known = book.breaks.filter { $0.source == .metadata && $0.presence != .vanished }.flatMap { adBreak in
            let isListed = adBreak.name.given.map(names.contains) ?? starts.contains(adBreak.start)
            return adBreak.presentAds.filter { !document.lists($0, inListedBreak: isListed) }.map(\.ad)
        }
        let candidates = known.map { SignaledTwins.Candidate($0, busters) }
        let listed = document.breaks.flatMap(\.ads).map { SignaledTwins.Candidate($0, busters) }
        let still = Set(SignaledTwins.pairs(known: candidates, new: listed).compacted())
        let former = candidates.indices.filter { !still.contains($0) }.map { candidates[$0] }
        return SignaledTwins.pairs(known: former, new: rest).map { $0 != nil }
    }

    /// For each ad of the date ranges the break of the document that it is a part of: the one that is on the air when it starts, else that
    /// of the ad before it in its own break, or of the one after it.
    private static func homes(
        of items: [Item], twins: [Int?], among breaks: [AdBreak], _ places: [Int]
    ) -> [Int?] {
        let ends = places.map { breaks[$0].plannedEnd }
        var homes = items.map { item -> Int? in
            let next = places.partitioningIndex { breaks[$0].start > item.ad.start + SignaledTwins.near }
            guard next > 0 else { return nil }
            let isThere =
                item.ad.start < ends[next - 1] || item.ad.start <= breaks[places[next - 1]].start + SignaledTwins.near
            return isThere ? places[next - 1] : nil
        }
        for (index, twin) in twins.enumerated() { homes[index] = twin ?? homes[index] }
        for order in [Array(items.indices), items.indices.reversed()] {
            var before: (group: Int, home: Int)?
            for index in order {
                if let home = homes[index] {
                    before = (items[index].group, home)
                } else if let before, before.group == items[index].group {
                    homes[index] = before.home
                }
            }
        }
        return homes
    }
}

extension DecodedMetadata {
    /// Whether it would list an ad that it knows of: what it lacks then is gone. What only date ranges list in a break goes with that.
    fileprivate func lists(_ ad: KnownAd, inListedBreak isListed: Bool) -> Bool {
        if isListed, ad.ad.signaled?.isAlone == true { return true }
        return !keepsUnlisted && (dataRange?.contains(ad.start) ?? isListed)
    }
}

extension AdBreak {
    /// With its events marked as those of date ranges.
    fileprivate var signaled: AdBreak {
        var adBreak = self
        for ad in ads.indices {
            for event in ads[ad].events.indices { adBreak.ads[ad].events[event].isSignaled = true }
        }
        return adBreak
    }
}

extension Ad {
    /// An ad of date ranges in a break of the metadata, which does not list it.
    fileprivate func alone(of breakName: String) -> Ad {
        var ad = self
        ad.signaled = SignaledAd(self, of: breakName, isAlone: true)
        for event in events.indices { ad.events[event].isSignaled = true }
        return ad
    }

    /// Adds what a date range says of an ad that the metadata lists. A beacon in both is that of the metadata.
    /// - Parameter former: events that the metadata listed up to now.
    fileprivate mutating func describe(
        by other: Ad, of breakName: String, former: [TrackingEvent], _ busters: CacheBusters
    ) {
        func key(_ url: String) -> Fingerprint { Fingerprint(anyTypeOf: url, without: busters) }
        func beacon(_ event: TrackingEvent, _ url: String) -> Fingerprint {
            let isKnown = event.type != .unknown
            return Fingerprint(type: isKnown ? event.type.rawValue : event.rawName, url: url, without: busters)
        }
        signaled = SignaledAd(other, of: breakName, isAlone: false)
        let others = Set(other.events.lazy.flatMap(\.urls).map(key))
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
