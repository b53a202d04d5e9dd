import AdTracking
import Ports
import Session

/// Checks the steps of every claim of one process: passed to the journal, on disk, sent, settled. A claim never goes
/// back and never takes a step twice; nothing is sent before it is on disk, or if an earlier process sent it.
struct ClaimCourse: Sendable {
    private enum Stage: Sendable {
        case given, written, sent, settled
    }

    private var stages: [Int: Stage] = [:]

    /// The violations of one step, one sentence each: `input` and its effects; `journal` is the state on disk.
    mutating func observe(_ input: Input?, _ effects: ArraySlice<Effect>, journal: VirtualJournal) -> [String] {
        var problems: [String] = []
        if case .claimsWritten(let claims) = input {
            for claim in claims where stages[claim.number] == .given { stages[claim.number] = .written }
        }
        for effect in effects {
            switch effect {
            case .writeClaims(let claims):
                for claim in claims { given(claim, journal.inherited(claim.beacon), &problems) }
            case .send(let claim, let request):
                sent(claim, request.url.text, isOnDisk: journal.holds(claim), &problems)
            case .writeOutcomes(let outcomes):
                for outcome in outcomes { settled(outcome, &problems) }
            case .fetch, .openJournal, .writeNotes, .beside, .wake: break
            }
        }
        return problems
    }

    /// A claim was passed to the journal. `inherited` is the beacon's entry from an earlier process, which may have
    /// sent it.
    private mutating func given(_ claim: JournalClaim, _ inherited: JournalEntry?, _ problems: inout [String]) {
        if let inherited, claim.round <= inherited.round,
            inherited.outcome.map({ $0 == DeliveryState.acknowledged.rawValue }) ?? true
        {
            problems.append(
                "\(claim.beacon.url) was claimed again, although an earlier process left it "
                    + (inherited.outcome ?? "without an answer"))
        }
        switch stages[claim.number] {
        // When a journal opens, waiting claims are passed to it again.
        case nil, .given: stages[claim.number] = .given
        case .written, .sent, .settled: problems.append("claim \(claim.number) of \(claim.beacon.url) was made twice")
        }
    }

    private mutating func sent(_ claim: ClaimID, _ url: String, isOnDisk: Bool, _ problems: inout [String]) {
        if !isOnDisk { problems.append("\(url) was sent before its claim \(claim.number) was on disk") }
        switch stages[claim.number] {
        case .written: break
        case .sent, .settled: problems.append("claim \(claim.number) of \(url) was sent twice")
        case nil, .given: problems.append("claim \(claim.number) of \(url) was sent before the journal confirmed it")
        }
        stages[claim.number] = .sent
    }

    private mutating func settled(_ outcome: JournalOutcome, _ problems: inout [String]) {
        if stages[outcome.claim] == nil { problems.append("claim \(outcome.claim) ended and was never made") }
        if stages[outcome.claim] == .settled { problems.append("claim \(outcome.claim) ended twice") }
        stages[outcome.claim] = .settled
    }
}
