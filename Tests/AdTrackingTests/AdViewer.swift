import AdTracking
import Ports

/// A simulated viewer of one tracker: plays, journals immediately, sends, and answers with the given responses. It
/// takes the place of the player, the session and the mocked network of the reference tests.
struct AdViewer {
    var tracker: AdTracker
    /// Media time and wall time advance together from 0.
    var now = Moment.ms(0)
    /// Every URL requested, in order.
    var requests: [String] = []
    var claimed: [AdTracker.Claimed] = []
    var unsent: [UnsentBeacon] = []
    var settlements: [UserSettlement] = []
    var deliveries: [DeliveryChange] = []
    /// Claims written and not yet ended: the journal after a crash.
    var journal: [ClaimID: (record: ClaimRecord, outcome: DeliveryState?)] = [:]
    var respond: (String) -> HTTPExchange? = { _ in .answer(204) }

    init(
        mode: ReportingMode = .fire, retry: RetryPolicy = .safe, gate: SendGate = SendGate(), session: String = "s",
        named name: String? = nil, policy: TrackingPolicy = TrackingPolicy(), keep: Duration = .seconds(7_200),
        reportsAnyway: Bool = false
    ) {
        var settings = AdTracker.Settings(sessionID: session, mode: mode, seed: 1)
        settings.sessionName = name
        settings.retry = retry
        settings.gate = gate
        settings.policy = policy
        settings.keep = keep
        settings.reportsAnyway = reportsAnyway
        tracker = AdTracker(settings)
    }

    @discardableResult
    mutating func metadata(_ document: DecodedMetadata) -> AdTracker.Outcome {
        let outcome = tracker.metadataArrived(document, at: now)
        run(outcome)
        return outcome
    }

    @discardableResult
    mutating func metadata(_ breaks: [AdBreak], range: ClosedRange<Int64>? = nil) -> AdTracker.Outcome {
        metadata(.test(breaks, range: range))
    }

    @discardableResult
    mutating func place(_ breaks: [AdBreak], by source: AdBreak.Source) -> AdTracker.Outcome {
        let outcome = tracker.placed(breaks, by: source, at: now)
        run(outcome)
        return outcome
    }

    /// Plays from one media time through another.
    mutating func play(_ from: Int64, _ through: Int64, rate: Double = 1, on track: AdTrack = .primary) {
        now = now.advanced(by: .milliseconds(Int64(Double(through - from) / rate)))
        run(tracker.played(PlayedStretch(from: .ms(from), through: .ms(through), rate: rate, track: track), at: now))
    }

    /// Plays media that follows what was played before, whatever its dates.
    mutating func playOn(_ from: Int64, _ through: Int64) {
        now = now.advanced(by: .milliseconds(through - from))
        run(tracker.played(PlayedStretch(from: .ms(from), through: .ms(through), isSeamless: true), at: now))
    }

    /// The stream is at its end.
    mutating func end() {
        run(tracker.ended(at: now))
    }

    mutating func changeMode(to mode: ReportingMode) {
        run(tracker.modeChanged(to: mode))
    }

    mutating func seek(_ to: Int64) {
        run(tracker.jumped(to: .ms(to), at: now))
    }

    mutating func act(_ action: UserAction, at playhead: Int64?) -> AdTracker.UserOutcome.Result {
        let user = tracker.userActed(action, playhead: playhead.map(UnixTime.ms), at: now)
        run(user.outcome)
        return user.result
    }

    /// Advances by `milliseconds` without playback; due retries run.
    mutating func wait(_ milliseconds: Int64) {
        let end = now.advanced(by: .milliseconds(milliseconds))
        while let next = tracker.nextRetry, next <= end.uptime {
            now = now.advanced(by: max(.zero, next - now.uptime))
            run(tracker.retriesDue(at: now))
        }
        now = end
    }

    mutating func run(_ outcome: AdTracker.Outcome) {
        claimed += outcome.claimed
        unsent += outcome.unsent
        settlements += outcome.settlements
        deliveries += outcome.deliveries
        for effect in outcome.effects {
            switch effect {
            case .writeClaims(let records):
                for record in records { journal[record.id] = (record, nil) }
                run(tracker.claimsWritten(records.map(\.id), at: now))
            case .send(let orders):
                for order in orders {
                    requests.append(order.url.text)
                    if let answer = respond(order.url.text) { run(tracker.answered(order.claim, answer, at: now)) }
                }
            case .writeOutcomes(let records):
                for record in records { journal[record.id]?.outcome = record.state }
            }
        }
    }

    /// The beacons that a new process would read from this journal.
    var restorable: [RestoredBeacon] {
        journal.keys.sorted().compactMap { journal[$0] }.map {
            RestoredBeacon(key: $0.record.key, round: $0.record.round, attempt: $0.record.attempt, outcome: $0.outcome)
        }
    }

    /// The first event of a type, of the ad `name` or of any ad.
    func event(_ type: EventType, of ad: String? = nil) -> EventID? {
        tracker.book.breaks.lazy.flatMap(\.ads).filter { ad == nil || $0.name.text == ad }
            .flatMap(\.events).first { $0.event.type == type }?.id
    }

    func state(_ type: EventType, of ad: String? = nil) -> ReportingState? {
        event(type, of: ad).flatMap { tracker.status(of: $0)?.state }
    }

    func reason(_ type: EventType, of ad: String? = nil) -> SkipReason? {
        event(type, of: ad).flatMap { tracker.status(of: $0)?.reason }
    }
}
