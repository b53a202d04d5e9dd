import AdTracking
import HLS
import Ports

/// The pings that the moves of the player make due, and what their answers list (PRV-43).
struct PingPart: Sendable {
    var book: PingBook
    /// The jumps since the last ping, as one.
    private var jump: (from: StreamTime, to: StreamTime)?

    init(mode: ReportingMode, gate: SendGate) {
        book = PingBook(mode: mode, gate: gate)
    }

    mutating func jumped(from: StreamTime, to position: StreamTime) {
        jump = (jump?.from ?? from, position)
    }

    /// The session is over.
    mutating func left() {
        book.left()
        jump = nil
    }

    /// Claims what is due.
    /// - Parameters:
    ///   - position: where the player plays; nil while it does not.
    ///   - session: the identifier of the session; nil without a session that pings may report to.
    mutating func player(
        at position: StreamTime?, in session: String?, _ metadata: inout MetadataPart, _ desk: inout Desk,
        at now: Moment
    ) {
        let jump = jump.map { PlayerMove.jumped(from: $0.from, to: $0.to) }
        self.jump = nil
        guard let session else { return }
        for move in [jump, position.map(PlayerMove.plays)].compactMap({ $0 }) {
            guard let ping = metadata.provider?.ping(after: move) else { continue }
            claim(ping, of: session, &metadata, &desk, at: now)
        }
    }

    private mutating func claim(
        _ ping: PlayerPing, of session: String, _ metadata: inout MetadataPart, _ desk: inout Desk, at now: Moment
    ) {
        switch book.claim(ping, of: session, at: now) {
        case .claimed: break
        case .observed:
            metadata.provider?.pingFailed(ping.number, wasSent: false)
            desk.note(
                .info, BeaconWords.observed("ping \(ping.cause)") + ": no further ads are known without its answer",
                from: .beacons, at: now)
        case .skipped:
            metadata.provider?.pingFailed(ping.number, wasSent: false)
            let reason = book.newest?.reason?.words.sentence ?? "not sent"
            desk.note(.warning, "ping \(ping.cause): \(reason)", from: .beacons, at: now)
        case .planned, .sent, .waiting, .acknowledged, .rejected, .failed, .unknown:
            metadata.provider?.pingFailed(ping.number, wasSent: true)
            desk.note(.info, "ping \(ping.cause): sent in an earlier run", from: .beacons, at: now)
        }
        for effect in book.takeEffects(at: now) { take(effect, &metadata, &desk, at: now) }
        countUnsent(&desk)
    }

    /// What waits to be sent is due; a ping whose position was not reached is not.
    private func countUnsent(_ desk: inout Desk) {
        desk.counters.unsentPings = [.observed, .skipped].contains(book.newest?.state) ? 1 : 0
    }

    private mutating func take(
        _ effect: LedgerEffect, _ metadata: inout MetadataPart, _ desk: inout Desk, at now: Moment
    ) {
        switch effect {
        case .writeClaims(let claims):
            let written = desk.writeClaims(claims)
            if !written.isEmpty { claimsWritten(written, &metadata, &desk, at: now) }
        case .send(let orders):
            for order in orders { desk.send(order, lane: "ping", at: now) }
        case .writeOutcomes(let outcomes): desk.writeOutcomes(outcomes)
        }
    }

    /// The claims are on disk, or need not be; those of others are ignored.
    mutating func claimsWritten(
        _ claims: [ClaimID], _ metadata: inout MetadataPart, _ desk: inout Desk, at now: Moment
    ) {
        let own = claims.filter { $0.owner == .ping }
        guard !own.isEmpty else { return }
        let mayLeave = !desk.isStopped && desk.journalAllowsSending
        let written = book.claimsWritten(own, mayLeave: mayLeave, at: now)
        for effect in written.effects { take(effect, &metadata, &desk, at: now) }
        for entry in written.withdrawn where book.isCurrent(entry) {
            metadata.provider?.pingFailed(entry.ping.number, wasSent: false)
        }
        countUnsent(&desk)
    }

