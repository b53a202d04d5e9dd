package import Ports

/// Whether requests carry delivery directives at present: a server that refuses them, or that does not answer in time,
/// is polled plainly until that may work again (rfc8216bis-22 section 6.2.5.2, hls-timeline 1.9).
package struct DirectiveUse: Equatable, Sendable {
    /// How long directives are left out after a server called them wrong or did not heed them.
    package static let refusalSpan: Duration = .seconds(60)

    /// Uptime until which requests stay plain.
    private var plainUntil: Duration?
    /// A blocking request ran out of time: plain ones tell when the stream goes on.
    private var awaitsAdvance = false

    package init() {}

    /// Requests may carry directives at `moment`.
    package func isAllowed(at moment: Moment) -> Bool {
        !awaitsAdvance && plainUntil.map { $0 <= moment.uptime } ?? true
    }

    /// The playlist has grown.
    mutating func playlistAdvanced() {
        awaitsAdvance = false
    }

    /// A request with `directives` got `status`, or no answer when that is nil. The finding says what happens now; nil
    /// where the directives are not to blame.
    mutating func failed(_ directives: DeliveryDirectives, status: Int?, at moment: Moment) -> Finding? {
        guard !directives.isEmpty else { return nil }
        switch status {
        case 503, 504, nil:
            guard directives.isBlocking else { return nil }
            awaitsAdvance = true
            let answer = status.map { "was answered with \($0)" } ?? "got no answer"
            return Self.finding("\(directives.text) \(answer): plain polling until the playlist grows")
        case 404:
            // The playlist may be gone, or its address with a query may be unknown: a plain request tells which.
            awaitsAdvance = true
            return nil
        case 400, 405, 414, 422, 501:
            plainUntil = moment.uptime + Self.refusalSpan
            return Self.finding(
                "\(directives.text) was answered with \(status ?? 0): plain polling for"
                    + " \(Self.refusalSpan.inSeconds) s")
        default: return nil
        }
    }

    /// The answer to `directives` came before what they wait for was listed: the server, or a cache that drops the
    /// query, does not block.
    mutating func wasNotHeeded(_ directives: DeliveryDirectives, at moment: Moment) -> Finding {
        plainUntil = moment.uptime + Self.refusalSpan
        return Finding(
            rule: "blocking-reload-early", severity: .warning,
            message: "the answer to \(directives.text) does not list that yet: plain polling for"
                + " \(Self.refusalSpan.inSeconds) s",
            section: "rfc8216bis-22 6.2.5.2")
    }

    private static func finding(_ message: String) -> Finding {
        Finding(
            rule: "delivery-directive-refused", severity: .warning, message: message, section: "rfc8216bis-22 6.2.5.2")
    }
}
