import AdTracking
import HLS
import Ports

/// The ad metadata: its provider, whose documents are requested one at a time, and what came of it.
struct MetadataPart {
    /// After this many 4xx answers and no document, a stream that does not look like ad insertion counts as a plain
    /// one.
    static let refusalsUntilNone = 3
    /// Interval of metadata requests for a plain stream: metadata may appear with the first break.
    static let recheck: Duration = .seconds(60)

    private enum State {
        case waiting, polling
        /// The stream has no metadata; the next request is at that uptime, nil while it is in flight.
        case none(recheckAt: Duration?)
    }

    private var state = State.waiting
    /// Nil for a plain stream.
    var provider: (any AdMetadataProvider)?
    /// The one whose answer named the session again: that may list ads, which have no place before there is a playlist.
    var confirming: (any AdMetadataProvider)?
    /// The media, for a provider that wants its timed metadata.
    var media = MediaPart()
    var record = FeedRecord()
    /// What may be ahead of the playlist.
    var waiting = WaitingDocument()
    private(set) var documents = 0
    private var refusals = 0
    /// Whether the newest answer only showed that there is nothing at an address that was guessed.
    private var isGuessing = false
    private let seed: UInt64

    init(_ configuration: MonitorConfiguration, seed: UInt64) {
        self.seed = seed
        provider = unopenedProvider(at: configuration.mediaURL, configuration)
    }

    /// The provider of a stream at this address, before it has opened anything; nil for a plain stream.
    func unopenedProvider(at mediaURL: WebURL, _ configuration: MonitorConfiguration) -> (any AdMetadataProvider)? {
        var options = ProviderOptions(
            mediaURL: mediaURL, asksForSession: configuration.isInitRequest,
            interval: configuration.metadataInterval, seed: seed, isEarlier: configuration.replaysEarlier)
        options.reportsAnyway = configuration.sending.reportsAnyway
        options.isAttached = configuration.following.attached != nil
        return configuration.provider.provider(for: mediaURL).map { $0.init(options) }
    }

    /// The provider's name; nil for a plain stream.
    var providerName: String? { provider.map { type(of: $0).name } }

    var isNone: Bool {
        if case .none = state { true } else { false }
    }

    /// Whether documents are requested and none has arrived: nothing is known yet of what was due.
    var awaitsFirst: Bool { documents == 0 && !isNone && provider?.pollInterval != nil }

    var nextAt: Duration? {
        switch state {
        case .waiting: nil
        case .polling: provider?.nextRequest
        case .none(let recheckAt): recheckAt
        }
    }

    /// The next request and why it is then; nil while none is planned, and for a plain stream.
    var next: NextPoll? {
        switch state {
        case .polling: provider?.nextPoll.map(reasoned)
        case .waiting, .none: nil
        }
    }

    /// To the schedule an answer without a document is a failure; where the address is a guess, it is none.
    private func reasoned(_ next: NextPoll) -> NextPoll {
        isGuessing && next.reason == .failure ? NextPoll(at: next.at, reason: .guess) : next
    }

    /// What the provider may know of the stream, with what was read of its media.
    /// - Parameter position: that of the playhead.
    func facts(_ stream: StreamFacts, playedTo position: StreamTime) -> StreamFacts {
        var facts = stream
        facts.isPlayed = stream.timeline.window.map { $0.end <= position } ?? false
        guard let provider, type(of: provider).readsMedia else { return facts }
        facts.reading = media.reading(to: position, on: stream, for: provider)
        return facts
    }

    /// Earlier processes of the session sent these beacons, and these pings: what the media showed to them, or answers listed, does not come again.
    mutating func continues(_ known: [RestoredBeacon], pinged urls: [String]) {
        if !urls.isEmpty { provider?.pinged(urls) }
        guard let provider, type(of: provider).readsMedia, !known.isEmpty else { return }
        self.provider?.continues(EarlierAd.all(of: known))
    }

    mutating func started(at now: Moment) {
        // A session without addresses of documents may have pings or findings all the same.
        if isNone { provider?.start(at: now) }
        guard case .waiting = state else { return }
        state = .polling
        provider?.start(at: now)
    }

    mutating func becameNone(recheckAt: Duration? = nil) {
        state = .none(recheckAt: recheckAt)
        record.becameNone()
    }

    /// The request for the next document; nil if there is none to send yet.
    mutating func request(on stream: StreamFacts, at now: Moment) -> ProviderRequest? {
        if isNone { state = .none(recheckAt: nil) }
        return provider?.request(on: stream, at: now)
    }

    /// A document arrived.
    mutating func succeeded(at now: Moment) {
        state = .polling
        documents += 1
        isGuessing = false
        provider?.succeeded(at: now)
    }

    /// No document arrived.
    mutating func failed(_ exchange: HTTPExchange, at now: Moment) {
        isGuessing = false
        provider?.failed(exchange, retryAfter: exchange.fields["retry-after"], at: now)
    }

    /// Counts an answer that the feed does not exist; true when it was the last one needed.
    mutating func refused(_ exchange: HTTPExchange, at now: Moment) -> Bool {
        refusals += 1
        guard !isNone, refusals < Self.refusalsUntilNone else {
            let isNew = !isNone
            becameNone(recheckAt: now.uptime + Self.recheck)
            return isNew
        }
        provider?.failed(exchange, retryAfter: nil, at: now)
        isGuessing = true
        return false
    }
}

