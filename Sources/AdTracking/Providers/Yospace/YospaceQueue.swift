package import Ports

/// Breaks that answers list without times, and the records in the media that place their ads (PRV-32, PRV-33).
package struct YospaceQueue: Hashable, Sendable {
    /// Most breaks, records and starts that are remembered; the oldest are forgotten.
    package static let breakLimit = 100
    package static let recordLimit = 2_000

    private struct Queued: Hashable {
        var listed: ListedBreak
        /// The start of each ad; nil while it is not placed.
        var starts: [MediaMoment?]

        var isPlaced: Bool { starts.contains { $0 != nil } }
    }

    /// The ad that the records are in.
    private struct Current: Hashable {
        var media: String
        var number: Int
    }

    /// A start whose ad no answer has listed yet.
    private struct Waiting: Hashable {
        var media: String
        var start: MediaMoment
        var isEstimated: Bool
        var isReported = false
    }

    private var queue: [Queued] = []
    private var seen: Set<YospaceRecord> = []
    private var order: [YospaceRecord] = []
    private var current: Current?
    private var waiting: [Waiting] = []
    /// The media id whose records were ignored last.
    private var ignored: String?
    private var missedIDs: [String] = []
    /// Whether a record is about an ad that no answer has listed: the next request is due at once.
    package private(set) var isPollDue = false
    /// Findings since they were last taken.
    private var findings: [Finding] = []

    package init() {}

    package mutating func takeFindings() -> [Finding] {
        defer { findings = [] }
        return findings
    }

    private mutating func report(_ rule: ProviderRule, _ message: String, at node: String) {
        if findings.count < DecodedMetadata.findingsKept { findings.append(rule.finding(message, path: node)) }
    }

    // MARK: Answers

    /// Adds the breaks of an answer.
    /// - Returns: breaks that were missed: they have no ads, and what they report is due at once.
    package mutating func add(_ answer: ListedAnswer) -> [ListedBreak] {
        findings += answer.findings.prefix(max(0, DecodedMetadata.findingsKept - findings.count))
        var missed: [ListedBreak] = []
        for listed in answer.breaks {
            if let index = index(of: listed) {
                merge(listed, into: index)
            } else if listed.ads.isEmpty {
                missed += [miss(listed)].compactMap(\.self)
            } else {
                queue.append(Queued(listed: listed, starts: listed.ads.map { _ in nil }))
            }
        }
        if queue.count > Self.breakLimit { queue.removeFirst(queue.count - Self.breakLimit) }
        isPollDue = false
        placeWaiting()
        return missed
    }

    /// A break is known by its id; one without an id by an ad.
    private func index(of listed: ListedBreak) -> Int? {
        if let id = listed.id { return queue.firstIndex { $0.listed.id == id } }
        return queue.firstIndex { known in
            known.listed.id == nil && known.listed.ads.contains { ad in listed.ads.contains { Self.isSame($0, ad) } }
        }
    }

    private static func isSame(_ left: ListedAd, _ right: ListedAd) -> Bool {
        left.id == right.id && left.creative == right.creative && (left.id ?? left.creative) != nil
    }

    private mutating func merge(_ listed: ListedBreak, into index: Int) {
        var known = queue[index]
        known.listed.told = listed.told ?? known.listed.told
        var taken: Set<Int> = []
        for ad in listed.ads {
            let partner = known.listed.ads.indices.first {
                !taken.contains($0) && Self.isSame(known.listed.ads[$0], ad)
            }
            if let partner {
                taken.insert(partner)
                guard known.listed.ads[partner].take(ad) else { continue }
                findings.append(
                    LintRule.shrank.finding("the ad shrank", path: known.listed.node(of: known.listed.ads[partner])))
            } else if known.listed.ads.count < ListedAnswer.adsPerBreak {
                taken.insert(known.listed.ads.count)
                known.listed.ads.append(ad)
                known.starts.append(nil)
            }
        }
        known.listed.events.add(listed.events, inLength: known.listed.length)
        queue[index] = known
    }

    private mutating func miss(_ listed: ListedBreak) -> ListedBreak? {
        if let id = listed.id {
            guard !missedIDs.contains(id) else { return nil }
            missedIDs.append(id)
            if missedIDs.count > Self.breakLimit { missedIDs.removeFirst() }
        }
        report(.missedBreak, "the break is listed without ads: it was missed", at: listed.node)
        return listed
    }

    private mutating func placeWaiting() {
        let before = waiting
        waiting = []
        for var entry in before where !place(entry.media, at: entry.start, isEstimated: entry.isEstimated) {
            if !entry.isReported {
                report(.unknownMedia, "no answer lists the ad that is on air as '\(entry.media)'", at: entry.media)
            }
            entry.isReported = true
            waiting.append(entry)
        }
    }

    // MARK: Records

    /// Takes a record of the media; records arrive in the order of the media.
    package mutating func add(_ record: YospaceRecord) {
        guard seen.insert(record).inserted else { return }
        order.append(record)
        if order.count > Self.recordLimit { seen.remove(order.removeFirst()) }
        if let current, current.media == record.media, !isNextOfSame(record) {
            follow(record)
        } else if record.isFirst {
            begin(record, at: record.adStart, isEstimated: false)
        } else if current != nil {
            begin(record, at: record.time, isEstimated: true)
        } else if ignored != record.media {
            ignored = record.media
            report(
                .joinedMidAd, "the records of '\(record.media)' begin in the middle of the ad: they are ignored",
                at: record.media)
        }
        if record.isLast, current?.media == record.media { current = nil }
    }

    /// Whether the same creative starts once more: another one of it is listed.
    private func isNextOfSame(_ record: YospaceRecord) -> Bool {
        record.isFirst && (current?.number ?? 0) > 1
    }

    private mutating func follow(_ record: YospaceRecord) {
        guard let number = current?.number else { return }
        let (step, overflow) = record.number.subtractingReportingOverflow(number)
        if overflow || step > 1 {
            report(
                .sequenceGap, "the records of '\(record.media)' jump from \(number) to \(record.number)",
                at: record.media)
        }
        current?.number = record.number
    }

    private mutating func begin(_ record: YospaceRecord, at start: MediaMoment, isEstimated: Bool) {
        current = Current(media: record.media, number: record.number)
        ignored = nil
        if place(record.media, at: start, isEstimated: isEstimated) { return }
        if waiting.count >= Self.breakLimit { waiting.removeFirst() }
        waiting.append(Waiting(media: record.media, start: start, isEstimated: isEstimated))
        isPollDue = true
    }

    /// Gives a start to the first queued ad of a media id.
    private mutating func place(_ media: String, at start: MediaMoment, isEstimated: Bool) -> Bool {
        for index in queue.indices {
            let ad = queue[index].listed.ads.indices.first {
                queue[index].listed.ads[$0].creative == media && queue[index].starts[$0] == nil
            }
            guard let ad else { continue }
            queue[index].starts[ad] = start
            if isEstimated {
                let listed = queue[index].listed
                report(
                    .joinedMidAd, "the first record of the ad is missing: its start is that of a later one",
                    at: listed.node(of: listed.ads[ad]))
            }
            return true
        }
        return false
    }

    // MARK: Result

    /// Findings about starts whose ads no answer listed up to now.
    package var unknownStarts: [Finding] {
        waiting.map {
            ProviderRule.unknownMedia.finding("no answer lists the ad that is on air as '\($0.media)'", path: $0.media)
        }
    }

    /// Breaks without a placed ad.
    package var pending: [ListedBreak] { queue.filter { !$0.isPlaced }.map(\.listed) }

    /// Breaks with a placed ad, by start; ads that were not seen yet follow the one before them.
    package var placed: [ListedBreak] {
        queue.compactMap(Self.placed).sortedStably { $0.start < $1.start }
    }

    private static func placed(_ queued: Queued) -> ListedBreak? {
        guard let first = queued.starts.firstIndex(where: { $0 != nil }), let start = queued.starts[first]
        else { return nil }
        var adBreak = queued.listed
        var cursor = start
        adBreak.start = start.seconds
        adBreak.date = start.date
        adBreak.ads = zip(queued.listed.ads, queued.starts).dropFirst(first).map { listed, known in
            var ad = listed
            if let known { cursor = known }
            ad.isPlanned = known == nil
            (ad.start, ad.date) = (cursor.seconds, cursor.date)
            cursor.seconds = ad.end ?? ad.start
            return ad
        }.sortedStably { $0.start < $1.start }
        return adBreak
    }
}
