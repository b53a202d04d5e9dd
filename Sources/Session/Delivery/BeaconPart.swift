import AdTracking
import Ports

/// Beacons that are being sent.
struct BeaconPart {
    /// A beacon that is later than this counts as late.
    static let punctual: Duration = .seconds(1)

    struct InFlight {
        var event: EventID
        var host: String
    }

    /// Sent and not answered.
    var inFlight: [ClaimID: InFlight] = [:]
    /// Passed to the journal and not yet on disk.
    var unwritten: Set<ClaimID> = []
}

extension MonitorState {
    /// Carries out the effects of the tracker and logs the result.
    mutating func take(_ outcome: AdTracker.Outcome, at now: Moment) {
        keepMerge(outcome.merge, at: now)
        for effect in outcome.effects { take(effect, at: now) }
        for claimed in outcome.claimed { noteClaimed(claimed, at: now) }
        if let tracker, !outcome.claimed.isEmpty {
            noteFindings(DeliveryLint.claimed(outcome.claimed, in: tracker), from: .delivery, at: now)
        }
        for change in outcome.deliveries { noteDelivery(change, at: now) }
        for settlement in outcome.settlements { settleReport(settlement, at: now) }
        views.touch(outcome.touched)
    }

    /// Carries out an effect of a ledger.
    mutating func take(_ effect: LedgerEffect, at now: Moment) {
        switch effect {
        case .writeClaims(let claims):
            beacons.unwritten.formUnion(claims.map(\.id))
            switch journal.state {
            case .open: effects.append(.writeClaims(claims.map(JournalClaim.init)))
            // Waiting claims are passed to the journal when it opens.
            case .closed, .opening: break
            case .failed: claimsWritten(claims.map(\.id), at: now)
            }
        case .send(let orders):
            for order in orders { send(order, at: now) }
        case .writeOutcomes(let outcomes):
            guard journal.state == .open || journal.isReopening else { return }
            effects.append(.writeOutcomes(outcomes.map(JournalOutcome.init)))
        }
    }

    private mutating func send(_ order: BeaconOrder, at now: Moment) {
        beacons.inFlight[order.claim] = BeaconPart.InFlight(event: order.event, host: order.url.host)
        counters.beaconsSent += 1
        deliveries.note(.sent, host: order.url.host)
        let delivery = tracker?.ledger[order.event]?.urls.first { $0.url == order.url.text }
        if let delivery, delivery.attemptCount > 1 { counters.retries += 1 }
        activity.noteBeacon(host: order.url.host, at: now)
        var request = HTTPRequest(
            url: order.url, fields: [HTTPField("User-Agent", configuration.userAgent), HTTPField("Accept", "*/*")],
            totalTimeout: Limits.beaconTimeout, maximumBodyBytes: Limits.beaconAnswerBytes, cutsLongBody: true,
            addressRule: order.addressRule)
        request.redirectRule = order.redirectRule
        request.lane = tracker?.plan(of: order.event).map { "ad \($0.adID.number)" }
        effects.append(.send(order.claim, request))
    }

    mutating func claimsWritten(_ claims: [ClaimID], at now: Moment) {
        beacons.unwritten.subtract(claims)
        formatClaimsWritten(claims, at: now)
        noticeClaimsWritten(claims, at: now)
        if let outcome = tracker?.claimsWritten(claims, at: now) { take(outcome, at: now) }
    }

    mutating func beaconAnswered(_ claim: ClaimID, _ exchange: HTTPExchange, at now: Moment) {
        guard beacons.inFlight.removeValue(forKey: claim) != nil else { return }
        // Cancelled by our own stop: whether the beacon arrived is unknown, and the journal must keep it as unknown.
        if isStopped, exchange.failure?.kind == .cancelled { return }
        noteAddress(of: exchange, for: "beacon", from: .delivery, at: now)
        if NoticeBook.owns(claim) { return noticeAnswered(claim, exchange, at: now) }
        if FormatsPart.owns(claim) { return formatBeaconAnswered(claim, exchange, at: now) }
        if let outcome = tracker?.answered(claim, exchange, at: now) { take(outcome, at: now) }
    }