/// What is noted about answers.
extension MetadataPart {
    /// An answer without a document.
    struct Failure {
        var exchange: HTTPExchange
        /// A clause.
        var problem: String
        var kind: ErrorKind
        /// Why the body is none; nil if the exchange failed.
        var cause: MetadataProblem?
        /// Why there was a ping whose answer that is, a beacon (PRV-43); nil for a request of metadata.
        var ping: String?

        /// The name of the request.
        var subject: String { ping.map { "ping \($0)" } ?? "metadata" }
    }

    /// Notes a failure. Returns false if it only shows that the stream has no metadata.
    /// - Parameter mayBePlain: whether only the guessed URL suggests metadata, and no document ever arrived.
    mutating func failed(_ failure: Failure, mayBePlain: Bool, _ desk: inout Desk, at now: Moment) -> Bool {
        let (exchange, problem) = (failure.exchange, failure.problem)
        if mayBePlain, exchange.failure == nil, exchange.status != 429, (exchange.status ?? 0) < 500 {
            if refused(exchange, at: now) {
                desk.note(
                    .info, "no ad metadata (\(problem)): breaks are those of the playlist", from: .metadata, at: now)
            } else if !isNone {
                desk.note(.debug, "metadata: \(problem)", from: .metadata, at: now)
            }
            return false
        }
        lint(exchange, problem: failure.cause, ofPing: failure.ping != nil, &desk, at: now)
        // A plain stream stays one until its metadata is served, whatever a request for it meets meanwhile.
        guard !isNone else {
            becameNone(recheckAt: now.uptime + max(Self.recheck, RetryAfter.pause(of: exchange, at: now)))
            return false
        }
        failed(exchange, at: now)
        let isNew = record.failed(exchange, problem: problem, ofPing: failure.ping != nil)
        // A ping that failed is counted and logged as the beacon that it is.
        guard failure.ping == nil || exchange.isSuccess else { return true }
        desk.errors.note(failure.kind, "\(failure.subject): \(problem)", at: now)
        desk.activity.noteError(at: now)
        guard isNew else { return true }
        let wait = nextAt.map { ", next try in \(Wording.seconds(max(.zero, $0 - now.uptime)))" } ?? ""
        desk.note(.error, "\(failure.subject): \(problem)\(wait)", from: .metadata, at: now)
        return true
    }

    /// Reports what is wrong with an answer apart from the content of its document.
    func lint(
        _ exchange: HTTPExchange, problem: MetadataProblem?, ofPing isPing: Bool = false, _ desk: inout Desk,
        at now: Moment
    ) {
        guard let provider else { return }
        let findings = DeliveryLint.metadataAnswered(
            exchange, problem: problem, expecting: type(of: provider).contentType, isPing: isPing)
        desk.noteFindings(findings, from: .metadata, at: now)
    }

    /// Logs one line for the changes of an answer, none without changes, and one line for each change that affects
    /// billing.
    /// - Parameters:
    ///   - isPoll: whether a poll brought the answer, and not the opening of the session or a ping.
    ///   - book: the breaks after the answer.
    ///   - air: has the labels of breaks.
    func describe(
        _ merge: MergeReport, _ exchange: HTTPExchange, isPoll: Bool, in book: BreakBook?, _ air: AirPart,
        _ desk: inout Desk, at now: Moment
    ) {
        var added: [BreakID] = []
        var ads = 0
        var notable: [MergeChange] = []
        for change in merge.changes {
            switch (change.kind, change.node) {
            case (.added, .adBreak): added.append(change.breakID)
            case (.added, .ad): ads += 1
            case (.added, .event), (.placed, _), (.durationChanged, _), (.detailsChanged, _), (.urlReplaced, _),
                (.expired, _):
                break
            case (.moved, _), (.vanished, _), (.returned, _), (.urlAdded, _), (.urlRemoved, _): notable.append(change)
            }
        }
        if !added.isEmpty || ads > 0 {
            let labels = added.prefix(5).map { air.label(of: $0) }.joined(separator: " ")
            let new = added.isEmpty ? "" : ", +\(added.count) new (\(labels)\(added.count > 5 ? " …" : ""))"
            let newAds = ads > 0 ? ", +\(ads.counted("ad"))" : ""
            let total = (merge.changesAnything ? book?.presentBreaks.count ?? 0 : 0).counted("break")
            desk.note(
                .info,
                "metadata \(isPoll ? "poll " : "")\(Wording.answer(exchange)) \(total)\(new)\(newAds)", from: .metadata,
                at: now)
        }
        let lines = notable.map { change in
            Desk.Line(
                "metadata: \(change.subject) \(change.words)",
                about: book.flatMap { $0[change.breakID] }.map { LogEntry.Break($0) })
        }
        desk.noteLines(lines, .warning, from: .metadata, at: now)
        if merge.refusedNodes > 0 {
            desk.note(
                .warning, "metadata: \(merge.refusedNodes) nodes beyond the limit were dropped", from: .metadata,
                at: now)
        }
    }
}

extension MergeChange {
    /// The change as words that follow the subject.
    fileprivate var words: String {
        switch kind {
        case .added: "was added"
        case .moved(let from, let to): "moved by \(Wording.signedSeconds(to - from))"
        case .placed(let from, let to): "has another place in the playlist by \(Wording.signedSeconds(to - from))"
        case .durationChanged(let from, let to): "lasts \(Wording.seconds(to)), was \(Wording.seconds(from))"
        case .vanished: "vanished"
        case .returned: "returned"
        case .expired: "expired"
        case .urlAdded: "has a new URL"
        case .urlReplaced: "has another URL"
        case .urlRemoved: "lost a URL"
        case .detailsChanged: "changed"
        }
    }
}
