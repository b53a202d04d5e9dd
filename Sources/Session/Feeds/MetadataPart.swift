import AdTracking
import HLS
import Ports

/// Polling the ad metadata.
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
    private(set) var schedule: PollSchedule
    var record = FeedRecord()
    var decoder = MetadataDecoder()
    private(set) var documents = 0
    private var refusals = 0

    init(_ configuration: MonitorConfiguration, seed: UInt64) {
        schedule = PollSchedule(
            interval: configuration.metadataInterval, seed: seed, isEarlier: configuration.replaysEarlier)
    }

    var isNone: Bool {
        if case .none = state { true } else { false }
    }

    var nextAt: Duration? {
        switch state {
        case .waiting: nil
        case .polling: schedule.nextPollAt
        case .none(let recheckAt): recheckAt
        }
    }

    mutating func started(at now: Moment) {
        guard case .waiting = state else { return }
        state = .polling
        schedule.started(at: now)
    }

    mutating func becameNone(recheckAt: Duration? = nil) {
        state = .none(recheckAt: recheckAt)
        record.becameNone()
    }

    mutating func shouldPoll(at now: Moment) -> Bool {
        switch state {
        case .waiting: return false
        case .polling: return schedule.shouldPoll(at: now)
        case .none(let recheckAt):
            guard let recheckAt, recheckAt <= now.uptime else { return false }
            state = .none(recheckAt: nil)
            return true
        }
    }

    /// A document arrived.
    mutating func succeeded(at now: Moment) {
        state = .polling
        documents += 1
        schedule.succeeded(at: now)
    }

    /// No document arrived.
    mutating func failed(_ exchange: HTTPExchange, at now: Moment) {
        schedule.failed(
            retryAfter: exchange.fields["retry-after"], isTimeout: exchange.failure?.kind == .timeout, at: now)
    }

    /// Counts an answer that the feed does not exist; true when it was the last one needed.
    mutating func refused(at now: Moment) -> Bool {
        refusals += 1
        guard !isNone, refusals < Self.refusalsUntilNone else {
            let isNew = !isNone
            becameNone(recheckAt: now.uptime + Self.recheck)
            return isNew
        }
        schedule.failed(at: now)
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
    }

    /// Notes a failure. Returns false if it only shows that the stream has no metadata.
    /// - Parameter mayBePlain: whether only the guessed URL suggests metadata, and no document ever arrived.
    mutating func failed(_ failure: Failure, mayBePlain: Bool, _ desk: inout Desk, at now: Moment) -> Bool {
        let (exchange, problem) = (failure.exchange, failure.problem)
        if mayBePlain, exchange.failure == nil, exchange.status != 429, (exchange.status ?? 0) < 500 {
            if refused(at: now) {
                desk.note(.info, "no ad metadata (\(problem)): a plain stream", at: now)
            } else if !isNone {
                desk.note(.debug, "metadata: \(problem)", at: now)
            }
            return false
        }
        desk.noteFindings(DeliveryLint.metadataAnswered(exchange, problem: failure.cause), from: .metadata, at: now)
        failed(exchange, at: now)
        desk.errors.note(failure.kind, "metadata: \(problem)", at: now)
        desk.activity.noteError(at: now)
        guard record.failed(exchange, problem: problem) else { return true }
        let wait = nextAt.map { ", next try in \(Wording.seconds(max(.zero, $0 - now.uptime)))" } ?? ""
        desk.note(.error, "metadata: \(problem)\(wait)", at: now)
        return true
    }

    /// Logs one line for the changes of a poll, none without changes, and one line for each change that affects
    /// billing.
    /// - Parameters:
    ///   - count: number of breaks in the document.
    ///   - air: has the labels of breaks.
    func describe(
        _ merge: MergeReport, _ exchange: HTTPExchange, of count: Int, _ air: AirPart, _ desk: inout Desk,
        at now: Moment
    ) {
        var added: [BreakID] = []
        var ads = 0
        var notable: [MergeChange] = []
        for change in merge.changes {
            switch (change.kind, change.node) {
            case (.added, .adBreak): added.append(change.breakID)
            case (.added, .ad): ads += 1
            case (.added, .event), (.durationChanged, _), (.detailsChanged, _), (.urlReplaced, _), (.expired, _): break
            case (.moved, _), (.vanished, _), (.returned, _), (.urlAdded, _), (.urlRemoved, _): notable.append(change)
            }
        }
        if !added.isEmpty || ads > 0 {
            let labels = added.prefix(5).map { air.label(of: $0) }.joined(separator: " ")
            let new = added.isEmpty ? "" : ", +\(added.count) new (\(labels)\(added.count > 5 ? " …" : ""))"
            let newAds = ads > 0 ? ", +\(Wording.count(ads, "ad"))" : ""
            let total = Wording.count(count, "break")
            desk.note(
                .info,
                "metadata poll \(Wording.answer(exchange)) \(total)\(new)\(newAds)",
                at: now)
        }
        desk.noteLines(notable.map { "metadata: \($0.subject) \($0.words)" }, .warning, at: now)
        if merge.refusedNodes > 0 {
            desk.note(.warning, "metadata: \(merge.refusedNodes) nodes beyond the limit were dropped", at: now)
        }
    }
}

extension MergeChange {
    /// The change as words that follow the subject.
    fileprivate var words: String {
        switch kind {
        case .added: "was added"
        case .moved(let from, let to): "moved by \(Wording.signedSeconds(to - from))"
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
