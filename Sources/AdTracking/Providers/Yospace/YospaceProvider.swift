package import HLS
package import Ports
import VAST

/// Yospace: sessions that the manifest names (PRV-30), breaks without times (PRV-31) that records in the media place (PRV-32,
/// PRV-33), and recorded programmes.
package struct YospaceProvider: AdMetadataProvider {
    package static let name = "yospace"
    package static let contentType = "xml"
    package static let readsMedia = true

    package static let summary = ProviderSummary(
        title: "Yospace",
        recognition: "a path with /csm/ and ;jsessionid=, or a tag EXT-X-YOSPACE-ANALYTICS-URL in the playlist",
        supports: [
            "a session that the manifest names (with --provider yospace at any address), or a recorded programme as VMAP",
            "breaks by GET every 4 s, and at once when an ad is on air that no answer lists",
            "records in ID3 tags and event messages, from the beginning of each segment, which place the ads",
            "ads that were not seen in the media are not shown; the player reports",
        ])

    /// Longer ago no ad begins that is still on air.
    private static let longestAd: Duration = .seconds(600)

    private let options: ProviderOptions
    private var opening: YospaceOpening
    private var polls: DocumentPolls
    private var queue = YospaceQueue()
    private var strays = StrayMarks()
    /// What an earlier process saw begin, as far as it may be on air where the viewer joined.
    private var earlier: [EarlierAd] = []
    /// Whether another process handed on what it knew of the session.
    private var isRecalled = false
    /// Breaks that were missed and wait for a viewer to be reported at.
    private var missed: [ListedBreak] = []
    /// Breaks as the session has them, by name.
    private var given: [String: ListedBreak] = [:]
    /// Whether the media, or the passing of time, may have changed breaks.
    private var isChanged = false
    private var isStarted = false
    private var isProgrammeGiven = false
    private var reported = ReportedFindings()
    private var openBreaks = OpenBreaks()

    package init(_ options: ProviderOptions) {
        self.options = options
        opening = YospaceOpening(mediaURL: options.mediaURL)
        polls = DocumentPolls(options, isLive: true)
    }

    package static func savedSession() -> any SavedSession { YospaceSavedSession() }

    package static func recognises(_ mediaURL: WebURL) -> Bool { place(of: mediaURL) != nil }

    /// Only live sessions are polled.
    package static func attached(to url: WebURL) -> Attachment {
        .problem("has answers without times: records in the segments place the ads; 'adtop URL' follows the stream")
    }

    // MARK: Opening

    package mutating func open() -> OpeningStep {
        options.isAttached ? OpeningStep(Self.attached(to: options.mediaURL)) : opening.open()
    }

    package mutating func openingAnswered(_ exchange: HTTPExchange) -> OpeningStep { opening.answered(exchange) }

    private var isLive: Bool { opening.session?.tracking != nil }

    // MARK: Sessions that another process follows

    /// A live session lists each break once: a successor needs those that are not over.
    package func memory(on stream: StreamFacts) -> JSONValue? { isLive ? queue.memory(at: stream.playhead) : nil }

    package mutating func recall(_ memory: JSONValue) {
        guard isLive else { return }
        isRecalled = true
        queue.recall(memory)
    }

    package var unexplainedFrom: UnixTime? { isLive ? queue.unknownFrom : nil }

    package mutating func continues(_ ads: [EarlierAd]) { earlier = ads }

    /// Continues the ad in whose middle the viewer joined. In a stream without dates those of the earlier process count from elsewhere, unless
    /// it handed on from where.
    private mutating func resume(on stream: StreamFacts) {
        guard !earlier.isEmpty, let joined = stream.reading.from, stream.timeline.dateOfZero == nil || isRecalled
        else { return }
        earlier.removeAll { $0.start >= joined || $0.start + Self.longestAd < joined }
        let resumed = Set(queue.resume(earlier, joinedAt: joined))
        guard !resumed.isEmpty else { return }
        earlier.removeAll(where: resumed.contains)
        isChanged = true
    }

    // MARK: Requests for documents

    package var pollInterval: Duration? { isLive ? polls.interval : nil }

    package var nextPoll: NextPoll? { polls.next }

    package mutating func start(at now: Moment) {
        isStarted = opening.session != nil
        if isLive { polls.start(at: now) }
    }

    package mutating func request(on stream: StreamFacts, at now: Moment) -> ProviderRequest? {
        guard let address = opening.session?.tracking, polls.isDue(on: stream, at: now) else { return nil }
        queue.asked()
        return ProviderRequest(address, timeout: polls.timeout)
    }

    package mutating func succeeded(at now: Moment) {
        polls.succeeded(at: now)
        // What began while the request was in flight could not be asked for then.
        if queue.isPollDue { polls.hurry() }
    }

    package mutating func playlistArrived(on stream: StreamFacts) { polls.playlistArrived(on: stream) }

    package mutating func failed(_ exchange: HTTPExchange, retryAfter: String?, at now: Moment) {
        polls.failed(exchange, retryAfter: retryAfter, at: now)
    }

    // MARK: Media

    package func readsMedia(of span: Range<StreamTime>, on stream: StreamFacts) -> Bool { isLive }

    package mutating func mediaRead(_ marks: [MediaMark], on stream: StreamFacts) {
        guard isLive else { return }
        resume(on: stream)
        queue.add(strays.settled(marks, on: stream.timeline).compactMap(YospaceRecord.init))
        if queue.isPollDue { polls.hurry() }
        isChanged = true
    }

    // MARK: Documents

    package var hasDocument: Bool { isChanged || isProgrammeWaiting }

    private var isProgrammeWaiting: Bool { isStarted && opening.programme != nil && !isProgrammeGiven }

    package mutating func takeDocument(on stream: StreamFacts) -> ProviderDocument? {
        if isProgrammeWaiting, let exchange = opening.programme { return programme(in: exchange, on: stream) }
        guard isChanged else { return nil }
        isChanged = false
        let document = document(of: changed(on: stream), on: stream)
        return document.breaks.isEmpty && document.findings.isEmpty ? nil : .media(document)
    }

    /// All breaks of a recorded programme, once there is a playlist to place them on.
    private mutating func programme(in exchange: HTTPExchange, on stream: StreamFacts) -> ProviderDocument? {
        guard let timeline = stream.knownTimeline else { return nil }
        isProgrammeGiven = true
        let total = stream.programme.total ?? opening.session?.length
        let document = try? YospaceDocument.read(exchange.body, charset: exchange.charset, .programme(total))
        guard let answer = document?.answer else { return nil }
        return .answer(
            DecodedMetadata(answer, ListedPlacement(timeline: timeline), on: stream), exchange, ping: nil)
    }

    package mutating func read(
        _ exchange: HTTPExchange, on stream: StreamFacts
    ) throws(MetadataProblem) -> DecodedMetadata {
        let answer = try YospaceDocument.read(exchange.body, charset: exchange.charset, .records).answer
        missed += queue.add(answer).prefix(max(0, YospaceQueue.breakLimit - missed.count))
        resume(on: stream)
        let listed = answer.breaks.compactMap { queue.seen(of: $0) }
        let keys = Set(listed.map(\.key))
        // An answer may show that an ad on air is of a break that an earlier one listed.
        return document(of: listed + changed(on: stream).filter { !keys.contains($0.key) }, on: stream)
    }

    /// The breaks that are not as the session has them.
    private func changed(on stream: StreamFacts) -> [YospaceQueue.Seen] {
        queue.onAir.filter { given[$0.key] != $0.closed(before: stream.playhead) }
    }

    /// Breaks with what was seen of them in the media, and what was missed.
    private mutating func document(of seen: [YospaceQueue.Seen], on stream: StreamFacts) -> DecodedMetadata {
        if given.count > 2 * YospaceQueue.breakLimit { given = [:] }
        var answer = ListedAnswer()
        for entry in seen {
            given[entry.key] = entry.whole?.closed(before: stream.playhead)
            answer.breaks.append(entry.closed(before: stream.playhead))
        }
        answer.breaks += takeMissed(at: stream.playhead)
        var document = DecodedMetadata(answer, ListedPlacement(timeline: stream.knownTimeline), &openBreaks, on: stream)
        document.findings += reported.new(of: queue.takeFindings(until: stream.playedAndRead))
        return document
    }

    /// Missed breaks where the viewer is: what they report is due at once. Without a viewer they wait.
    private mutating func takeMissed(at date: UnixTime?) -> [ListedBreak] {
        guard let date else { return [] }
        defer { missed = [] }
        return missed.filter { !$0.events.isEmpty }.map { adBreak in
            var adBreak = adBreak
            (adBreak.date, adBreak.statedDuration) = (date, .zero)
            return adBreak
        }
    }

    package mutating func lint(
        _ document: DecodedMetadata, _ outcome: AdTracker.Outcome, _ book: BreakBook, on stream: StreamFacts,
        at now: Moment
    ) -> [Finding] {
        // A break on air has only what was seen of it so far.
        var complete = document
        complete.breaks = document.breaks.filter { adBreak in stream.playhead.map { adBreak.plannedEnd <= $0 } ?? true }
        return polls.lint(complete, outcome, book, on: stream, at: now)
    }
}

extension YospaceProvider: RecognisableService {
    package static func place(of url: WebURL) -> ServicePlace? {
        url.path.contains("/csm/") && YospaceSession.hasParameter(url) ? ServicePlace() : nil
    }

    package static func isNamed(in text: String) -> Bool { YospaceSession.isNamed(in: text) }
}

extension YospaceQueue.Seen {
    /// The break with what it reports at its end only when that is known: later ads may follow.
    /// - Parameter date: the playhead.
    fileprivate func closed(before date: UnixTime?) -> ListedBreak {
        let isOver: Bool
        if let date, let start = adBreak.date, let length = adBreak.length {
            isOver = start + length.asSeconds <= date
        } else {
            isOver = false
        }
        guard !isWhole, !isOver else { return adBreak }
        var open = adBreak
        open.events.removeAll { $0.type.waitsForEnd }
        return open
    }
}
