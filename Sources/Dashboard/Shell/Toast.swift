package import Ports

/// A short notice above everything, which expires by itself.
package struct Toast: Sendable, Equatable {
    /// How long a notice is shown.
    package static let lifetime: Duration = .seconds(4)
    /// The most notices shown together; older ones are dropped.
    package static let limit = 3

    /// One sentence; may hold text from outside, so it passes the sanitiser when drawn.
    package var text: String
    /// Good news or bad.
    package var isGood: Bool
    /// Uptime at which it expires.
    package var expires: Duration

    /// A notice that appears at `now`.
    package init(_ text: String, isGood: Bool, now: Moment) {
        self.text = text
        self.isGood = isGood
        expires = now.uptime + Toast.lifetime
    }
}
