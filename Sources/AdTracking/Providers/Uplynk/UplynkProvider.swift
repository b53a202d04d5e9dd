package import HLS
package import Ports

/// Uplynk: sessions by preplay requests and who reports in them (PRV-42), breaks in their answers and in those of pings, which
/// are beacons (PRV-43).
package struct UplynkProvider: AdMetadataProvider {
    package static let name = Uplynk.name
    package static let contentType = "json"
    package static let placesWithoutDates = true
    package static let summary = Uplynk.summary

    package static func savedSession() -> any SavedSession { Uplynk.savedSession() }

    /// Most answers that wait for a playlist; a ping follows another only after an answer and on a playlist.
    private static let longestQueue = 16

    private let options: ProviderOptions
    /// The mode that the address asks for.
    private let asked: UplynkMode
    private var opening: UplynkOpening
    private var pings = UplynkPings(areWanted: false)
    private var isStarted = false
    /// Whether another process handed on what it knew of the session.
    private var isRecalled = false
    /// Answers that were not taken yet, oldest first.
    private var waiting: [Waiting] = []
    private var openBreaks = OpenBreaks()
    private var feedLint: FeedLint

    /// The newest breaks that answers to pings listed, oldest first.
    private var known: [ListedBreak] = []
    /// Most of them that are remembered.
    private static let knownLimit = 100

    /// What an answer lists.
    private struct Waiting {
        var listed: ListedAnswer
        /// Nil when the answer was the manifest, or came to another process.
        var exchange: HTTPExchange?
        /// Number of the ping that it answers.
        var ping: Int?
        /// Whether another process got the answer.
        var isRecalled = false
    }

    package init(_ options: ProviderOptions) {
        self.options = options
        asked = UplynkMode(asked: options.mediaURL)
        opening = UplynkOpening(mediaURL: options.mediaURL)
        let reach = options.mediaURL.literalReach ?? .global
        feedLint = FeedLint(isSecure: options.mediaURL.isSecure, isPublic: reach == .global)
    }

    package static func recognises(_ mediaURL: WebURL) -> Bool { Uplynk.place(of: mediaURL) != nil }

    /// There is no tracking data that could be polled (PRV-43).
    package static func attached(to url: WebURL) -> Attachment {
        .problem("has answers to pings only, and a ping is itself a beacon; 'adtop URL' follows the preplay request")
    }

    // MARK: Opening

    package mutating func open() -> OpeningStep {
        options.isAttached ? OpeningStep(Self.attached(to: options.mediaURL)) : took(opening.open(), from: nil)
    }

    package mutating func openingAnswered(_ exchange: HTTPExchange) -> OpeningStep {
        took(opening.answered(exchange), from: exchange)
    }

    private mutating func took(_ step: OpeningStep, from exchange: HTTPExchange?) -> OpeningStep {
        guard case .opened = step else { return step }
        pings = UplynkPings(areWanted: opening.session?.ping != nil)
        let answer = opening.takeAnswer()
        var listed = answer.map { UplynkDocument.breaks($0, reader) } ?? ListedAnswer()
        if let finding = mode.finding(reportsAnyway: options.reportsAnyway) { listed.note(finding) }
        waiting = [Waiting(listed: listed, exchange: answer == nil ? nil : exchange)]
        return step
    }

    /// Who reports; a session that the manifest started has no pings.
    private var mode: UplynkMode {
        guard let session = opening.session, session.ping == nil, asked == .pings else { return asked }
        return .server
    }

    /// Who reports, as far as events are read for it.
    private var reader: UplynkMode { options.reportsAnyway ? .client : mode }

    package func isReportedByService(_ type: EventType, ofLinearAd isLinear: Bool) -> Bool {
        reader.isReportedByService(type)
    }

    package var status: ProviderStatus { ProviderStatus(mode: mode.rawValue, reporter: mode.reporter) }

    // MARK: Sessions that another process follows

    /// The answers to pings list the breaks, and each ping is sent once, so that a successor needs both.
    package func memory(on stream: StreamFacts) -> JSONValue? {
        guard opening.session?.ping != nil else { return nil }
        let position = stream.playhead.flatMap { stream.timeline.position(of: $0) }
        let breaks = known.filter { adBreak in
            guard let position else { return true }
            let end = adBreak.start.plus(adBreak.length ?? .zero).asSeconds
            return StreamTime.zero + end + ListedBreak.remembered > position
        }
        return ["pings": pings.memory, "breaks": .array(breaks.map(\.memory))]
    }

    package mutating func recall(_ memory: JSONValue) {
        guard opening.session?.ping != nil else { return }
        isRecalled = true
        if let state = memory["pings"] { pings.recall(state) }
        known = ListedBreak.list(memory: memory["breaks"], limit: Self.knownLimit)
        guard !known.isEmpty else { return }
        var listed = ListedAnswer()
        listed.breaks = known
        waiting.append(Waiting(listed: listed, exchange: nil, isRecalled: true))
    }

    /// A program that is started again knows nothing of the answers: its first ping asks for them at once.
    package mutating func pinged(_ urls: [String]) {
        guard isRecalled else { return }
        let seconds = urls.compactMap { url in
            URIReference(url).query.flatMap { QueryItems(String($0))["pt"] }.flatMap { ExactDecimal($0) }
        }
        if let newest = seconds.max() { pings.sent(at: newest) }
    }

    private mutating func remember(_ breaks: [ListedBreak]) {
        // Breaks often have no id, and pings list them again.
        known.removeAll { former in
            breaks.contains { $0.id == former.id && ($0.id != nil || $0.start == former.start) }
        }
        known += breaks
        if known.count > Self.knownLimit { known.removeFirst(known.count - Self.knownLimit) }
    }

    // MARK: Requests for documents

    /// Answers to pings have all that is new.
    package var pollInterval: Duration? { nil }
    package var nextPoll: NextPoll? { nil }

    package mutating func start(at now: Moment) { isStarted = opening.session != nil }

    package mutating func request(on stream: StreamFacts, at now: Moment) -> ProviderRequest? { nil }
    package mutating func succeeded(at now: Moment) {}
    package mutating func failed(_ exchange: HTTPExchange, retryAfter: String?, at now: Moment) {}

    // MARK: Pings

    package mutating func ping(after move: PlayerMove) -> PlayerPing? {
        guard isStarted, let address = opening.session?.ping else { return nil }
        let due: UplynkPing?
        switch move {
        case .plays(let position):
            // The first one reports that play begins, wherever a viewer joins a live stream.
            due = pings.started(at: .zero) ?? pings.moved(to: Self.seconds(position))
        case .jumped(let from, let position):
            due = pings.sought(from: Self.seconds(from), to: Self.seconds(position))
        }
        guard let due else { return nil }
        let query = due.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        guard let url = try? address.with(path: address.path, query: query) else { return nil }
        return PlayerPing(number: pings.newest, url: url, cause: due.cause.word)
    }

    /// Seconds count from the first segment of the first playlist.
    private static func seconds(_ position: StreamTime) -> ExactDecimal {
        max(.zero, ExactDecimal(seconds: position - StreamTime.zero))
    }

    package var nextPing: StreamTime? {
        guard isStarted, case .position(let seconds) = pings.next else { return nil }
        return StreamTime.zero + seconds.asSeconds
    }

    package mutating func pingAnswered(_ number: Int, _ exchange: HTTPExchange) throws(MetadataProblem) {
        guard !exchange.isBodyCut else { throw .other("is too long") }
        let value = try MetadataProblem.json(exchange.body)
        guard value.objectValue != nil else { throw .noObject(value) }
        var listed = UplynkDocument.breaks(value, reader)
        if let finding = pings.answered(value, ping: number) { listed.note(finding) }
        remember(listed.breaks)
        guard waiting.count < Self.longestQueue else { return }
        waiting.append(Waiting(listed: listed, exchange: exchange, ping: number))
    }

    package mutating func pingFailed(_ number: Int, wasSent: Bool) {
        if wasSent { pings.failed(ping: number) } else { pings.withheld(ping: number) }
    }

    package mutating func pingsResumed() { pings.resumed() }

    // MARK: Documents

    package var hasDocument: Bool { !waiting.isEmpty || !openBreaks.isEmpty }

    package mutating func takeDocument(on stream: StreamFacts) -> ProviderDocument? {
        guard isStarted, let timeline = stream.knownTimeline else { return nil }
        guard !waiting.isEmpty else { return openBreaks.takeDocument(on: stream) }
        let next = waiting.removeFirst()
        let document = DecodedMetadata(next.listed, ListedPlacement(timeline: timeline), &openBreaks, on: stream)
        if let exchange = next.exchange { return .answer(document, exchange, ping: next.ping) }
        return next.isRecalled ? .media(document) : .findings(document.findings)
    }

    package mutating func read(
        _ exchange: HTTPExchange, on stream: StreamFacts
    ) throws(MetadataProblem) -> DecodedMetadata {
        let value = try MetadataProblem.json(exchange.body)
        _ = try UplynkDocument.read(value)
        return DecodedMetadata(
            UplynkDocument.breaks(value, reader), ListedPlacement(timeline: stream.knownTimeline), &openBreaks,
            on: stream)
    }

    package mutating func lint(
        _ document: DecodedMetadata, _ outcome: AdTracker.Outcome, _ book: BreakBook, on stream: StreamFacts,
        at now: Moment
    ) -> [Finding] {
        feedLint.arrived(
            document, outcome, book: book, stream.surroundings(pollInterval: options.interval), at: now)
    }
}
