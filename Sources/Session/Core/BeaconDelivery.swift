import AdTracking
import Ports

extension MonitorState {
    /// Carries out the effects of the tracker and logs the result.
    mutating func take(_ outcome: AdTracker.Outcome, at now: Moment) {
        if let book = tracker?.book { desk.keep(outcome.merge, in: book, at: now) }
        for effect in outcome.effects { take(effect, at: now) }
        for state in outcome.takenBack { desk.counters.noteTakenBack(state) }
        for claimed in outcome.claimed { noteClaimed(claimed, at: now) }
        for beacon in outcome.unsent { tally(beacon, at: now) }
        if let tracker, !outcome.claimed.isEmpty {
            desk.noteFindings(DeliveryLint.claimed(outcome.claimed, in: tracker), from: .delivery, at: now)
        }
        for change in outcome.deliveries { noteDelivery(change, at: now) }
        for settlement in outcome.settlements { settleReport(settlement, at: now) }
        views.touch(outcome.touched)
    }

    /// Carries out an effect of a ledger.
    mutating func take(_ effect: LedgerEffect, at now: Moment) {
        switch effect {
        case .writeClaims(let claims):
            let written = desk.writeClaims(claims)
            if !written.isEmpty { claimsWritten(written, at: now) }
        case .send(let orders):
            for order in orders { send(order, at: now) }
        case .writeOutcomes(let outcomes): desk.writeOutcomes(outcomes)
        }
    }

    private mutating func send(_ order: BeaconOrder, at now: Moment) {
        let isRetry = isRetry(order.claim)
        if !isRetry, let late = tracker?.late(of: order.claim) {
            desk.activity.noteLate(host: order.url.host, late, at: now)
        }
        let lane = tracker?.plan(of: order.event).map { "ad \($0.adID.number)" }
        desk.send(order, isRetry: isRetry, lane: lane, at: now)
    }

    mutating func claimsWritten(_ claims: [ClaimID], at now: Moment) {
        desk.beacons.unwritten.subtract(claims)
        beside.claimsWritten(claims, &desk, at: now)
        pings.claimsWritten(claims, &metadata, &desk, at: now)
        if let outcome = tracker?.claimsWritten(claims, at: now) { take(outcome, at: now) }
    }

    /// Claims that were not granted, or whose requests did not leave.
    mutating func claimsRefused(_ refused: [RefusedClaim], at now: Moment) {
        for refusal in refused {
            desk.beacons.unwritten.remove(refusal.id)
            let isRetry = isRetry(refusal.id)
            desk.noteKept(refusal.id, isRetry: isRetry)
            if !isRetry { noteRefused(refusal, at: now) }
        }
        beside.claimsRefused(refused, &desk, at: now)
        pings.claimsRefused(refused, &metadata, &desk, at: now)
        if let outcome = tracker?.claimsRefused(refused, at: now) { take(outcome, at: now) }
    }

    private func isRetry(_ claim: ClaimID) -> Bool { tracker?.isRetry(claim) == true || beside.isRetry(claim) }

    /// Nothing of the beacon was sent here. It is counted with what is withdrawn, and one that is taken where its other claim is.
    private mutating func noteRefused(_ refused: RefusedClaim, at now: Moment) {
        guard let event = tracker?.event(of: refused.id) else { return }
        let host = tracker?.host(of: refused.id) ?? ""
        desk.note(
            .warning, "beacon \(label(of: event)) not sent: \(refused.refusal.words)", from: .beacons, host: host,
            about: adBreak(of: event), at: now)
    }

