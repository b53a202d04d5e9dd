package import Ports

/// The refresh interval of a banner, from a header field of its answer (FMT-12).
package struct RefreshRate: Sendable, Hashable {
    /// Searched in this order, ignoring case. Ad networks do not publish the name that they use (FMT-12).
    package static let standardFields = ["X-Refresh-Rate", "Refresh-Rate", "X-RefreshTime", "X-Refreshtime"]

    package var fields = Self.standardFields
    /// Range in seconds; values outside are clamped.
    package var clamp = ViewingRules().refreshSeconds

    package init() {}

    /// Field names to use instead of the standard ones; an empty array keeps those.
    package init(fields: [String]) {
        if !fields.isEmpty { self.fields = fields }
    }

    /// Nil for no refresh: the field is absent, 0, or not a whole number of seconds.
    package func interval(in answer: [HTTPField]) -> Duration? {
        guard let text = fields.lazy.compactMap({ answer[$0] }).first else { return nil }
        let digits = text.drop { $0 == " " }.prefix { $0 != " " }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        // More digits than fit an Int64 are still a large number.
        return interval(seconds: Int64(digits) ?? .max)
    }

    /// The interval that the provider stated, else that of a header field.
    package func interval(of payload: AdPayload) -> Duration? {
        payload.refreshSeconds.map { interval(seconds: $0) } ?? interval(in: payload.fields)
    }

    private func interval(seconds: Int64) -> Duration? {
        seconds > 0 ? .seconds(min(max(seconds, clamp.lowerBound), clamp.upperBound)) : nil
    }
}

/// The countdown to the next load of a banner; it runs only while the banner is visible (FMT-12).
package struct RefreshTimer: Sendable, Hashable {
    private var interval: Duration?
    /// Remaining time while paused.
    private var remaining: Duration?
    /// Uptime at which it ends, while it runs.
    private var deadline: Duration?

    package init() {}

    /// Restarts with a new interval; nil disables the refresh.
    package mutating func start(_ interval: Duration?, isVisible: Bool, at uptime: Duration) {
        self.interval = interval
        (remaining, deadline) = (interval, nil)
        if isVisible { resume(at: uptime) }
    }

    /// Restarts with the last interval, after a failed load.
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

    /// Stops until the next start; used during a load.
    package mutating func stop() {
        (remaining, deadline) = (nil, nil)
    }

    /// Uptime at which it ends; nil while it does not run.
    package var due: Duration? { deadline }
    package var isRunning: Bool { deadline != nil }

    /// Remaining time; nil when there is no refresh.
    package func left(at uptime: Duration) -> Duration? {
        deadline.map { max(.zero, $0 - uptime) } ?? remaining
    }
}
