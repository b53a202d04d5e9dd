import HLS
package import Ports

/// AWS Elemental MediaTailor: explicit and implicit sessions (PRV-14, PRV-15), client, hybrid and server reporting (PRV-16),
/// tracking data in pages at the interval of the media playlist (PRV-17, PRV-18), seconds on the clock of the session (PRV-20).
package struct MediaTailorProvider: AdMetadataProvider {
    package static let name = "mediatailor"
    package static let contentType = "json"
    package static let placesWithoutDates = true

    package static let summary = ProviderSummary(
        title: "AWS Elemental MediaTailor",
        recognition: "a path /v1/session|master|dash|manifest|tracking/ACCOUNT/…, the host or a query parameter aws.…",
        supports: [
            "explicit sessions by POST or GET, implicit ones by the manifest, and running ones",
            "tracking data in pages (NextToken) at the target duration",
            "seconds from the first media playlist, or dates",
            "client, hybrid and server-side reporting; what the service reports is never sent",
        ])

    package static func savedSession() -> any SavedSession { MediaTailorSavedSession() }

    /// Time between two looks whether a playlist is known: before, there is no tracking data.
    private static let pause: Duration = .seconds(1)
    /// Shortest interval, whatever the playlist states.
    private static let shortestInterval: Duration = .seconds(1)

    private let isAttached: Bool
    /// Whether the viewer reports what the service reports too.
    private let reportsAnyway: Bool
    /// The notice about who reports; nil once it was given.
    private var notice: Finding?
    private var opening: MediaTailorOpening
    private var schedule: PollSchedule
    private var pages = MediaTailorPages(usesTokens: true)
    private var clock = MediaTailorClock()
    private var feedLint: FeedLint
    /// Uptime before which there is nothing to request; nil while nothing is waited for.
    private var waitsUntil: Duration?
    /// Uptime of the newest request: a token is at least as young.
    private var requestedAt: Duration = .zero
    private var end = PollingEnd()
    private var pageFindings: [Finding] = []
    private var openBreaks = OpenBreaks()
    /// The newest answer: a stream between two breaks repeats it.
    private var newest: Newest?

    /// An answer and what it lists.
    private struct Newest {
        var bytes: [UInt8]
        var document: MediaTailorDocument
        var clock: MediaTailorClock
        /// Nil where the playlist decides, too.
        var placed: DecodedMetadata?
    }

    package init(_ options: ProviderOptions) {
        (isAttached, reportsAnyway) = (options.isAttached, options.reportsAnyway)
        opening = MediaTailorOpening(mediaURL: options.mediaURL)
        schedule = PollSchedule(interval: options.interval, seed: options.seed, isEarlier: options.isEarlier)
        let reach = options.mediaURL.literalReach ?? .global
        feedLint = FeedLint(isSecure: options.mediaURL.isSecure, isPublic: reach == .global)
    }

    package static func recognises(_ mediaURL: WebURL) -> Bool { MediaTailorAddress(mediaURL) != nil }

    // MARK: Opening

    package mutating func open() -> OpeningStep { noticed(isAttached ? opening.attach() : opening.open()) }

    package static func attached(to url: WebURL) -> Attachment { MediaTailorOpening.attached(to: url) }

    package mutating func openingAnswered(_ exchange: HTTPExchange) -> OpeningStep {
        noticed(opening.answered(exchange))
    }

    /// Says of an open session that its service reports.
    private mutating func noticed(_ step: OpeningStep) -> OpeningStep {
        guard case .opened = step else { return step }
        notice = mode.finding(hasTracking: opening.session?.tracking != nil, reportsAnyway: reportsAnyway)
        return step
    }

    private var mode: MediaTailorMode { opening.session?.mode ?? .client }

    package var status: ProviderStatus {
        var status = ProviderStatus(
            mode: mode.rawValue, reporter: mode.reporter,
            tokenSince: pages.usesTokens && pages.token != nil ? pages.tokenSince : nil)
        status.prefetch = opening.prefetch
        return status
    }

    package func isReportedByService(_ type: EventType, ofLinearAd isLinear: Bool) -> Bool {
        !reportsAnyway && mode.isReportedByService(type, ofLinearAd: isLinear)
    }

    // MARK: Requests for documents

    package var pollInterval: Duration? { schedule.interval }

    package var nextPoll: NextPoll? { schedule.next(notBefore: waitsUntil, until: end) }

    package mutating func start(at now: Moment) {
        if opening.session?.tracking != nil { schedule.started(at: now) }
    }

    package mutating func request(on stream: StreamFacts, at now: Moment) -> ProviderRequest? {
        guard let tracking = opening.session?.tracking else { return nil }
        guard let target = stream.timeline.targetDuration else {
            waitsUntil = now.uptime + Self.pause
            return nil
        }
        waitsUntil = nil
        requestedAt = now.uptime
        schedule.changeInterval(to: max(target, Self.shortestInterval), from: .target)
        _ = schedule.shouldPoll(at: now)
        end.requested(on: stream)
        feedLint.asked(at: stream.playhead)
        guard let body = pages.body(at: now.uptime) else { return ProviderRequest(tracking, timeout: schedule.timeout) }
        return ProviderRequest(
            tracking, method: .post, fields: [HTTPField("content-type", "application/json")],
            body: Array(body.text().utf8), timeout: schedule.timeout)
    }

    package mutating func succeeded(at now: Moment) {
        schedule.succeeded(at: now)
        end.succeeded()
    }

    package mutating func playlistArrived(on stream: StreamFacts) { end.playlistArrived(on: stream) }

    package mutating func failed(_ exchange: HTTPExchange, retryAfter: String?, at now: Moment) {
        schedule.failed(
            retryAfter: retryAfter, answered: exchange.fields["date"], isTimeout: exchange.failure?.kind == .timeout,
            at: now)
        guard let status = exchange.status else { return }
        let (isRepeated, finding) = pages.failed(status: status)
        note(finding)
        // A cache in front of the service may reject POST; the whole window then comes by GET.
        let isRejected = [405, 501].contains(status) && pages.usesTokens
        if isRejected { pages.usesTokens = false }
        if isRepeated || isRejected { schedule.started(at: now, because: isRepeated ? .token : .method) }
    }

    /// Findings are reported with the next document, so the session was not over: three rejections in a row end it, which the session reports
    /// (TRK-32). A service that rejects the request without a token, too, did not reject the token.
    private mutating func note(_ finding: Finding?) {
        guard let finding else { return }
        guard finding.rule == ProviderRule.sessionGone.rawValue else { return pageFindings.append(finding) }
        pageFindings.removeAll { $0.rule == ProviderRule.token.rawValue }
    }

    // MARK: Documents

    package var hasDocument: Bool { notice != nil || !openBreaks.isEmpty }

    package mutating func takeDocument(on stream: StreamFacts) -> ProviderDocument? {
        guard let notice else { return openBreaks.takeDocument(on: stream) }
        self.notice = nil
        return .findings([notice])
    }

    package mutating func read(
        _ exchange: HTTPExchange, on stream: StreamFacts
    ) throws(MetadataProblem) -> DecodedMetadata {
        let known = newest.flatMap { $0.bytes.hasSameBytes(as: exchange.body) ? $0 : nil }
        let document: MediaTailorDocument
        if let known {
            document = known.document
        } else {
            document = try MediaTailorDocument.read(exchange.body, reportsAnyway ? .client : mode)
        }
        pageFindings += [pages.arrived(token: document.token, at: requestedAt)].compactMap(\.self)
        pageFindings += [clock.anchored(document.zero)].compactMap(\.self)
        clock.noted(stream.timeline.playlist)
        if let known, known.clock == clock, var placed = known.placed, openBreaks.isEmpty {
            placed.settledUntil = ListedEdge(stream)?.settled
            return placed
        }
        let hadOpen = !openBreaks.isEmpty
        let placed = DecodedMetadata(
            document.answer, clock.placement(on: stream.knownTimeline), &openBreaks, on: stream)
        newest = Newest(
            bytes: exchange.body, document: document, clock: clock,
            placed: document.answer.isPlacedByItself && !hadOpen ? placed : nil)
        return placed
    }

    package mutating func read(
        assetList: [UInt8], from start: UnixTime, on stream: StreamFacts
    ) -> DecodedMetadata? {
        // What is wrong with the list is reported where its assets are read.
        guard let list = try? JSONReader.read(assetList) else { return nil }
        do throws(MetadataProblem) {
            guard
                let document = try MediaTailorDocument.read(
                    assetList: list, start: start, reportsAnyway ? .client : mode)
            else { return nil }
            return DecodedMetadata(final: document.answer, ListedPlacement(zero: document.zero), on: stream)
        } catch {
            return nil
        }
    }

    package mutating func lint(
        _ document: DecodedMetadata, _ outcome: AdTracker.Outcome, _ book: BreakBook, on stream: StreamFacts,
        at now: Moment
    ) -> [Finding] {
        defer { pageFindings = [] }
        let around = stream.surroundings(pollInterval: schedule.interval)
        return pageFindings + feedLint.arrived(document, outcome, book: book, around, at: now)
    }
}

extension ProviderSetting {
    package static let mediaTailor = ProviderSetting(MediaTailorProvider.self)
}

extension MediaTailorProvider: RecognisableService {
    package static func place(of url: WebURL) -> ServicePlace? {
        MediaTailorAddress(url).map { ServicePlace($0.role, tracking: $0.tracking) }
    }

    package static func isNamed(in text: String) -> Bool { MediaTailorAddress.isNamed(in: text) }
}

extension ListedAnswer {
    /// Whether its breaks have dates, and none has events that wait for the end of what is listed.
    fileprivate var isPlacedByItself: Bool {
        breaks.allSatisfy { adBreak in
            adBreak.date != nil && !adBreak.events.contains { $0.type.waitsForEnd }
        }
    }
}
