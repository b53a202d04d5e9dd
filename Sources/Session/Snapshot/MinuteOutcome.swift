package import AdTracking

/// The worst that happened to the beacons of a minute, best first.
package enum MinuteOutcome: UInt8, Comparable, Sendable {
    /// None was due.
    case quiet
    /// Due and not sent, for another reason than observe mode.
    case notSent
    case observed
    case acknowledged
    /// Due more than a second late (``Counters/punctual``).
    case late
    /// Sent, and not known to have arrived.
    case unknown
    case failed

    /// The outcome of a beacon that was sent and not acknowledged.
    package init(lost state: DeliveryState) { self = state == .unknown ? .unknown : .failed }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