    mutating func retryBeaconsIfDue(at now: Moment) {
        guard let due = tracker?.nextRetry, due <= now.uptime, let outcome = tracker?.retriesDue(at: now) else {
            return
        }
        take(outcome, at: now)
    }

    private mutating func noteClaimed(_ claimed: AdTracker.Claimed, at now: Moment) {
        if claimed.late > BeaconPart.punctual { counters.late += 1 }
        tally(claimed)
        guard mode == .observe else { return }
        activity.noteBeacon(host: nil, at: now)
        let late = claimed.late > BeaconPart.punctual ? " late \(Wording.signedSeconds(claimed.late))" : ""
        note(.info, "beacon \(label(of: claimed.event)) observed\(late)", at: now)
    }

    private mutating func noteDelivery(_ change: DeliveryChange, at now: Moment) {
        guard let answer = change.answer else { return }
        let host = host(of: change.url)
        if let outcome = DeliveryTally.Outcome(answer, change.state) { deliveries.note(outcome, host: host) }
        let took = answer.timings.total
        let result = answer.failure?.message ?? answer.status.map { "\($0) \(Wording.took(took))" } ?? "no answer"
        reports.noteAnswer(result, round: change.round)
        if let status = answer.status { counters.statusClasses[status / 100, default: 0] += 1 }
        let repeated = tracker.flatMap { DeliveryLint.repeated(change, in: $0) }
        noteFindings(DeliveryLint.answered(change) + [repeated].compactMap { $0 }, from: .delivery, at: now)
        let line = "beacon \(label(of: change.event)) \(result)"
        switch change.state {
        case .acknowledged:
            counters.beaconsAcknowledged += 1
            activity.noteAcknowledged(host: host, latency: took, at: now)
            note(.info, line + lateness(of: change), at: now)
        case .waiting:
            activity.noteFailed(host: host, at: now)
            let wait = change.retryAt.map { " retry in \(Wording.seconds(max(.zero, $0 - now.uptime)))" } ?? ""
            note(.warning, "\(line) try \(change.attempt)\(wait)", at: now)
        case .skipped:
            note(.warning, line, at: now)
        case .planned, .claimed, .sent, .rejected, .failed, .unknown, .observed:
            counters.beaconsFailed += 1
            activity.noteFailed(host: host, at: now)
            let tries = change.attempt > 1 ? " gave up after \(change.attempt) tries" : ""
            errors.note(.beacon, line + tries, at: now)
            note(.error, line + tries, at: now)
        }
    }

    /// Counts the beacons of a due event that are not sent; those that are sent are counted when they are sent.
    private mutating func tally(_ claimed: AdTracker.Claimed) {
        deliveries.note(late: claimed.late)
        for url in tracker?.ledger[claimed.event]?.urls ?? [] {
            switch url.state {
            case .observed: deliveries.note(.observed, host: host(of: url.filled ?? url.url))
            case .skipped where url.reason != .duplicate:
                deliveries.note(.skipped, host: host(of: url.filled ?? url.url))
            default: break
            }
        }
    }

    /// The host of a URL; empty if it is not a URL.
    private func host(of url: String) -> String { (try? WebURL(url))?.host ?? "" }

    private func lateness(of change: DeliveryChange) -> String {
        let late = tracker?.ledger[change.event]?.urls.first { $0.url == change.url }?.late
        guard let late, late > BeaconPart.punctual else { return "" }
        return " late \(Wording.signedSeconds(late))"
    }

    /// Label such as `midpoint B2/A1`.
    func label(of event: EventID) -> String {
        guard let plan = tracker?.plan(of: event) else { return "event" }
        let name = plan.type == .unknown ? "unknown event" : plan.type.rawValue
        return "\(name) \(air.label(of: plan.adID))"
    }
}

extension DeliveryTally.Outcome {
    /// The result of one attempt.
    fileprivate init?(_ answer: BeaconAnswer, _ state: DeliveryState) {
        switch state {
        case .acknowledged: self = .acknowledged
        case .skipped: self = .skipped
        case .planned, .claimed, .sent, .waiting, .rejected, .failed, .unknown, .observed:
            self = answer.failure == nil && answer.status != nil ? .rejected : .failed
        }
    }
}
