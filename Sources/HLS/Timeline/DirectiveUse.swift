package import Ports

/// Whether requests currently carry delivery directives. A server that rejects them, or that does not answer in time,
/// is polled without them until they may work again (rfc8216bis-22 section 6.2.5.2, HLS-3).
package struct DirectiveUse: Equatable, Sendable {
    /// How long requests stay plain after a server rejected or ignored directives.
    package static let refusalSpan: Duration = .seconds(60)
    /// The longest such span: it doubles with each further failure in a row.
    package static let longestSpan: Duration = .seconds(960)
    /// Blocking requests in a row that fail without a definite reason before requests stay plain for a while.
    private static let failuresThatCount = 2

    /// Uptime until which requests stay plain.
    private var plainUntil: Duration?
    /// Set when a blocking request timed out: requests stay plain until the playlist grows.
    private var awaitsAdvance = false
    /// Requests with directives that failed in a row, plain ones between them aside.
    private var failures = 0

    package init() {}

    /// Whether a request at `moment` may carry directives.
    package func isAllowed(at moment: Moment) -> Bool {
        !awaitsAdvance && plainUntil.map { $0 <= moment.uptime } ?? true
    }

    /// Records that the playlist grew.
    mutating func playlistAdvanced() {
        awaitsAdvance = false
    }

    /// Records that a request with `directives` failed with `status`, or without an answer when nil. Returns a finding
    /// with the consequence; nil when the directives are not the cause.
    mutating func failed(_ directives: DeliveryDirectives, status: Int?, at moment: Moment) -> Finding? {
        guard !directives.isEmpty else { return nil }
        switch status {
        case 503, 504, nil:
            guard directives.isBlocking else { return nil }
            let answer = status.map { "was answered with \($0)" } ?? "got no answer"
            return failedAgain(directives, answer, at: moment)
                ?? Self.finding("\(directives.text) \(answer); plain polling until the playlist grows")
        case 401, 403, 404, 410, 500, 502:
            // The playlist may be gone, or the server may not know its address with a query, or not allow it: a token may be for the
            // whole address. A plain request shows which.
            return failedAgain(directives, "was answered with \(status ?? 0)", at: moment)
        case 400, 405, 414, 422, 501:
            plainUntil = moment.uptime + Self.refusalSpan
            return Self.finding(
                "\(directives.text) was answered with \(status ?? 0); plain polling for"
                    + " \(Self.refusalSpan.secondsText) s")
        default: return nil
        }
    }

    /// Polls plainly until the playlist grows, and after failures in a row for a while, which has a finding.
    private mutating func failedAgain(
        _ directives: DeliveryDirectives, _ answer: String, at moment: Moment
    ) -> Finding? {
        awaitsAdvance = true
        failures += 1
        guard failures >= Self.failuresThatCount else { return nil }
        let span = min(Self.refusalSpan * (1 << min(failures - Self.failuresThatCount, 8)), Self.longestSpan)
        plainUntil = moment.uptime + span
        return Self.finding("\(directives.text) \(answer); plain polling for \(span.secondsText) s")
    }

    /// Records that the server answered a request with directives as they asked for.
    mutating func worked() {
        failures = 0
    }

    /// Records that the answer to `directives` arrived before the playlist listed what they wait for: the server, or a
    /// cache that drops the query, does not block.
    mutating func wasNotHeeded(_ directives: DeliveryDirectives, at moment: Moment) -> Finding {
        plainUntil = moment.uptime + Self.refusalSpan
        return Finding(
            rule: ReloadRule.blockingReloadEarly, severity: .warning,
            message: "the answer to \(directives.text) does not list the requested media; plain polling for"
                + " \(Self.refusalSpan.secondsText) s",
            section: "rfc8216bis-22 6.2.5.2")
    }

    private static func finding(_ message: String) -> Finding {
        Finding(
            rule: ReloadRule.deliveryDirectiveRefused, severity: .warning, message: message,
            section: "rfc8216bis-22 6.2.5.2")
    }
}
