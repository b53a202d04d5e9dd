import HLS
package import Ports

/// Harmonic PMM: a session by GET or POST or from the manifest (TRK-1, TRK-2), one address that is polled at an interval
/// (TRK-20), and JSON documents with dates that grow towards the live edge (TRK-4, TRK-5).
package struct HarmonicProvider: AdMetadataProvider {
    package static let name = "harmonic"
    package static let contentType = "json"

    package static let summary = ProviderSummary(
        title: "Harmonic PMM",
        recognition: "the answer to a session request; every stream is asked that no other one has",
        supports: [
            "sessions by GET, POST, redirect or the manifest", "one address, polled at an interval (--poll)",
            "dates in milliseconds; the player reports",
        ])

    package static func savedSession() -> any SavedSession {
        SavedListing { bytes, _ throws(MetadataProblem) in
            SavedAnswer(ListedAnswer(try HarmonicMetadata.decode(bytes)))
        }
    }

    private let options: ProviderOptions
    private var opening: SessionInit
    private var metadataURL: WebURL?
    private var schedule: PollSchedule
    private var decoder = MetadataDecoder()
    private var feedLint: FeedLint
    private var clock = ContentClock()
    /// Wall time of the newest request.
    private var askedAt: UnixTime?
    /// A document that has no place before there is a playlist.
    private var unplaced: DecodedMetadata?

    package init(_ options: ProviderOptions) {
        self.options = options
        opening = SessionInit(mediaURL: options.mediaURL, isInitRequest: options.asksForSession)
        schedule = PollSchedule(interval: options.interval, seed: options.seed, isEarlier: options.isEarlier)
        let reach = options.mediaURL.literalReach ?? .global
        feedLint = FeedLint(isSecure: options.mediaURL.isSecure, isPublic: reach == .global)
    }

    /// Only its server's answer shows whether a stream has a session, so each is asked.
    package static func recognises(_ mediaURL: WebURL) -> Bool { true }

    // MARK: Opening

    package mutating func open() -> OpeningStep {
        guard !options.isAttached else {
            let attachment = Self.attached(to: options.mediaURL)
            if case .session(let addresses) = attachment { metadataURL = addresses.metadataURL }
            return OpeningStep(attachment)
        }
        opening = SessionInit(mediaURL: options.mediaURL, isInitRequest: options.asksForSession)
        return step(opening.started())
    }

    package static func attached(to url: WebURL) -> Attachment { .tracking(url, id: SessionInit.sessionID(url)) }

    package mutating func openingAnswered(_ exchange: HTTPExchange) -> OpeningStep {
        step(opening.answered(exchange))
    }

    private mutating func step(_ action: SessionInit.Action) -> OpeningStep {
        switch action {
        case .get(let url), .manifestGet(let url): return .request(ProviderRequest(url))
        case .post(let url): return .request(ProviderRequest(url, method: .post))
        case .failed(let failure): return .failed(failure)
        case .done(let addresses):
            metadataURL = addresses.metadataURL
            return .opened(addresses)
        }
    }

    // MARK: Requests for documents

    package var pollInterval: Duration? { schedule.interval }

    package var nextPoll: NextPoll? { schedule.next }

    package mutating func start(at now: Moment) {
        if metadataURL != nil { schedule.started(at: now) }
    }

    package mutating func request(on stream: StreamFacts, at now: Moment) -> ProviderRequest? {
        guard let metadataURL else { return nil }
        _ = schedule.shouldPoll(at: now)
        askedAt = now.wall
        feedLint.asked(at: stream.playhead)
        return ProviderRequest(metadataURL, timeout: schedule.timeout)
    }

    package mutating func succeeded(at now: Moment) {
        schedule.succeeded(at: now)
    }

    package mutating func failed(_ exchange: HTTPExchange, retryAfter: String?, at now: Moment) {
        schedule.failed(
            retryAfter: retryAfter, answered: exchange.fields["date"], isTimeout: exchange.failure?.kind == .timeout,
            at: now)
    }

    // MARK: Documents

    package mutating func read(
        _ exchange: HTTPExchange, on stream: StreamFacts
    ) throws(MetadataProblem) -> DecodedMetadata {
        var document = try decoder.decode(exchange.body)
        // An object with neither is an error in words, or of another service. Earlier versions read it as a document without breaks.
        guard decoder.isMetadata || options.isEarlier else {
            let lack = "is JSON without 'adBreaks' and 'dataRange': it is no tracking data of this service"
            throw .lacking(lack, in: try MetadataProblem.json(exchange.body))
        }
        if stream.hasAssumedDates { document.breaks = [] }
        unplaced = nil
        guard !options.isEarlier else { return document }
        guard !awaitsPlaylist(document, on: stream) else {
            unplaced = document
            return DecodedMetadata(findings: document.findings)
        }
        return clock.placed(document, on: stream)
    }

    /// Whether a playlist shows where a document belongs: its times look like offsets from the start of a recording.
    private func awaitsPlaylist(_ document: DecodedMetadata, on stream: StreamFacts) -> Bool {
        guard stream.timeline.playlist == nil, stream.hasPlaylist, !options.isAttached, let askedAt else {
            return false
        }
        return ContentClock.isDate(askedAt) && ContentClock.looksLikeOffsets(document)
    }

    package var hasDocument: Bool { unplaced != nil }

    package mutating func takeDocument(on stream: StreamFacts) -> ProviderDocument? {
        guard stream.timeline.playlist != nil, let document = unplaced else { return nil }
        unplaced = nil
        // Reading it has reported its findings.
        return .media(clock.placed(DecodedMetadata(dataRange: document.dataRange, breaks: document.breaks), on: stream))
    }

    package mutating func lint(
        _ document: DecodedMetadata, _ outcome: AdTracker.Outcome, _ book: BreakBook, on stream: StreamFacts,
        at now: Moment
    ) -> [Finding] {
        var around = stream.surroundings(pollInterval: schedule.interval)
        around.lacksDates = around.lacksDates || stream.hasAssumedDates
        return feedLint.arrived(document, outcome, book: book, around, at: now)
    }
}

extension ProviderSetting {
    package static let harmonic = ProviderSetting(HarmonicProvider.self)
}
