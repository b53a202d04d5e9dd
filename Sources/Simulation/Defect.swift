import Ports
import Session

/// A deliberate defect of the monitor: a simulation must find each of them.
package enum Defect: String, Sendable, CaseIterable {
    /// Every beacon request is sent twice.
    case sendsTwice
    /// The journal confirms claims a second before they are on disk.
    case sendsBeforeWriting
    /// A restarted process finds the journal empty.
    case forgetsJournal
    /// One claim in seven is neither written nor sent.
    case losesClaims
    /// After half a minute, the state of ten seconds earlier is restored once.
    case goesBack
    /// After a minute, answers to playlist requests are dropped.
    case losesAnswers
    /// Nothing is found in segments.
    case losesMediaIDs
    /// Everything that metadata lists is taken to start half a minute earlier.
    case sendsEarly

    static let lateWrite: Duration = .seconds(1)
    static let answersUntil: Duration = .seconds(60)
    private static let earlier: Duration = .seconds(30)

    /// Whether the defect drops that claim.
    static func loses(_ claim: JournalClaim) -> Bool { claim.number % 7 == 3 }

    /// The input that the session gets of one with an answer for that purpose.
    func received(_ input: Input, for purpose: FetchPurpose?) -> Input {
        guard case .fetched(let id, var exchange) = input else { return input }
        if self == .losesMediaIDs, purpose == .segment {
            exchange.body = []
        } else if self == .sendsEarly, purpose == .metadata {
            exchange.body = Self.movedForward(exchange.body)
        } else {
            return input
        }
        return .fetched(id, exchange)
    }

    /// The document with other starts.
    private static func movedForward(_ document: [UInt8]) -> [UInt8] {
        let key = "\"startTime\":"
        let parts = String(decoding: document, as: UTF8.self).split(separator: key, omittingEmptySubsequences: false)
        var text = String(parts.first ?? "")
        for part in parts.dropFirst() {
            let digits = part.prefix { ("0"..."9").contains($0) }
            text += key
            text += Int64(digits).map { String($0 - earlier.inMilliseconds) } ?? ""
            text += part.dropFirst(digits.count)
        }
        return Array(text.utf8)
    }
}

/// Restores an earlier state once.
struct Setback: Sendable {
    private static let kept: Duration = .seconds(30)
    private static let restored: Duration = .seconds(40)

    private var start: Duration?
    private var earlier: MonitorState?
    private var isOver = false

    /// The state to continue with.
    mutating func state(_ state: MonitorState, at now: Moment) -> MonitorState {
        let start = start ?? now.uptime
        self.start = start
        if earlier == nil, now.uptime - start >= Self.kept { earlier = state }
        guard !isOver, now.uptime - start >= Self.restored, let earlier else { return state }
        isOver = true
        return earlier
    }
}