    mutating func beaconAnswered(_ claim: ClaimID, _ exchange: HTTPExchange, at now: Moment) {
        guard desk.beacons.inFlight.removeValue(forKey: claim) != nil else { return }
        // Cancelled by our own stop: whether the beacon arrived is unknown, and the journal must keep it as unknown.
        if desk.isStopped, exchange.failure?.kind == .cancelled {
            // Notices do not count as beacons.
            if claim.owner != .notice { desk.counters.noteLost(.unknown) }
            return
        }
        desk.noteAddress(of: exchange, for: "beacon", from: .delivery, at: now)
        if BeaconAnswer(exchange).didNotLeave, claim.owner != .notice {
            desk.counters.noteKept(claim.owner, isRetry: isRetry(claim))
        }
        if claim.owner == .ping { return pingAnswered(claim, exchange, at: now) }
        if claim.owner != .stream { return beside.beaconAnswered(claim, exchange, &desk, at: now) }
        if let outcome = tracker?.answered(claim, exchange, at: now) { take(outcome, at: now) }
    }

    mutating func retryBeaconsIfDue(at now: Moment) {
        guard let due = tracker?.nextRetry, due <= now.uptime, let outcome = tracker?.retriesDue(at: now) else {
            return
        }
        take(outcome, at: now)
    }

    private mutating func noteClaimed(_ claimed: AdTracker.Claimed, at now: Moment) {
        if claimed.late > Counters.punctual { desk.counters.late += 1 }
        tally(claimed, at: now)
        // A break may be listed only when it is over.
        if air.noteReached(claimed.breakID) { desk.counters.breaksOnAir += 1 }
        guard desk.mode == .observe else { return }
        let late = claimed.late > Counters.punctual ? " late \(Wording.signedSeconds(claimed.late))" : ""
        desk.note(
            .info, BeaconWords.observed("beacon \(label(of: claimed.event))", late: late), from: .beacons,
            about: adBreak(of: claimed.event), at: now)
    }

    private mutating func noteDelivery(_ change: DeliveryChange, at now: Moment) {
        guard let answer = change.answer else { return noteGivenUp(change, at: now) }
        let host = host(of: change.url)
        if let outcome = DeliveryTally.Outcome(answer, change.state) { desk.deliveries.note(outcome, host: host) }
        let took = answer.timings.total
        let result = answer.failure?.message ?? answer.status.map { "\($0) \(Wording.took(took))" } ?? "no answer"
        reports.noteAnswer(result, round: change.round)
        if let status = answer.status { desk.counters.statusClasses[status / 100, default: 0] += 1 }
        let repeated = tracker.flatMap { DeliveryLint.repeated(change, in: $0) }
        let answered = DeliveryLint.answered(change)
        let place = answered.isEmpty ? nil : tracker?.place(of: change.event)
        desk.noteFindings(
            answered.map { $0.at(place) } + [repeated].compactMap { $0 }, from: .delivery, at: now)
        noteDelay(of: change, host: host, at: now)
        let line = BeaconWords.line("beacon \(label(of: change.event))", result, change, at: now)
        switch change.state {
        case .acknowledged:
            desk.counters.beaconsAcknowledged += 1
            desk.activity.noteAcknowledged(host: host, latency: took, at: now)
            desk.activity.note(.acknowledged, at: now)
            note(.info, line + lateness(of: change), of: change, at: now)
        case .waiting:
            desk.activity.noteFailed(host: host, answer, change.state, at: now)
            note(.warning, line, of: change, at: now)
        case .skipped:
            note(.warning, line, of: change, at: now)
        case .planned, .claimed, .sent, .rejected, .failed, .unknown, .observed:
            desk.noteLost(change, name(of: change.event), at: now)
            desk.activity.noteFailed(host: host, answer, change.state, at: now)
            desk.activity.note(MinuteOutcome(lost: change.state), at: now)
            desk.errors.note(.beacon, line, at: now)
            note(.error, line, of: change, at: now)
        }
    }

    /// The beacon was sent later than its claim, where it was counted.
    private mutating func noteDelay(of change: DeliveryChange, host: String, at now: Moment) {
        guard let delay = change.delay else { return }
        desk.activity.noteDelayed(host: host, delay, at: now)
        desk.deliveries.noteSent(late: delay.sent)
        guard delay.isFirst(beyond: Counters.punctual) else { return }
        desk.counters.late += 1
        desk.activity.note(.late, at: now)
        if let finding = tracker.flatMap({ DeliveryLint.delayed(change, in: $0) }) {
            desk.noteFindings([finding], from: .delivery, at: now)
        }
    }

