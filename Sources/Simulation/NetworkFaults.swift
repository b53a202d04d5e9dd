import Ports
import Session

/// What goes wrong with requests: which of them meets a fault, and what comes of it.
extension SimulatedNetwork {
    /// Share of requests with a fault during a burst, in per cent.
    private static let share: UInt64 = 50

    /// Whether the best variant is asked for while it is gone. A redundant copy of it is another variant.
    func isGone(_ request: HTTPRequest, _ purpose: VirtualPurpose, at time: Duration) -> Bool {
        guard faults.contains(.variant), FaultSchedule.isBurst(at: time), case .fetch(.mediaPlaylist) = purpose else {
            return false
        }
        return request.url.path.hasSuffix("/hls/02.m3u8")
    }

    mutating func fault(at time: Duration) -> Fault? {
        guard !faults.isEmpty, FaultSchedule.isBurst(at: time) else { return nil }
        // Silence hides all other faults, so it has rounds of its own; the seed selects them.
        let round = FaultSchedule.roundNumber(at: time) + Int(seed % 3)
        if faults.contains(.quiet), faults.count == 1 || round % 3 == 2 { return .quiet }
        let others = faults.filter { ![.quiet, .variant, .session].contains($0) }
        guard !others.isEmpty, random.next() % 100 < Self.share else { return nil }
        return others[Int(random.next() % UInt64(others.count))]
    }

    mutating func reply(
        to request: HTTPRequest, for purpose: VirtualPurpose, at now: Moment, delay: Duration, suffering fault: Fault
    ) -> VirtualReply {
        switch fault {
        case .refused: return failure(.connect, "connection refused", delay)
        case .quiet: return failure(.timeout, "no answer in \(request.totalTimeout)", request.totalTimeout)
        case .never:
            if random.next() % 2 == 0 { _ = answer(request, purpose, at: now, delay: delay, isLost: true) }
            return failure(.timeout, "no answer in \(request.totalTimeout)", request.totalTimeout)
        case .clientError: return status([400, 403, 404, 410, 429], request, delay)
        case .serverError: return status([500, 502, 503], request, delay)
        case .slow:
            var reply = answer(request, purpose, at: now, delay: delay)
            reply.delay += .milliseconds(Int64(random.next() % 15_000))
            return inTime(reply, request)
        case .reordered:
            var reply = answer(request, purpose, at: now, delay: delay)
            reply.delay += .milliseconds(Int64(random.next() % 4_000))
            return inTime(reply, request)
        case .duplicated:
            var reply = answer(request, purpose, at: now, delay: delay)
            reply.repeatsAfter = .milliseconds(Int64(random.next() % 3_000))
            return reply
        case .reset: return reset(request, purpose, at: now, delay: delay)
        case .corrupt:
            var reply = answer(request, purpose, at: now, delay: delay)
            corrupt(&reply.exchange.body)
            return reply
        case .truncated:
            var reply = answer(request, purpose, at: now, delay: delay)
            let body = reply.exchange.body
            reply.exchange.body = Array(body.prefix(Int(random.next() % UInt64(body.count + 1))))
            reply.exchange.bodyBytes = reply.exchange.body.count
            return reply
        case .clock, .kill, .freeze, .journal, .variant, .session, .ids, .starts, .busters, .tokens, .instances,
            .reused:
            return answer(request, purpose, at: now, delay: delay)
        }
    }

    /// Before the head nothing of the answer is known; after it the status is.
    private mutating func reset(
        _ request: HTTPRequest, _ purpose: VirtualPurpose, at now: Moment, delay: Duration
    ) -> VirtualReply {
        let isAfterHead = random.next() % 2 == 0
        var reply = answer(request, purpose, at: now, delay: delay, isLost: !isAfterHead)
        reply.exchange.failure = HTTPFailure(.reset, "connection reset")
        if !isAfterHead { reply.exchange.hops = [] }
        reply.exchange.body = []
        return reply
    }

    private mutating func corrupt(_ body: inout [UInt8]) {
        guard !body.isEmpty else { return }
        for _ in 0..<(1 + random.next() % 8) {
            body[Int(random.next() % UInt64(body.count))] = UInt8(truncatingIfNeeded: random.next())
        }
    }

    mutating func status(_ statuses: [Int], _ request: HTTPRequest, _ delay: Duration) -> VirtualReply {
        let status = statuses[Int(random.next() % UInt64(statuses.count))]
        let asksToWait = (status == 429 || status == 503) && random.next() % 2 == 0
        let fields = asksToWait ? [HTTPField("Retry-After", String(1 + random.next() % 10))] : []
        return VirtualReply(
            exchange: HTTPExchange(
                hops: [.init(url: request.url.text, status: status, fields: fields)],
                timings: .init(total: delay.inMicroseconds)),
            delay: delay)
    }

    func failure(_ kind: HTTPFailure.Kind, _ message: String, _ delay: Duration) -> VirtualReply {
        VirtualReply(
            exchange: HTTPExchange(failure: HTTPFailure(kind, message), timings: .init(total: delay.inMicroseconds)),
            delay: delay)
    }

    private mutating func inTime(_ reply: VirtualReply, _ request: HTTPRequest) -> VirtualReply {
        guard reply.delay > request.totalTimeout else { return reply }
        answerWasLost(request)
        return failure(.timeout, "no answer in \(request.totalTimeout)", request.totalTimeout)
    }
}
