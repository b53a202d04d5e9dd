import HLS
import Ports

/// Requests for documents at one address, once the playlist is known, at an interval until ``PollingEnd``.
struct DocumentPolls: Sendable {
    /// Time between two looks whether a playlist is known: before, breaks have no place.
    private static let pause: Duration = .seconds(1)
    /// Shortest interval, whatever a service asks for.
    private static let shortestInterval: Duration = .seconds(1)

    private var schedule: PollSchedule
    private var feedLint: FeedLint
    /// Uptime before which there is nothing to request; nil while nothing is waited for.
    private var waitsUntil: Duration?
    private var end: PollingEnd
    /// Whether there is an address to request: a document that came otherwise plans no request.
    private var isStarted = false

    /// - Parameter isLive: whether the stream is live even if its first playlist is complete.
    init(_ options: ProviderOptions, isLive: Bool = false) {
        end = PollingEnd(isLive: isLive)
        schedule = PollSchedule(interval: options.interval, seed: options.seed, isEarlier: options.isEarlier)
        let reach = options.mediaURL.literalReach ?? .global
        feedLint = FeedLint(isSecure: options.mediaURL.isSecure, isPublic: reach == .global)
    }

    var interval: Duration { schedule.interval }
    var timeout: Duration { schedule.timeout }

    var next: NextPoll? { isStarted ? schedule.next(notBefore: waitsUntil, until: end) : nil }

    mutating func start(at now: Moment) {
        isStarted = true
        schedule.started(at: now)
    }

    /// True when a request is sent now; it is then in flight.
    mutating func isDue(on stream: StreamFacts, at now: Moment) -> Bool {
        guard stream.timeline.targetDuration != nil else {
            waitsUntil = now.uptime + Self.pause
            return false
        }
        waitsUntil = nil
        end.requested(on: stream)
        feedLint.asked(at: stream.playhead)
        _ = schedule.shouldPoll(at: now)
        return true
    }

    /// Seconds until the next request as the service asks for them.
    mutating func asked(for seconds: ExactDecimal?) {
        guard let seconds else { return }
        schedule.changeInterval(to: max(seconds.asSeconds, Self.shortestInterval), from: .service)
    }

    /// What is not listed yet is on air: the next request is due now.
    mutating func hurry() {
        end.reopened()
        schedule.hurry()
    }

    mutating func playlistArrived(on stream: StreamFacts) { end.playlistArrived(on: stream) }

    mutating func succeeded(at now: Moment) {
        schedule.succeeded(at: now)
        end.succeeded()
    }

    mutating func failed(_ exchange: HTTPExchange, retryAfter: String?, at now: Moment) {
        schedule.failed(
            retryAfter: retryAfter, answered: exchange.fields["date"], isTimeout: exchange.failure?.kind == .timeout,
            at: now)
    }

    mutating func lint(
        _ document: DecodedMetadata, _ outcome: AdTracker.Outcome, _ book: BreakBook, on stream: StreamFacts,
        at now: Moment
    ) -> [Finding] {
        feedLint.arrived(document, outcome, book: book, stream.surroundings(pollInterval: schedule.interval), at: now)
    }
}

extension DecodedMetadata {
    /// What an answer lists, on the dates of the stream. What it lacks is kept (PRV-9).
    init(_ answer: ListedAnswer, _ placement: ListedPlacement, on stream: StreamFacts) {
        var open = OpenBreaks()
        self.init(answer, placement, &open, on: stream)
    }

    /// The same, and the ends of breaks of earlier answers that waited until now.
    init(_ answer: ListedAnswer, _ placement: ListedPlacement, _ open: inout OpenBreaks, on stream: StreamFacts) {
        self.init(answer, placement, on: stream) { open.take($0, on: stream) }
    }

    /// An answer that comes once and lists its breaks as they end: none of them grows, whatever their markers promised (PRV-26).
    init(final answer: ListedAnswer, _ placement: ListedPlacement, on stream: StreamFacts) {
        self.init(answer, placement, on: stream) { placed in placed.compactMap { AdBreak($0, listedUntil: nil) } }
    }

    private init(
        _ answer: ListedAnswer, _ placement: ListedPlacement, on stream: StreamFacts,
        breaks: ([ListedBreak]) -> [AdBreak]
    ) {
        var listing = Listing()
        listing.add(answer)
        let placed = placement.placed(listing.breaks)
        self.init(breaks: breaks(placed), findings: listing.findings)
        if !stream.hasPlaylist, let first = placed.first(where: { $0.date == nil }) {
            findings.append(
                ProviderRule.withoutTime.finding(
                    "the break has no date, and without a playlist the date of second 0 is not known: "
                        + "--pdt-offset DATE gives it", path: first.node))
        }
        (keepsUnlisted, settledUntil) = (true, ListedEdge(stream)?.settled)
    }
}
