package import Ports

/// The media ids of a live stream, in the order of the media, joined with its metadata: they place ads and events (PRV-45).
package struct DAIMediaIDs: Hashable, Sendable {
    /// Most ids that are remembered; the oldest are forgotten. A break has about five for each ad, and one for each second.
    package static let limit = 5_000
    /// Longest id, in bytes.
    package static let longestID = 1_024

    struct Seen: Hashable {
        let id: String
        let at: MediaMoment
        /// Date from which on the media was read when it was found; nil where that is not known.
        let readFrom: UnixTime?
        /// What it means. It does not change any more: under another meaning the id would be another beacon.
        var tag: DAIMetadata.Tag?
        /// Whether it has none for good: it was due before a tag came, so that its beacon may have been sent.
        var isLoose = false
        /// Whether metadata was requested since.
        var isAsked = false
        /// Whether a request that was made later brought no tag for it; a newer one may bring one.
        var isUntagged = false

        /// Whether it is loose as soon as the viewer is there.
        var waits: Bool { isUntagged && !isLoose && tag == nil }

        /// Whether the viewer joined between that moment and this one.
        func wasJoined(behind moment: MediaMoment) -> Bool {
            guard let readFrom, let date = at.date, let start = moment.date else { return false }
            return start < readFrom && readFrom <= date
        }

        /// Whether the viewer joined in the break that begins with this ad as far as was seen, or so short before that an ad may have ended
        /// in between.
        func wasJoined(near first: ListedAd) -> Bool {
            guard let readFrom, let date = at.date, let start = first.date else { return false }
            return start - Self.silence < readFrom && readFrom <= date
        }

        /// An ad has an id at each quarter at least.
        private static let silence: Duration = .seconds(5)
    }

    private(set) var seen: [Seen] = []
    private var known: Set<String> = []
    /// The id nearest to the beginning.
    private var earliest: Seen?
    /// Where the viewer reaches ids that wait for a tag, in order; some may have got one since.
    private var awaited: [UnixTime] = []
    /// What the address of a verification begins with; nil if the session has none.
    let verification: WebURL?
    /// Ids that former sessions of the viewer verified: they place ads, and are no events any more.
    var verified = KeyedEntries<Bool>(limit: limit)

    package init(verification: WebURL?) {
        self.verification = verification
    }

    /// Notes an id; the first time counts (another rendition, segments that overlap).
    /// - Parameter date: from which on the media is read.
    /// - Returns: whether it is new.
    @discardableResult
    package mutating func add(_ id: String, at moment: MediaMoment, readFrom date: UnixTime? = nil) -> Bool {
        guard !id.isEmpty, id.utf8.count <= Self.longestID, known.insert(id).inserted else { return false }
        let new = Seen(id: id, at: moment, readFrom: date)
        seen.append(new)
        if earliest.map({ moment.seconds < $0.at.seconds }) ?? true { earliest = new }
        guard seen.count > Self.limit + Self.limit / 4 else { return true }
        for old in seen.prefix(seen.count - Self.limit) { known.remove(old.id) }
        seen.removeFirst(seen.count - Self.limit)
        return true
    }

    /// The session replaces one that verified these addresses: the viewer has each id once, whichever session has it.
    mutating func replaces(_ former: DAIMediaIDs, thatVerified urls: [String]) {
        for id in former.verified.keys + urls.compactMap({ former.id(in: $0) }) { verified.note(true, for: id) }
    }

    /// Whether a former session of the viewer verified an id.
    func isVerified(_ id: String) -> Bool { verified[id] != nil }

    /// Metadata is requested: its answer may have tags for all ids so far.
    mutating func requested() {
        for index in seen.indices { seen[index].isAsked = true }
    }

    /// Gives ids their meaning.
    /// - Returns: the breaks of ids that got one.
    mutating func join(_ metadata: DAIMetadata) -> Set<String> {
        var joined: Set<String> = []
        for index in seen.indices where seen[index].tag == nil && !seen[index].isLoose {
            guard let tag = metadata.tag(of: seen[index].id), tag.ad != nil, let adBreak = tag.adBreak else { continue }
            seen[index].tag = tag
            joined.insert(adBreak)
        }
        return joined
    }

    /// The request for metadata is over, and what its answer has is joined: ids that it was about and that have no tag wait for one until
    /// the viewer is there. An answer without metadata counts, too: with a server that fails no id would be verified otherwise.
    mutating func answered() {
        for index in seen.indices where seen[index].isAsked && seen[index].tag == nil && !seen[index].isLoose {
            seen[index].isUntagged = true
        }
        // Where there are no dates, the viewer may be there already.
        awaited = seen.filter(\.waits).map { $0.at.date ?? UnixTime(microseconds: .min) }.sorted()
    }

    /// Whether ids wait for a tag.
    var hasAwaited: Bool { !awaited.isEmpty }

    /// The first moment after that one at which the viewer reaches an id that waits for a tag.
    func nextAwaited(after date: UnixTime) -> UnixTime? { awaited.first { $0 > date } }

    /// The viewer is at that date: what has no tag so far is due there and has none for good.
    /// - Parameter date: nil where it is not known, or before the join: nothing can be waited for.
    /// - Returns: the ids that have none for good now.
    mutating func reached(_ date: UnixTime?) -> Set<String> {
        guard let first = awaited.first, date.map({ first <= $0 }) ?? true else { return [] }
        var loose: Set<String> = []
        for index in seen.indices where seen[index].waits {
            if let date, let place = seen[index].at.date, date < place { continue }
            seen[index].isLoose = true
            loose.insert(seen[index].id)
        }
        if let date { awaited.removeAll { $0 <= date } } else { awaited = [] }
        return loose
    }

    /// Date of the first id that has neither a tag nor been found to have none.
    var unexplainedFrom: UnixTime? {
        seen.lazy.filter { $0.tag == nil && !$0.isLoose }.compactMap { $0.at.date }.min()
    }

    /// The address that verifies an id; nil if the session has none.
    func url(of id: String) -> String? { verification.map { $0.text + id } }

    // MARK: Joined with metadata

    /// An id without a tag: it is verified too, and belongs to no ad.
    package struct Loose: Hashable, Sendable {
        package let id: String
        package let at: MediaMoment
        /// Nil if the session has none.
        package let url: String?
        /// Whether it has none for good, so that it is due.
        package let isSettled: Bool

        package var finding: Finding {
            ProviderRule.unknownMedia.finding("no metadata has the media id '\(id)'", path: id)
        }
    }

    /// What the ids place, and what is wrong with it.
    package struct Placed: Hashable, Sendable {
        package var answer = ListedAnswer()
        package var loose: [Loose] = []
        /// Breaks of which fewer ads were seen than announced; while a break is on air it has none of the later ones.
        package var fewer: [Finding] = []
        /// The ad of the earliest id, which may have been on air when the stream was joined.
        package var joined: String?
    }

    private struct AdKey: Hashable {
        let adBreak: String
        let ad: String
    }

    private struct Found {
        let seen: Seen
        let type: String
    }

    package func placed(by metadata: DAIMetadata) -> Placed {
        var placed = Placed()
        var found: [AdKey: [Found]] = [:]
        var ads: [String: [AdKey]] = [:]
        var breaks: [String] = []
        for entry in seen {
            let meaning = entry.isLoose ? nil : entry.tag ?? metadata.tag(of: entry.id)
            guard let tag = meaning, let ad = tag.ad, let adBreak = tag.adBreak else {
                guard !isVerified(entry.id) else { continue }
                placed.loose.append(
                    Loose(id: entry.id, at: entry.at, url: url(of: entry.id), isSettled: entry.isLoose))
                continue
            }
            let key = AdKey(adBreak: adBreak, ad: ad)
            if ads[adBreak] == nil { breaks.append(adBreak) }
            if found[key] == nil { ads[adBreak, default: []].append(key) }
            found[key, default: []].append(Found(seen: entry, type: tag.type))
        }
        for id in breaks where placed.answer.admitsBreak() {
            place(id, (ads[id] ?? []).map { ($0.ad, found[$0] ?? []) }, metadata, into: &placed)
        }
        return placed
    }

    private func place(
        _ id: String, _ ads: [(id: String, found: [Found])], _ metadata: DAIMetadata, into placed: inout Placed
    ) {
        let entry = metadata.breaks[id]
        var adBreak = ListedBreak(id: id, start: .zero, statedDuration: ListedTime.seconds(entry?["duration"]))
        adBreak.planned = ListedTime.seconds(entry?["expected_duration"])
        for (ad, found) in ads where placed.answer.admitsAd(to: adBreak.ads.count) {
            guard let ad = self.ad(ad, found, of: adBreak, metadata.ads[ad], &placed.answer) else { continue }
            if found.contains(where: { $0.seen.id == earliest?.id }) { placed.joined = adBreak.node(of: ad) }
            adBreak.ads.append(ad)
        }
        adBreak.ads = adBreak.ads.sortedStably { $0.start < $1.start }
        guard let first = adBreak.ads.first else { return }
        (adBreak.start, adBreak.date) = (first.start, first.date)
        placed.answer.breaks.append(adBreak)
        let ids = ads.flatMap { $0.found.map(\.seen) }
        if let announced = entry?["ads"]?.listedNumber, ExactDecimal(Int32(adBreak.ads.count)) < announced,
            !ids.contains(where: { $0.wasJoined(near: first) })
        {
            placed.fewer.append(
                ProviderRule.fewerAds.finding(
                    "\(adBreak.ads.count) of the \(announced.text) announced ads were seen in the media", path: id))
        }
    }

    private func ad(
        _ id: String, _ found: [Found], of adBreak: ListedBreak, _ entry: JSONValue?, _ answer: inout ListedAnswer
    ) -> ListedAd? {
        let length = ListedTime.seconds(entry?["duration"])
        guard let (start, isEstimated) = Self.start(found, inLength: length) else { return nil }
        var ad = ListedAd(id: id, start: start.seconds, length: length)
        ad.date = start.date
        if let entry { ad.takeDetails(of: entry) }
        let node = adBreak.node(of: ad)
        if isEstimated {
            ad.isSeenInPart = found.contains { $0.seen.wasJoined(behind: start) }
            answer.report(.joinedMidAd, "the start of the ad was not seen: it is estimated from a later id", at: node)
        }
        for entry in found.prefix(ListedAnswer.eventsPerAd) where !DAIMetadata.isKeepAlive(entry.type) {
            guard !isVerified(entry.seen.id) else { continue }
            let offset = entry.seen.at.seconds.minus(ad.start)
            guard let url = url(of: entry.seen.id) else {
                ad.events.append(ListedEvent(entry.type, statedOffset: offset))
                continue
            }
            if var event = answer.event(entry.type, [url], statedOffset: offset, window: nil, at: node) {
                event.verifiesMedia()
                ad.events.append(event)
            }
        }
        return ad
    }

    /// The moment of the start id; else that of the first id with a known place in the ad, minus that place; else that of the
    /// first id.
    private static func start(
        _ found: [Found], inLength length: ExactDecimal?
    ) -> (moment: MediaMoment, isEstimated: Bool)? {
        guard let first = found.first else { return nil }
        if let start = found.first(where: { EventType(listed: $0.type) == .start }) { return (start.seen.at, false) }
        let quartiles: Set<EventType> = [.firstQuartile, .midpoint, .thirdQuartile, .complete]
        let counted = found.lazy.filter { quartiles.contains(EventType(listed: $0.type)) }.compactMap { entry in
            ListedEvent(entry.type).offset(inLength: length).map { entry.seen.at.minus($0) }
        }.first
        return (counted ?? first.seen.at, true)
    }
}

extension ListedEvent {
    /// Its URLs verify ids at a moment of the media, whatever the name of the event (PRV-47).
    mutating func verifiesMedia() {
        isVerification = true
        if type.eventClass != .time { type = .mediaVerification }
    }

    /// The verification of an id that belongs to no ad.
    init(verifying url: String, at offset: ExactDecimal) {
        self.init(EventType.mediaVerification.rawValue, statedOffset: offset, urls: [url])
        verifiesMedia()
    }
}
