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
    /// Ads that the document lists no more and that are not gone, where date ranges list something new for them.
    private(set) var unlisted: [UnlistedAd] = []

    /// A known ad of the metadata that the newest document does not list: it may be over, or not yet played.
    struct UnlistedAd {
        let place: MergeReport.AdPlace
        /// With what the date ranges add; nil if only they listed it, and do no more.
        let ad: Ad?
    }

    /// An ad that date ranges describe.
    private struct Item {
        /// Its break among those of the date ranges.
        var group: Int
        /// Its name; empty if it has none.
        var breakName: String
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
        guard let document, !signaled.isEmpty || book.hasSignaledAds else {
            own = signaled.map(\.signaled)
            return
        }
        let items = signaled.enumerated().flatMap { group, adBreak in
            adBreak.ads.map { Item(group: group, breakName: adBreak.name ?? "", ad: $0) }
        }
        let candidates = items.map { SignaledTwins.Candidate($0.ad, busters) }
        let breaks = Self.inStream(document.breaks, book)
        let places = breaks.flatMap { index in
            document.breaks[index].ads.indices.map { Place(adBreak: index, ad: $0) }
        }
        let listed = places.map { SignaledTwins.Candidate(document.breaks[$0.adBreak].ads[$0.ad], busters) }
        let twins = SignaledTwins.pairs(known: listed, new: candidates)
        let former = document.keepsUnlisted ? Self.former(listed, beside: book, busters) : []
        for (item, twin) in zip(items, twins) {
            guard let twin else { continue }
            let place = places[twin]
            self.document?.breaks[place.adBreak].ads[place.ad].describe(
                by: item.ad, of: item.breakName, former: former.isEmpty ? [] : former[twin], busters)
        }
        let rest = items.indices.filter { twins[$0] == nil }
        let known = Self.unlisted(beside: document, book, busters)
        let over = SignaledTwins.pairs(
            known: known.map { SignaledTwins.Candidate($0.ad.ad, busters) }, new: rest.map { candidates[$0] })
        unlisted = Self.described(
            known, by: zip(rest, over).map { ($1, items[$0]) },
            listed: Set(items.map { SignaledAd($0.ad, of: $0.breakName, isAlone: false) }), busters)
        let homes = Self.homes(
            of: items, twins: twins.map { $0.map { places[$0].adBreak } }, among: document.breaks, breaks)
        let new = zip(rest, over).filter { $1 == nil }.map { index, _ in (item: items[index], home: homes[index]) }
        add(new)
        addsAnything = new.contains { $0.home != nil } || twins.contains { $0 != nil }
        own = Self.own(new.lazy.filter { $0.home == nil }.map(\.item), of: signaled)
    }

    /// Adds what only date ranges list to the breaks of the document that it is a part of.
    private mutating func add(_ new: [(item: Item, home: Int?)]) {
        for (item, home) in new {
            guard let home else { continue }
            document?.breaks[home].ads.append(item.ad.alone(of: item.breakName))
        }
        for home in Set(new.compactMap(\.home)) {
            let ads = document?.breaks[home].ads ?? []
            document?.breaks[home].ads = ads.sortedStably { $0.start < $1.start }
        }
    }

    /// The breaks of the date ranges, with no other ads than these.
    private static func own(_ items: some Sequence<Item>, of signaled: [AdBreak]) -> [AdBreak] {
        let groups = Dictionary(grouping: items, by: \.group)
        return signaled.indices.compactMap { group in
            guard let items = groups[group] else { return nil }
            var adBreak = signaled[group]
            adBreak.ads = items.map(\.ad)
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
            .flatMap(\.presentAds).filter { $0.details.signaled?.isAlone != true }
        return SignaledTwins.pairs(known: known.map { SignaledTwins.Candidate($0.ad, busters) }, new: listed)
            .map { pair in
                let events = pair.map { known[$0].events } ?? []
                return events.filter { $0.presence != .vanished && !$0.event.isSignaled }.map(\.event)
            }
    }

    /// The ads of earlier documents that the newest one does not list, without those that it would list: pages do not list what is
    /// finished, and a window moves on.
    private static func unlisted(
        beside document: DecodedMetadata, _ book: BreakBook, _ busters: CacheBusters
    ) -> [(adBreak: KnownBreak, ad: KnownAd)] {
        let names = Set(document.breaks.compactMap(\.name))
        let starts = Set(document.breaks.lazy.filter { $0.name == nil }.map(\.start))
        let known = book.breaks.filter { $0.source == .metadata && $0.presence != .vanished }.flatMap { adBreak in
            let isListed = adBreak.name.given.map(names.contains) ?? starts.contains(adBreak.start)
            return adBreak.presentAds.filter { !document.lists($0, inListedBreak: isListed) }
                .map { (adBreak: adBreak, ad: $0) }
        }
        let candidates = known.map { SignaledTwins.Candidate($0.ad.ad, busters) }
        let listed = document.breaks.flatMap(\.ads).map { SignaledTwins.Candidate($0, busters) }
        let still = Set(SignaledTwins.pairs(known: candidates, new: listed).compacted())
        return known.indices.filter { !still.contains($0) }.map { known[$0] }
    }

    /// What date ranges list for the ads that the document does not, where that is new.
    /// - Parameters:
    ///   - signaled: ads of date ranges, and which of the known ads each is.
    ///   - listed: all ads of date ranges.
    private static func described(
        _ known: [(adBreak: KnownBreak, ad: KnownAd)], by signaled: [(known: Int?, item: Item)],
        listed: Set<SignaledAd>, _ busters: CacheBusters
    ) -> [UnlistedAd] {
        var others: [Int: Item] = [:]
        for case (let index?, let item) in signaled { others[index] = item }
        return known.indices.compactMap { index in
            let (adBreak, ad) = known[index]
            // Dates of an interstitial are no dates of the stream.
            guard adBreak.track == .primary, others[index] != nil || ad.details.isWithdrawn(from: listed) else {
                return nil
            }
            let new = ad.described(by: others[index]?.ad, of: others[index]?.breakName ?? "", busters)
            guard new != ad.ad else { return nil }
            return UnlistedAd(place: MergeReport.AdPlace(breakID: adBreak.id, adID: ad.id), ad: new)
        }
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
        if isListed, ad.details.signaled?.isAlone == true { return true }
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

extension BreakBook {
    /// Whether date ranges described any ad of the metadata.
    fileprivate var hasSignaledAds: Bool {
        breaks.contains { $0.source == .metadata && $0.ads.contains { $0.details.signaled != nil } }
    }
}
