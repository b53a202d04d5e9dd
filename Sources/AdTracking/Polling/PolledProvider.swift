import HLS
package import Ports
import VAST

/// A session whose metadata is polled with GET at one address: in a live stream at an interval, of a complete one until one
/// good answer (PRV-29).
package struct PolledProvider<Dialect: PolledDialect>: AdMetadataProvider {
    package static var name: String { Dialect.name }
    package static var contentType: String { Dialect.contentType }
    package static var summary: ProviderSummary { Dialect.summary }
    package static var placesWithoutDates: Bool { Dialect.placesWithoutDates }

    package static func savedSession() -> any SavedSession {
        SavedListing { bytes, charset throws(MetadataProblem) in
            // Whether the stream was live is not known; what can only be a date is one.
            SavedAnswer(try Dialect.read(bytes, charset: charset, of: PolledProgramme(isLive: false)).listed)
        }
    }

    private let options: ProviderOptions
    private var session: PolledSession?
    /// What the request of the opening that is under way is called; nil without one.
    private var opening: String?
    private var openingAnswers = 0
    private var polls: DocumentPolls
    private var openBreaks = OpenBreaks()

    package init(_ options: ProviderOptions) {
        self.options = options
        polls = DocumentPolls(options)
    }

    package static func recognises(_ mediaURL: WebURL) -> Bool { Dialect.recognises(mediaURL) }

    // MARK: Opening

    package mutating func open() -> OpeningStep {
        (session, openingAnswers) = (nil, 0)
        if options.isAttached { return attached() }
        return step(Dialect.opened(options.mediaURL), after: "address")
    }

    package static func attached(to url: WebURL) -> Attachment { Dialect.attached(to: url) }

    private mutating func attached() -> OpeningStep {
        let attachment = Self.attached(to: options.mediaURL)
        if case .session(let addresses) = attachment, let tracking = addresses.metadataURL {
            session = PolledSession(
                manifest: addresses.manifestURL, tracking: tracking, id: addresses.sessionID, path: addresses.path)
        }
        return OpeningStep(attachment)
    }

    package mutating func openingAnswered(_ exchange: HTTPExchange) -> OpeningStep {
        guard let name = opening else { return .failed(SessionInitFailure(steps: [])) }
        opening = nil
        openingAnswers += 1
        if let problem = AnswerProblem.of(exchange, isGood: exchange.isSuccess) {
            return step(.problem(problem.text), after: name)
        }
        if DASHManifest.isOne(exchange) {
            return step(.problem(DASHManifest.remedy), after: DASHManifest.name)
        }
        let url = exchange.finalURL.flatMap { try? WebURL($0) } ?? options.mediaURL
        return step(Dialect.answered(exchange, from: url, count: openingAnswers), after: name)
    }

    private mutating func step(_ opening: PolledOpening, after name: String) -> OpeningStep {
        switch opening {
        case .get(let url, let name):
            self.opening = name
            return .request(ProviderRequest(url))
        case .problem(let problem):
            return .failed(SessionInitFailure(steps: [SessionInitFailure.Step(name: name, problem: problem)]))
        case .session(let session):
            self.session = session
            return .opened(
                SessionAddresses(
                    manifestURL: session.manifest, metadataURL: session.tracking, path: session.path,
                    sessionID: session.id, isRecognised: true))
        }
    }

    // MARK: Requests for documents

    package var pollInterval: Duration? { polls.interval }

    package var nextPoll: NextPoll? { polls.next }

    package mutating func start(at now: Moment) {
        if session != nil { polls.start(at: now) }
    }

    package mutating func request(on stream: StreamFacts, at now: Moment) -> ProviderRequest? {
        guard let session, polls.isDue(on: stream, at: now) else { return nil }
        return ProviderRequest(session.tracking, timeout: polls.timeout)
    }

    package mutating func succeeded(at now: Moment) { polls.succeeded(at: now) }

    package mutating func playlistArrived(on stream: StreamFacts) { polls.playlistArrived(on: stream) }

    package mutating func failed(_ exchange: HTTPExchange, retryAfter: String?, at now: Moment) {
        polls.failed(exchange, retryAfter: retryAfter, at: now)
    }

    // MARK: Documents

    package var hasDocument: Bool { !openBreaks.isEmpty }

    package mutating func takeDocument(on stream: StreamFacts) -> ProviderDocument? {
        openBreaks.takeDocument(on: stream)
    }

    package mutating func read(
        _ exchange: HTTPExchange, on stream: StreamFacts
    ) throws(MetadataProblem) -> DecodedMetadata {
        let answer = try Dialect.read(exchange.body, charset: exchange.charset, of: stream.programme)
        polls.asked(for: answer.after)
        return DecodedMetadata(answer.listed, ListedPlacement(timeline: stream.knownTimeline), &openBreaks, on: stream)
    }

    package mutating func lint(
        _ document: DecodedMetadata, _ outcome: AdTracker.Outcome, _ book: BreakBook, on stream: StreamFacts,
        at now: Moment
    ) -> [Finding] {
        polls.lint(document, outcome, book, on: stream, at: now)
    }
}

extension StreamFacts {
    /// Whether the stream is live, and how long a complete one is.
    var programme: PolledProgramme {
        guard timeline.hasEnded else { return PolledProgramme() }
        let length = timeline.segments.last.map { $0.end - StreamTime.zero }
        return PolledProgramme(isLive: false, total: length.map { ExactDecimal(seconds: $0) })
    }
}
