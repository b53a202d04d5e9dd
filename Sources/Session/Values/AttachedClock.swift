package import Ports

/// Where the time comes from in a session without a playlist (PRV-48).
package enum AttachedClock: Sendable, Hashable {
    /// The dates of the media are those of the wall clock plus this much: negative for a viewer behind it.
    case offset(Duration)
    /// The dates are those of the wall clock, and second 0 of the session had this one.
    case zero(UnixTime)
}
