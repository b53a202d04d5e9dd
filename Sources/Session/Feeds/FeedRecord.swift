import Ports

/// The health of a polled feed, updated with every answer.
struct FeedRecord {
    private(set) var health = FeedHealth(state: .waiting, consecutiveFailures: 0)

    var isFailing: Bool { health.state == .failing }

    /// The feed does not exist.
    mutating func becameNone() {
        health = .none
    }

    /// A good answer; true when it ends a series of failures.
    mutating func succeeded(_ exchange: HTTPExchange, at now: Moment) -> Bool {
        let recovered = isFailing
        note(exchange)
        health.state = .good
        health.consecutiveFailures = 0
        (health.problem, health.failedURL, health.isPing) = (nil, nil, false)
        health.lastGoodAt = now
        return recovered
    }

    /// A bad answer or none, to a request of the feed or to a ping; true when the problem is a new one.
    /// - Parameter url: that of the request, where the feed has several.
    mutating func failed(
        _ exchange: HTTPExchange, problem: String, of url: String? = nil, ofPing isPing: Bool = false
    ) -> Bool {
        let isNew = health.problem != problem || health.isPing != isPing
        note(exchange)
        health.state = .failing
        health.consecutiveFailures += 1
        (health.problem, health.failedURL, health.isPing) = (problem, url, isPing)
        return isNew
    }

    mutating func planned(at uptime: Duration?, now: Moment) {
        health.nextAttemptAt = uptime.map { now.advanced(by: $0 - now.uptime) }
    }

    private mutating func note(_ exchange: HTTPExchange) {
        health.status = exchange.hops.last?.status
        health.version = exchange.version
        health.took = .microseconds(exchange.timings.total)
        health.bytes = exchange.bodyBytes
    }
}
