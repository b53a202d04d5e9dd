package import Ports

/// How often a banner wants to be loaded again, by a field of its answer (FMT-12).
package struct RefreshRate: Sendable, Hashable {
    /// Looked for in this order, compared without case. Networks do not publish its name (FMT-12).
    package static let standardFields = ["X-Refresh-Rate", "Refresh-Rate", "X-RefreshTime", "X-Refreshtime"]

    package var fields = Self.standardFields
    /// Seconds; what lies outside is moved to the nearer end.
    package var clamp = ViewingRules().refreshSeconds

    package init() {}

    /// Other fields than the standard ones; none leaves those.
    package init(fields: [String]) {
        if !fields.isEmpty { self.fields = fields }
    }

    /// Nil for no refresh: the field is absent, 0, or no whole number of seconds.
    package func interval(in answer: [HTTPField]) -> Duration? {
        guard let text = fields.lazy.compactMap({ answer[$0] }).first else { return nil }
        let digits = text.drop { $0 == " " }.prefix { $0 != " " }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        // More digits than fit are a large number none the less.
        return interval(seconds: Int64(digits) ?? .max)
    }

    /// What the provider said itself, else what a field of its answer says.
    package func interval(of payload: AdPayload) -> Duration? {
        payload.refreshSeconds.map { interval(seconds: $0) } ?? interval(in: payload.fields)
    }

    private func interval(seconds: Int64) -> Duration? {
        seconds > 0 ? .seconds(min(max(seconds, clamp.lowerBound), clamp.upperBound)) : nil
    }
}

/// The countdown to the next load of a banner: it runs only while the banner is visible (FMT-12).
package struct RefreshTimer: Sendable, Hashable {
    private var interval: Duration?
    /// What is left while it stands still.
    private var remaining: Duration?
    /// Uptime at which it is over, while it runs.
    private var deadline: Duration?

    package init() {}

    /// Begins anew; nil switches it off.
    package mutating func start(_ interval: Duration?, isVisible: Bool, at uptime: Duration) {
        self.interval = interval
        (remaining, deadline) = (interval, nil)
        if isVisible { resume(at: uptime) }
    }

    /// Begins anew with the last known rate, after a load that failed.
    package mutating func restart(isVisible: Bool, at uptime: Duration) {
        start(interval, isVisible: isVisible, at: uptime)
    }

    package mutating func pause(at uptime: Duration) {
        guard let end = deadline else { return }
        remaining = max(.zero, end - uptime)
        deadline = nil
    }

    package mutating func resume(at uptime: Duration) {
        guard deadline == nil, let left = remaining else { return }
        deadline = uptime + left
        remaining = nil
    }

    /// Standing still until somebody starts it again; used while a load is under way.
    package mutating func stop() {
        (remaining, deadline) = (nil, nil)
    }

    /// Uptime at which it is over; nil while it stands still.
    package var due: Duration? { deadline }
    package var isRunning: Bool { deadline != nil }

    /// What is left; nil when there is no refresh.
    package func left(at uptime: Duration) -> Duration? {
        deadline.map { max(.zero, $0 - uptime) } ?? remaining
    }
}
