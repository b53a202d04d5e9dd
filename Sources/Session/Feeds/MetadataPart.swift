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

extension MonitorState {
    mutating func pollIfDue(at now: Moment) {
        guard renewal.polls(.metadata), let url = session.addresses?.metadataURL, metadata.shouldPoll(at: now) else {
            return
        }
        fetch(.metadata, url, limit: Limits.metadataBytes, timeout: metadata.schedule.timeout, at: now)
    }

    /// Uptime of the next request; nil while none is due, or the server has ended the session.
    var nextPoll: Duration? { renewal.polls(.metadata) ? metadata.nextAt : nil }

    mutating func metadataAnswered(_ exchange: HTTPExchange, at now: Moment) {
        counters.metadataPolls += 1
        defer { metadata.record.planned(at: nextPoll, now: now) }
        guard exchange.isSuccess else {
            keepPoll(.metadata, exchange, problem: Wording.problem(exchange), at: now)
            let kind: ErrorKind = exchange.failure == nil ? .metadata : .network
            return metadataFailed(exchange, Wording.problem(exchange), kind, at: now)
        }
        do throws(MetadataProblem) {
            let document = try metadata.decoder.decode(exchange.body)
            metadataRead(document, exchange, at: now)
        } catch {
            let type = exchange.contentType.map { " (\($0))" } ?? ""
            keepPoll(.metadata, exchange, problem: "the body\(type) \(error.explanation)", at: now)
            metadataFailed(exchange, "the body\(type) \(error.explanation)", .metadata, cause: error, at: now)
        }
    }

    private mutating func metadataRead(_ document: DecodedMetadata, _ exchange: HTTPExchange, at now: Moment) {
        let appeared = metadata.isNone
        metadata.succeeded(at: now)
        renewal.succeeded(.metadata)
        if metadata.record.succeeded(exchange, at: now) || appeared {
            note(.info, "metadata \(appeared ? "appeared" : "recovered"): \(Wording.answer(exchange))", at: now)
        }
        noteFindings(DeliveryLint.metadataAnswered(exchange, problem: nil), from: .metadata, at: now)
        guard let outcome = tracker?.metadataArrived(document, at: now) else { return }
        keepPoll(.metadata, exchange, changes: outcome.merge, at: now)
        replanAir(after: outcome.merge)
        lint(document, outcome, at: now)
        describe(outcome.merge, exchange, at: now)
        take(outcome, at: now)
        if let tracker { noteFindings(verdicts.documentArrived(in: tracker), from: .delivery, at: now) }
        if outcome.merge.changesAnything { views.metadataChanged() }
        joinBreaks(at: now)
        noteUnmatchedMarkers(at: now)
        moveToInterstitials(at: now)
    }

    private mutating func lint(_ document: DecodedMetadata, _ outcome: AdTracker.Outcome, at now: Moment) {
        guard let book = tracker?.book else { return }
        let timeline = playlist.follower.timeline
        let around = FeedLint.Surroundings(
            playhead: playheadDate, liveEdge: timeline.hasEnded ? nil : timeline.window?.endDate,
            pollInterval: configuration.metadataInterval,
            lacksDates: timeline.window.map { $0.startDate == nil && $0.endDate == nil } ?? false)
        let findings = feedLint?.arrived(document, outcome, book: book, around, at: now) ?? []
        noteFindings(findings, from: .metadata, at: now)
    }

    private mutating func metadataFailed(
        _ exchange: HTTPExchange, _ problem: String, _ kind: ErrorKind, cause: MetadataProblem? = nil, at now: Moment
    ) {
        if mayBePlain, exchange.failure == nil, exchange.status != 429, (exchange.status ?? 0) < 500 {
            if metadata.refused(at: now) {
                note(.info, "no ad metadata (\(problem)): a plain stream", at: now)
            } else if !metadata.isNone {
                note(.debug, "metadata: \(problem)", at: now)
            }
            return
        }
        noteFindings(DeliveryLint.metadataAnswered(exchange, problem: cause), from: .metadata, at: now)
        metadata.failed(exchange, at: now)
        errors.note(kind, "metadata: \(problem)", at: now)
        activity.noteError(at: now)
        defer { noteRefusal(of: .metadata, exchange, at: now) }
        guard metadata.record.failed(exchange, problem: problem) else { return }
        let wait = metadata.nextAt.map { ", next try in \(Wording.seconds(max(.zero, $0 - now.uptime)))" } ?? ""
        note(.error, "metadata: \(problem)\(wait)", at: now)
    }

    /// Whether only the guessed URL suggests metadata, and no document ever arrived.
    private var mayBePlain: Bool {
        configuration.provider == .auto && metadata.documents == 0 && session.addresses?.looksLikeHarmonic == false
    }

    /// Logs one line for the changes of a poll, none without changes, and one line for each change that affects
    /// billing.
    private mutating func describe(_ merge: MergeReport, _ exchange: HTTPExchange, at now: Moment) {
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
            let total = Wording.count(tracker?.book.presentBreaks.count ?? 0, "break")
            note(
                .info,
                "metadata poll \(Wording.answer(exchange)) \(total)\(new)\(newAds)",
                at: now)
        }
        noteLines(notable.map { "metadata: \($0.subject) \($0.words)" }, .warning, at: now)
        if merge.refusedNodes > 0 {
            note(.warning, "metadata: \(merge.refusedNodes) nodes beyond the limit were dropped", at: now)
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
