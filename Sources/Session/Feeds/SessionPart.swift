import AdTracking
import Ports

/// Opening the session: its addresses once they are known, and the next attempt until then.
struct SessionPart {
    var addresses: SessionAddresses?
    /// The answers that opened the session.
    var answers = OpeningAnswers()
    /// Uptime of the next attempt after all steps failed.
    var retryAt: Duration?
    var backOff: BackOff
    /// Uptime before which the servers of this attempt want no other one; nil if they do not mind.
    var askedUntil: Duration?
    var problem: String?
    /// Whether a playlist showed another service than the one whose session was opened, which is reported once.
    var showsOtherService = false
    /// Whether that is known from an answer to the request for a session, which may be one that something in between gave.
    var wasAnsweredByOther = false
    /// Answers with tracking data in which another provider was looked for.
    var searchedAnswers = 0

    init(seed: UInt64) {
        backOff = BackOff(seed: seed)
    }

    /// A server asks for a pause with `Retry-After`. An attempt has several requests, and the longest pause counts; the next
    /// request of the same attempt is another one, which may be answered.
    mutating func noteAsked(_ pause: Duration, at now: Moment) {
        guard pause > .zero else { return }
        askedUntil = max(askedUntil ?? .zero, now.uptime + pause)
    }

    /// The attempt failed: the uptime of the next one.
    mutating func nextAttempt(at now: Moment) -> Duration {
        max(backOff.failed(at: now), askedUntil ?? .zero)
    }
}
