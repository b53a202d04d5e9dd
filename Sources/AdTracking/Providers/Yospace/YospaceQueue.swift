package import Ports

/// Breaks that answers list without times, and the records in the media that place their ads (PRV-32, PRV-33).
package struct YospaceQueue: Hashable, Sendable {
    /// Most breaks, records and starts that are remembered; the oldest are forgotten.
    package static let breakLimit = 100
    package static let recordLimit = 2_000

    /// Answers without its ad after which a start is given up: the ad that is listed then would be a later airing.
    package static let answerLimit = 15

    /// The ad that the records are in.
    private struct Current: Hashable {
        var media: String
        var number: Int
    }

    /// A start whose ad no answer has listed yet.
    private struct Waiting: Hashable {
        var media: String
        var start: Start
        var isEstimated: Bool
        /// Number of answers since.
        var answers = 0
        var isReported = false
    }

    /// A finding, and the record that it is about.
    private struct Problem: Hashable {
        var finding: Finding
        /// Nil for one about an answer.
        var record: MediaMoment?
        /// Whether it is the first record: the viewer joined in the middle of an ad, and nothing is wrong.
        var isOfJoin = false
    }

    var queue: [Queued] = []
    private var seen: Set<YospaceRecord> = []
    /// The records by time.
    private var order: [YospaceRecord] = []
    private var earliest: ExactDecimal?
    private var current: Current?
    private var waiting: [Waiting] = []
    /// The media id whose records were ignored last.
    private var ignored: String?
    var missedIDs: [String] = []
    /// Whether a record is about an ad that no answer has listed: the next request is due at once.
    package private(set) var isPollDue = false
    /// Whether a request is in flight.
    private var isAsked = false
    /// Findings since they were last taken.
    private var problems: [Problem] = []

    package init() {}

    /// All findings.
    package mutating func takeFindings() -> [Finding] {
        defer { problems = [] }
        return problems.map(\.finding)
    }

    /// The findings about answers, and those about records before that date: later ones may go with a record that is read
    /// later.
    mutating func takeFindings(until date: UnixTime?) -> [Finding] {
        func isDue(_ problem: Problem) -> Bool {
            guard let record = problem.record else { return true }
            return date.map { date in record.date.map { $0 < date } ?? false } ?? false
        }
        let due = problems.filter(isDue)
        if !due.isEmpty { problems.removeAll(where: isDue) }
        return due.filter { !$0.isOfJoin }.map(\.finding)
    }

    private mutating func report(_ finding: Finding, of record: MediaMoment? = nil, isOfJoin: Bool = false) {
        guard problems.count < DecodedMetadata.findingsKept else { return }
        problems.append(Problem(finding: finding, record: record, isOfJoin: isOfJoin))
    }

    // MARK: Answers

    /// Adds the breaks of an answer.
    /// - Returns: breaks that were missed: they have no ads, and what they report is due at once.
    package mutating func add(_ answer: ListedAnswer) -> [ListedBreak] {
        for finding in answer.findings { report(finding) }
        var missed: [ListedBreak] = []
        for listed in answer.breaks {
            if let index = index(of: listed) {
                for finding in queue[index].merge(listed) { report(finding) }
            } else if listed.ads.isEmpty {
                missed += [miss(listed)].compactMap(\.self)
            } else {
                queue.append(Queued(listed))
            }
        }
        if queue.count > Self.breakLimit { queue.removeFirst(queue.count - Self.breakLimit) }
        // The answer may be older than an ad that began after its request.
        let isOutdated = isAsked && isPollDue
        placeWaiting(isOutdated: isOutdated)
        isAsked = false
        isPollDue = isOutdated && waiting.contains { $0.answers == 1 }
        return missed
    }

    /// A request is sent: what is due because of the records so far.
    mutating func asked() { (isAsked, isPollDue) = (true, false) }

    /// A break is known by its id, one without an id by an ad; of several it is the newest.
    func index(of listed: ListedBreak) -> Int? {
        if let id = listed.id { return queue.lastIndex { $0.listed.writtenID == id } }
        return queue.lastIndex { known in
            known.listed.id == nil && known.listed.ads.contains { ad in listed.ads.contains { Self.isSame($0, ad) } }
        }
    }

    static func isSame(_ left: ListedAd, _ right: ListedAd) -> Bool {
        left.id == right.id && left.creative == right.creative && (left.id ?? left.creative) != nil
    }

    private mutating func miss(_ listed: ListedBreak) -> ListedBreak? {
        if let id = listed.id {
            guard !missedIDs.contains(id) else { return nil }
            missedIDs.append(id)
            if missedIDs.count > Self.breakLimit { missedIDs.removeFirst() }
        }
        report(
            ProviderRule.missedBreak.finding("the break is listed without ads: it was missed", path: listed.node))
        return listed
    }

    /// - Parameter isOutdated: whether the request of the newest answer was older than some of the starts.
    private mutating func placeWaiting(isOutdated: Bool) {
        let before = waiting
        waiting = []
        for var entry in before {
            let isOpen = entry.answers < Self.answerLimit
            if isOpen, place(entry.media, at: entry.start, isEstimated: entry.isEstimated, isAnswered: !isOutdated) {
                continue
            }
            if !entry.isReported { report(Self.unknown(entry.media), of: entry.start.moment) }
            entry.isReported = true
            entry.answers += 1
            waiting.append(entry)
        }
    }

    private static func unknown(_ media: String) -> Finding {
        ProviderRule.unknownMedia.finding("no answer lists the ad that is on air as '\(media)'", path: media)
    }

    // MARK: Records

    package mutating func add(_ record: YospaceRecord) { add([record]) }

    /// Takes records of the media. Segments may be answered out of order: what followed from later records is then worked out again.
    mutating func add(_ records: [YospaceRecord]) {
        let new = records.filter { seen.insert($0).inserted }.sortedStably { $0.time.seconds < $1.time.seconds }
        guard let first = new.first?.time.seconds else { return }
        earliest = min(earliest ?? first, first)
        let isLate = order.last.map { first < $0.time.seconds } ?? false
        order += new
        if isLate {
            order = order.sortedStably { $0.time.seconds < $1.time.seconds }
            replay()
        } else {
            for record in new { follow(record) }
        }
        guard order.count > Self.recordLimit else { return }
        let old = order.prefix(order.count - Self.recordLimit)
        seen.subtract(old)
        order.removeFirst(old.count)
    }

    /// Places the ads again. Places that followed from forgotten records, or that an earlier process found, stay.
    private mutating func replay() {
        guard let oldest = order.first?.time.seconds else { return }
        for index in queue.indices {
            queue[index].starts = queue[index].starts.map {
                $0.flatMap { $0.record < oldest || $0.isEarlier ? $0 : nil }
            }
        }
        let (before, wasDue) = (waiting, isPollDue)
        problems.removeAll { $0.record != nil }
        (current, ignored, waiting, isPollDue) = (nil, nil, [], false)
        for record in order { follow(record) }
        isPollDue = wasDue
        for index in waiting.indices {
            let known = before.first { $0.media == waiting[index].media && $0.start == waiting[index].start }
            if let known { waiting[index] = known } else { isPollDue = true }
        }
    }

    private mutating func follow(_ record: YospaceRecord) {
        if let current, current.media == record.media, !isNextOfSame(record) {
            continueAd(record)
        } else if isOfEarlier(record) {
            (current, ignored) = (Current(media: record.media, number: record.number), nil)
        } else if record.isFirst {
            begin(record, at: record.adStart, isEstimated: false)
        } else if current != nil {
            begin(record, at: record.time, isEstimated: true)
        } else if ignored != record.media {
            ignored = record.media
            let message = "the records of '\(record.media)' begin in the middle of the ad: they are ignored"
            report(
                ProviderRule.joinedMidAd.finding(message, path: record.media), of: record.time,
                isOfJoin: record.time.seconds == earliest)
        }
        if record.isLast, current?.media == record.media { current = nil }
    }

    /// Whether the same creative starts once more: another one of it is listed.
    private func isNextOfSame(_ record: YospaceRecord) -> Bool {
        record.isFirst && (current?.number ?? 0) > 1
    }

    private mutating func continueAd(_ record: YospaceRecord) {
        guard let number = current?.number else { return }
        let (step, overflow) = record.number.subtractingReportingOverflow(number)
        if overflow || step > 1 {
            let message = "the records of '\(record.media)' jump from \(number) to \(record.number)"
            report(ProviderRule.sequenceGap.finding(message, path: record.media), of: record.time)
        }
        current?.number = record.number
    }

    private mutating func begin(_ record: YospaceRecord, at moment: MediaMoment, isEstimated: Bool) {
        current = Current(media: record.media, number: record.number)
        ignored = nil
        let start = Start(moment: moment, record: record.time.seconds)
        if place(record.media, at: start, isEstimated: isEstimated, isAnswered: false) { return }
        if waiting.count >= Self.breakLimit { waiting.removeFirst() }
        waiting.append(Waiting(media: record.media, start: start, isEstimated: isEstimated))
        isPollDue = true
    }

    /// Gives a start to the first queued ad of a media id: of the break on air or a later one, else of one before, else of one that has
    /// the id of an earlier one.
    /// - Parameter isAnswered: whether an answer that was requested after the start has no such ad.
    private mutating func place(_ media: String, at start: Start, isEstimated: Bool, isAnswered: Bool) -> Bool {
        let onAir = queue.lastIndex(where: \.isPlaced) ?? 0
        let known =
            open(media, at: start.moment, in: onAir..<queue.count) ?? open(media, at: start.moment, in: 0..<onAir)
        guard let (index, ad) = known ?? again(media, at: start.moment, isAnswered: isAnswered) else { return false }
        queue[index].starts[ad] = start
        if isEstimated {
            let listed = queue[index].listed
            let message = "the first record of the ad is missing: its start is that of a later one"
            report(
                ProviderRule.joinedMidAd.finding(message, path: listed.node(of: listed.ads[ad])), of: start.moment)
        }
        return true
    }

    /// The first ad of a media id that has no place, in a break to which that moment can belong.
    private func open(_ media: String, at moment: MediaMoment, in range: Range<Int>) -> (index: Int, ad: Int)? {
        for index in range where !queue[index].isApart(from: moment) {
            if let ad = queue[index].open(media) { return (index, ad) }
        }
        return nil
    }

    // MARK: Result

    /// The first start, on dates, that an answer may still explain.
    var unknownFrom: UnixTime? {
        waiting.lazy.filter { $0.answers < Self.answerLimit }.compactMap { $0.start.moment.date }.min()
    }

    /// Findings about starts whose ads no answer listed up to now.
    package var unknownStarts: [Finding] { waiting.map { Self.unknown($0.media) } }

    /// Breaks without a placed ad.
    package var pending: [ListedBreak] { queue.filter { !$0.isPlaced }.map(\.listed) }

    /// Breaks with a placed ad, by start.
    package var placed: [ListedBreak] { queue.compactMap(\.placed).sortedStably { $0.start < $1.start } }
}
