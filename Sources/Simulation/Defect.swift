import Monitoring
import Ports

/// A defect of the monitor, put in on purpose: that a simulation finds each of them proves that it looks.
package enum Defect: String, Sendable, CaseIterable {
    /// Every request of a beacon leaves twice.
    case sendsTwice
    /// The journal confirms claims a second before they are on disk.
    case sendsBeforeWriting
    /// A process that starts again finds the journal empty.
    case forgetsJournal
    /// One claim in seven is neither written nor sent.
    case losesClaims
    /// After half a minute the state is once that of ten seconds before.
    case goesBack
    /// After a minute no answer to a request for the playlist is seen.
    case losesAnswers

    static let lateWrite: Duration = .seconds(1)
    static let answersUntil: Duration = .seconds(60)

    /// Whether that claim is lost.
    static func loses(_ claim: JournalClaim) -> Bool { claim.number % 7 == 3 }
}

/// The state of some time ago comes back, once.
struct Setback: Sendable {
    private static let kept: Duration = .seconds(30)
    private static let restored: Duration = .seconds(40)

    private var start: Duration?
    private var earlier: MonitorState?
    private var isOver = false

    /// The state that is to go on with.
    mutating func state(_ state: MonitorState, at now: Moment) -> MonitorState {
        let start = start ?? now.uptime
        self.start = start
        if earlier == nil, now.uptime - start >= Self.kept { earlier = state }
        guard !isOver, now.uptime - start >= Self.restored, let earlier else { return state }
        isOver = true
        return earlier
    }
}