    /// Claims that were not granted, or whose requests did not leave; those of others are ignored.
    mutating func claimsRefused(
        _ refused: [RefusedClaim], _ metadata: inout MetadataPart, _ desk: inout Desk, at now: Moment
    ) {
        let own = refused.filter { $0.id.owner == .ping }
        guard !own.isEmpty else { return }
        let result = book.claimsRefused(own, at: now)
        for effect in result.effects { take(effect, &metadata, &desk, at: now) }
        for entry in result.withdrawn where book.isCurrent(entry) {
            metadata.provider?.pingFailed(entry.ping.number, wasSent: false)
        }
        countUnsent(&desk)
    }

    /// In observe mode nothing that is claimed leaves. A session that is armed pings what it did not before.
    mutating func modeChanged(to mode: ReportingMode, _ metadata: inout MetadataPart) {
        book.modeChanged(to: mode)
        if mode == .fire { metadata.provider?.pingsResumed() }
    }

    /// A ping was answered.
    /// - Returns: why its answer brings nothing; nil for one that is read, and for one of a former session.
    mutating func answered(
        _ claim: ClaimID, _ exchange: HTTPExchange, _ metadata: inout MetadataPart, _ desk: inout Desk, at now: Moment
    ) -> MetadataPart.Failure? {
        let answer = book.answered(claim, exchange, at: now)
        for effect in answer.effects { take(effect, &metadata, &desk, at: now) }
        guard let change = answer.change, let entry = answer.entry else { return nil }
        Self.note(change, of: entry.ping, exchange, &desk, at: now)
        countUnsent(&desk)
        guard book.isCurrent(entry), !desk.isStopped else { return nil }
        let failure = Self.read(exchange, entry.ping, &metadata)
        if failure != nil { metadata.provider?.pingFailed(entry.ping.number, wasSent: true) }
        return failure
    }

    private static func read(
        _ exchange: HTTPExchange, _ ping: PlayerPing, _ metadata: inout MetadataPart
    ) -> MetadataPart.Failure? {
        guard exchange.isSuccess else {
            return MetadataPart.Failure(
                exchange: exchange, problem: Wording.problem(exchange), kind: .beacon, ping: ping.cause)
        }
        do throws(MetadataProblem) {
            try metadata.provider?.pingAnswered(ping.number, exchange)
            return nil
        } catch {
            return MetadataPart.Failure(
                exchange: exchange, problem: "the body \(error.explanation)", kind: .metadata, cause: error,
                ping: ping.cause)
        }
    }

    private static func note(
        _ change: DeliveryChange, of ping: PlayerPing, _ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment
    ) {
        let host = ping.url.host
        let line = BeaconWords.line("ping \(ping.cause)", Wording.answer(exchange), change, at: now)
        // It did not leave, and counts as a ping that is due while it is the newest.
        guard change.state != .skipped else { return desk.note(.warning, line, from: .beacons, host: host, at: now) }
        if let status = exchange.status { desk.counters.statusClasses[status / 100, default: 0] += 1 }
        if let answer = change.answer, let outcome = DeliveryTally.Outcome(answer, change.state) {
            desk.deliveries.note(outcome, host: host)
        }
        if change.state == .acknowledged {
            desk.counters.beaconsAcknowledged += 1
            desk.activity.noteAcknowledged(host: host, latency: exchange.timings.total, at: now)
            desk.activity.note(.acknowledged, at: now)
            return desk.note(.info, line, from: .beacons, host: host, at: now)
        }
        desk.noteLost(change, "ping \(ping.cause)", of: .ping, at: now)
        desk.activity.noteFailed(host: host, BeaconAnswer(exchange), change.state, at: now)
        desk.activity.note(MinuteOutcome(lost: change.state), at: now)
        desk.errors.note(.beacon, line, at: now)
        desk.note(.error, line, from: .beacons, host: host, at: now)
    }
}
