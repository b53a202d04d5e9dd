import AdTracking
import Session

/// The journal's work, one piece at a time: first opening, then claims, which wait only for the current piece and share
/// one flush, then outcomes, then notes. When another session is opened, the outcomes and notes of the one before are
/// written first; its claims are dropped, because the state passes those that are still to be sent when it is open.
///
/// Notes are bounded: beyond ``notesKept`` new ones are dropped and counted. Claims and outcomes are never dropped;
/// `Limits.beaconQueue` bounds their number. Outcomes that cannot be written are kept by the journal.
struct JournalQueue {
    /// Maximum number of waiting notes.
    static let notesKept = 10_000
    /// Maximum number of notes per write, so that a claim behind them does not wait long.
    static let notesAtOnce = 500

    let port: any Journal
    private var opening: Effect?
    /// The session opened last.
    private var session: SessionKey?
    /// Outcomes and notes of the session that is left.
    private var leftOutcomes: [JournalOutcome] = []
    private var leftNotes: [JournalNote] = []
    private var claims: [JournalClaim] = []
    private var outcomes: [JournalOutcome] = []
    private var notes: [JournalNote] = []
    /// Notes dropped since the last report.
    private var dropped = 0
    private var isBusy = false

    init(_ port: any Journal) {
        self.port = port
    }

    /// Adds a journal effect; true when the caller must start calling `next`.
    mutating func append(_ effect: Effect) -> Bool {
        switch effect {
        case .openJournal(let next, _):
            leave(for: next)
            opening = effect
        case .writeClaims(let records): claims += records
        case .writeOutcomes(let records): outcomes += records
        case .writeNotes(let new):
            let room = max(0, Self.notesKept - notes.count - leftNotes.count)
            notes += new.prefix(room)
            dropped += max(0, new.count - room)
        case .fetch, .send, .beside, .wake:
            return false
        }
        if isBusy { return false }
        isBusy = true
        return true
    }

    private mutating func leave(for next: SessionKey) {
        guard session != next else { return }
        if session != nil {
            claims = []
            leftOutcomes += outcomes
            leftNotes += notes
            (outcomes, notes) = ([], [])
        }
        session = next
    }

    /// The next piece of work; nil ends the run that `append` started.
    mutating func next() -> JournalWork? {
        if !leftOutcomes.isEmpty {
            defer { leftOutcomes = [] }
            return .outcomes(leftOutcomes)
        }
        if !leftNotes.isEmpty { return Self.take(&leftNotes, &dropped) }
        if case .openJournal(let session, let holdings)? = opening {
            opening = nil
            return .open(session, holdings)
        }
        if !claims.isEmpty {
            defer { claims = [] }
            return .claims(claims)
        }
        if !outcomes.isEmpty {
            defer { outcomes = [] }
            return .outcomes(outcomes)
        }
        if !notes.isEmpty { return Self.take(&notes, &dropped) }
        isBusy = false
        return nil
    }

    private static func take(_ waiting: inout [JournalNote], _ dropped: inout Int) -> JournalWork {
        let batch = Array(waiting.prefix(notesAtOnce))
        waiting.removeFirst(batch.count)
        defer { dropped = 0 }
        return .notes(batch, dropped: dropped)
    }
}

/// One piece of journal work and the inputs it ends in.
enum JournalWork: Sendable, Hashable {
    case open(SessionKey, [JournalHolding])
    case claims([JournalClaim])
    case outcomes([JournalOutcome])
    case notes([JournalNote], dropped: Int)

    func perform(_ journal: any Journal) async -> [Input] {
        do throws(JournalProblem) {
            switch self {
            case .open(let session, let holdings):
                return [.journalOpened(try await journal.open(session, holding: holdings))]
            case .claims(let claims):
                let refused = try await journal.writeClaims(claims)
                let gone = Set(refused.map(\.id))
                let granted = claims.map { ClaimID($0.number) }.filter { !gone.contains($0) }
                return (granted.isEmpty ? [] : [.claimsWritten(granted)])
                    + (refused.isEmpty ? [] : [.claimsRefused(refused)])
            case .outcomes(let outcomes):
                try await journal.writeOutcomes(outcomes)
                return []
            case .notes(let notes, let dropped):
                let told: [Input] = dropped > 0 ? [.journalFellBehind(dropped: dropped)] : []
                do throws(JournalProblem) {
                    try await journal.writeNotes(notes)
                } catch {
                    // A failure to write notes does not stop the session; the next failed claim reports the problem.
                    guard error.kind == .lost else { return [.journalFellBehind(dropped: dropped + notes.count)] }
                    return told + [.journalLost(error.message)]
                }
                return told
            }
        } catch {
            return [error.kind == .lost ? .journalLost(error.message) : .journalFailed(error.message, kind: error.kind)]
        }
    }
}
