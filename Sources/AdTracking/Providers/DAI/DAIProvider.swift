package import HLS
package import Ports

/// Google Ad Manager DAI: sessions by POST and running ones (PRV-44), metadata without times that is joined with ids in the media
/// (PRV-45), recorded programmes (PRV-46). Each id is verified once (PRV-47).
package struct DAIProvider: AdMetadataProvider {
    package static let name = "dai"
    package static let contentType = "json"
    package static let readsMedia = true

    package static let summary = ProviderSummary(
        title: "Google Ad Manager DAI",
        recognition:
            "the host dai.google.com or pubads.g.doubleclick.net with linear, ondemand or ssai in the path, or the path of "
            + "a request for a stream at any host",
        supports: [
            "sessions by POST, and running ones by their manifest (nothing is sent there)",
            "live metadata by GET every polling_frequency seconds; recorded programmes in the first answer",
            "media ids in ID3 tags, event messages and date ranges, from the beginning of each segment",
            "verification of each media id once; dai-ssb, where the service reports",
        ])

    private let options: ProviderOptions
    private var opening: DAIOpening
    private var polls: DocumentPolls
    private var metadata = DAIMetadata()
    private var ids = DAIMediaIDs(verification: nil)
    /// Date up to which the media was read; nil before.
    private var readUntil: UnixTime?
    /// Breaks of a live stream that ids in the media changed since the session took them.
    private var changed: Set<String> = []
    /// Whether the breaks of a recorded programme were given to the session, and whether they wait for that now.
    private var (isProgrammeGiven, isProgrammeWaiting) = (false, false)
    private var reported = ReportedFindings()
    /// The notice about who reports; nil once it was given.
    private var notice: Finding?

    package init(_ options: ProviderOptions) {
        self.options = options
        opening = DAIOpening(options)
        polls = DocumentPolls(options, isLive: true)
    }

    package static func savedSession() -> any SavedSession { DAISavedSession() }

    package static func recognises(_ mediaURL: WebURL) -> Bool {
        DAIAddress.isAtService(mediaURL) || DAIAddress(mediaURL) == .stream
    }

    /// Only live sessions are polled.
    package static func attached(to url: WebURL) -> Attachment {
        .problem("has answers without times: ids in the segments place the ads; 'adtop URL' follows the stream")
    }

    // MARK: Opening

    package mutating func open() -> OpeningStep {
        options.isAttached ? OpeningStep(Self.attached(to: options.mediaURL)) : noted(opening.open())
    }

    package mutating func openingAnswered(_ exchange: HTTPExchange) -> OpeningStep { noted(opening.answered(exchange)) }

    private mutating func noted(_ step: OpeningStep) -> OpeningStep {
        guard case .opened = step else { return step }
        ids = DAIMediaIDs(verification: opening.session?.verification)
        notice = opening.session.flatMap(Self.notice)
        return step
    }

    private static func notice(of session: DAISession) -> Finding? {
        if session.isReportedByService {
            return ProviderRule.reportedByService.finding(
                "the service reports the ads, and there is no metadata to show them", path: "")
        }
        guard session.verification == nil else { return nil }
        return ProviderRule.withoutVerification.finding(
            "the session was opened without media_verification_url: media ids are not verified", path: "")
    }

    package mutating func replaces(_ former: any AdMetadataProvider, thatVerified urls: [String]) {
        guard let former = former as? DAIProvider else { return }
        ids.replaces(former.ids, thatVerified: urls)
    }

    package func memory(on stream: StreamFacts) -> JSONValue? { ids.memory }

    package mutating func recall(_ memory: JSONValue) { ids.recall(memory) }

    package var status: ProviderStatus {
        guard opening.session?.isReportedByService == true else { return ProviderStatus() }
        return ProviderStatus(mode: "server", reporter: .service)
    }

    /// Only a session without metadata is reported by the service, and then all of it (`dai-ssb`).
    package func isReportedByService(_ type: EventType, ofLinearAd isLinear: Bool) -> Bool {
        !options.reportsAnyway && opening.session?.isReportedByService == true
    }

    // MARK: Requests for documents

    package var pollInterval: Duration? { opening.session?.metadata == nil ? nil : polls.interval }

    package var nextPoll: NextPoll? { polls.next }

    package mutating func start(at now: Moment) {
        guard let session = opening.session, session.metadata != nil else { return }
        polls.asked(for: session.interval)
        polls.start(at: now)
    }

    package mutating func request(on stream: StreamFacts, at now: Moment) -> ProviderRequest? {
        guard let address = opening.session?.metadata, polls.isDue(on: stream, at: now) else { return nil }
        ids.requested()
        return ProviderRequest(address, timeout: polls.timeout)
    }

    package mutating func succeeded(at now: Moment) {
        polls.succeeded(at: now)
        // Nothing was read where the answer is that nothing has changed.
        ids.answered()
    }

    package mutating func playlistArrived(on stream: StreamFacts) { polls.playlistArrived(on: stream) }

    package mutating func failed(_ exchange: HTTPExchange, retryAfter: String?, at now: Moment) {
        polls.failed(exchange, retryAfter: retryAfter, at: now)
        ids.answered()
    }

    // MARK: Media

    package func readsMedia(of span: Range<StreamTime>, on stream: StreamFacts) -> Bool {
        guard let session = opening.session, !session.isReportedByService else { return false }
        guard let programme = session.programme else { return true }
        return programme.breaks.contains { adBreak in
            let start = StreamTime.zero + adBreak.start.asSeconds
            return start < span.upperBound && span.lowerBound <= start + (adBreak.length ?? .zero).asSeconds
        }
    }

    package mutating func mediaRead(_ marks: [MediaMark], on stream: StreamFacts) {
        guard let session = opening.session else { return }
        let isNew = note(marks, stream.timeline.playlist?.dateRanges ?? [], readFrom: stream.reading.from)
        if session.programme != nil {
            isProgrammeWaiting = isProgrammeWaiting || isNew || !isProgrammeGiven
        } else if isNew {
            changed.formUnion(ids.join(metadata))
        }
    }

    /// Notes the media ids in what segments and date ranges carry; true if there are new ones.
    private mutating func note(_ marks: [MediaMark], _ ranges: [DateRange], readFrom joined: UnixTime?) -> Bool {
        var isNew = false
        for mark in marks {
            if let date = mark.at.date { readUntil = max(readUntil ?? date, date) }
            for text in mark.metadata.texts where Self.isMediaID(text) {
                if ids.add(text, at: mark.at, readFrom: joined) { isNew = true }
            }
        }
        for range in ranges {
            guard let start = range.start else { continue }
            for attribute in range.extensions {
                guard case .string(let text) = attribute.value, Self.isMediaID(text) else { continue }
                if ids.add(text, at: MediaMoment(start), readFrom: joined) { isNew = true }
            }
        }
        return isNew
    }

    private static func isMediaID(_ text: String) -> Bool { text.hasPrefix("google_") }

    /// An id that no metadata has a tag for yet.
    package var unexplainedFrom: UnixTime? { opening.session?.programme == nil ? ids.unexplainedFrom : nil }

    // MARK: Documents

    package var hasDocument: Bool { notice != nil || !changed.isEmpty || isProgrammeWaiting || ids.hasAwaited }

    package func nextDocument(after date: UnixTime) -> UnixTime? { ids.nextAwaited(after: date) }

    package mutating func takeDocument(on stream: StreamFacts) -> ProviderDocument? {
        if let notice {
            self.notice = nil
            return .findings([notice])
        }
        guard let programme = opening.session?.programme else {
            let loose = ids.reached(stream.playhead)
            guard !changed.isEmpty || !loose.isEmpty else { return nil }
            defer { changed = [] }
            return .media(document(of: changed, loose: loose, on: stream))
        }
        guard isProgrammeWaiting, stream.timeline.playlist != nil else { return nil }
        (isProgrammeGiven, isProgrammeWaiting) = (true, false)
        var document = DecodedMetadata(
            ids.verifying(programme, on: stream), ListedPlacement(timeline: stream.timeline), on: stream)
        document.findings = reported.new(of: document.findings)
        return .media(document)
    }

    package mutating func read(
        _ exchange: HTTPExchange, on stream: StreamFacts
    ) throws(MetadataProblem) -> DecodedMetadata {
        let value = try MetadataProblem.json(exchange.body)
        try metadata.add(value)
        let joined = ids.join(metadata)
        ids.answered()
        let loose = ids.reached(stream.playhead)
        return document(of: DAIMetadata.breaks(in: value).union(joined), loose: loose, on: stream)
    }

    /// What the ids place of these breaks, and the new ids without a meaning.
    private mutating func document(
        of breaks: Set<String>, loose: Set<String>, on stream: StreamFacts
    ) -> DecodedMetadata {
        var placed = ids.placed(by: metadata)
        let findings = placed.findings(of: breaks, loose: loose, on: stream)
        placed.placeLoose()
        var answer = ListedAnswer()
        answer.breaks = placed.answer.breaks.filter { adBreak in
            adBreak.id.map(breaks.contains) == true
                || adBreak.events.contains { !loose.isDisjoint(with: $0.urls.compactMap { ids.id(in: $0) }) }
        }
        var document = DecodedMetadata(answer, ListedPlacement(timeline: stream.knownTimeline), on: stream)
        document.findings = reported.new(of: findings)
        return document
    }

    package mutating func lint(
        _ document: DecodedMetadata, _ outcome: AdTracker.Outcome, _ book: BreakBook, on stream: StreamFacts,
        at now: Moment
    ) -> [Finding] {
        // A break on air has only what was seen of it so far.
        var complete = document
        complete.breaks = document.breaks.filter { adBreak in
            readUntil.map { adBreak.plannedEnd <= $0 } ?? false && stream.reading.isRead(to: adBreak.plannedEnd)
        }
        return polls.lint(complete, outcome, book, on: stream, at: now)
    }
}

extension DAIProvider: RecognisableService {
    package static func place(of url: WebURL) -> ServicePlace? { DAIAddress.place(of: url) }
}
