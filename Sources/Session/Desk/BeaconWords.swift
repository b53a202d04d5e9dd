import AdTracking
import Ports

/// Log lines about one try of a beacon: the answer, and the word of the state that it left (docs/states.md). Of a beacon that is
/// done the answer says enough.
enum BeaconWords {
    /// In place of an answer: the deadline of the next try has passed.
    static let lapsed = "too late for another try"
    /// In place of an answer: sending has ended.
    static let ended = "no other try is made"

    /// In place of an answer: why no other try is made.
    static func givenUp(_ change: DeliveryChange, isSending: Bool) -> String {
        if let refusal = change.refusal { return "\(ended), \(refusal.words)" }
        return isSending ? lapsed : ended
    }

    /// `beacon start B1/A1 503 20ms: failed after 2 tries`
    static func line(_ subject: String, _ answer: String, _ change: DeliveryChange, at now: Moment) -> String {
        let word = change.state.word.rawValue
        switch change.state {
        case .acknowledged: return "\(subject) \(answer)"
        case .waiting:
            let wait = change.retryAt.map { " in \(Wording.seconds(max(.zero, $0 - now.uptime)))" } ?? ""
            return "\(subject) \(answer) try \(change.attempt) \(word)\(wait)"
        case .rejected, .failed, .unknown, .skipped, .planned, .claimed, .sent, .observed:
            let tries = change.attempt > 1 ? " after \(change.attempt) tries" : ""
            return "\(subject) \(answer): \(word)\(tries)"
        }
    }

    /// `beacon midpoint B1/A1 observed`
    static func observed(_ subject: String, late: String = "") -> String {
        "\(subject) \(DeliveryState.observed.word.rawValue)\(late)"
    }
}