    /// No other try is made: sending has ended, the deadline passed while the process stood still, or the try was refused.
    private mutating func noteGivenUp(_ change: DeliveryChange, at now: Moment) {
        let isSending = desk.mode == .fire && !desk.isStopped
        let line = BeaconWords.line(
            "beacon \(label(of: change.event))", BeaconWords.givenUp(change, isSending: isSending), change, at: now)
        if isSending { desk.errors.note(.beacon, line, at: now) }
        noteLost(change, line, isSending ? .error : .warning, at: now)
    }

    /// The session is over before these beacons were answered; an answer that still comes changes nothing.
    mutating func noteUnended(at now: Moment) {
        for change in tracker?.unended ?? [] {
            let awaited = change.state == .unknown ? "answer" : "next try"
            let result = "\(change.state.word.rawValue): the session was over before its \(awaited)"
            noteLost(change, "beacon \(label(of: change.event)) \(result)", .warning, at: now)
            // Each try that failed was counted for its host.
            if change.state == .unknown { desk.activity.noteUnanswered(host: host(of: change.url), at: now) }
        }
    }

    /// No answer and no other try is awaited any more.
    private mutating func noteLost(_ change: DeliveryChange, _ line: String, _ level: LogLevel, at now: Moment) {
        desk.noteLost(change, name(of: change.event), at: now)
        desk.activity.note(MinuteOutcome(lost: change.state), at: now)
        note(level, line, of: change, at: now)
    }

    private mutating func note(_ level: LogLevel, _ line: String, of change: DeliveryChange, at now: Moment) {
        desk.note(
            level, line, from: .beacons, host: host(of: change.url), about: adBreak(of: change.event), at: now)
    }

    /// Counts the beacons of a due event that are not sent; those that are sent are counted when they are sent.
    private mutating func tally(_ claimed: AdTracker.Claimed, at now: Moment) {
        desk.deliveries.note(late: claimed.late)
        if claimed.late > Counters.punctual { desk.activity.note(.late, at: now) }
    }

    private mutating func tally(_ beacon: UnsentBeacon, at now: Moment) {
        let isObserved = beacon.state == .observed
        desk.deliveries.note(isObserved ? .observed : .skipped, host: host(of: beacon.filled ?? beacon.key.url))
        desk.activity.note(isObserved ? .observed : .notSent, at: now)
    }

    /// The host of a URL; empty if it is not a URL.
    private func host(of url: String) -> String { (try? WebURL(written: url))?.host ?? "" }

    private func lateness(of change: DeliveryChange) -> String {
        let late = tracker?.ledger[change.event]?.urls.first { $0.url == change.url }?.late
        guard let late, late > Counters.punctual else { return "" }
        return " late \(Wording.signedSeconds(late))"
    }

    /// The break of an event, as the log names it.
    private func adBreak(of event: EventID) -> LogEntry.Break? {
        tracker?.plan(of: event).flatMap { logged($0.breakID) }
    }

    /// A break as the log names it; nil when it is not known any more.
    func logged(_ id: BreakID) -> LogEntry.Break? { tracker?.book[id].map { LogEntry.Break($0) } }

    /// Label such as `midpoint B2/A1`.
    func label(of event: EventID) -> String {
        guard let plan = tracker?.plan(of: event) else { return name(of: event) }
        return "\(name(of: event)) \(air.label(of: plan.adID))"
    }

    /// `midpoint`
    private func name(of event: EventID) -> String {
        guard let type = tracker?.plan(of: event)?.type else { return "event" }
        return type == .unknown ? "unknown event" : type.rawValue
    }
}

extension DeliveryTally.Outcome {
    /// The result of one attempt.
    init?(_ answer: BeaconAnswer, _ state: DeliveryState) {
        switch state {
        case .acknowledged: self = .acknowledged
        case .skipped: self = .skipped
        case .planned, .claimed, .sent, .waiting, .rejected, .failed, .unknown, .observed:
            self = answer.failure == nil && answer.status != nil ? .rejected : .failed
        }
    }
}
