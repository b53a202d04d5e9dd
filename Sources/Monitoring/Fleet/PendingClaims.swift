import AdTracking
import Fleet
import Ports

/// The store's word about a claim.
enum ClaimVerdict: Hashable, Sendable {
    /// Granted at that time of the wall clock.
    case granted(ClaimRequest, at: UnixTime)
    case refused(ClaimRefusal)
}

/// Claims that sessions wait for, each by the ticket that its request carries.
struct PendingClaims {
    private struct Batch {
        var verdicts: [ClaimVerdict?]
        var left: Int
        let continuation: CheckedContinuation<[ClaimVerdict], Never>
    }

    private struct Ticket {
        var batch: Int
        var place: Int
        var owner: ViewerEpoch
        var askedAt: Duration
        var due: Duration
    }

    private var batches: [Int: Batch] = [:]
    private var tickets: [Int: Ticket] = [:]
    private var last = 0

    /// Adds what a session asks for at once; the beacons get their tickets. `continuation` resumes when each has a verdict.
    mutating func add(
        _ beacons: [DueBeacon], of owner: ViewerEpoch, at now: Duration,
        _ continuation: CheckedContinuation<[ClaimVerdict], Never>
    ) -> [DueBeacon] {
        guard !beacons.isEmpty else {
            continuation.resume(returning: [])
            return []
        }
        let batch = last + 1
        batches[batch] = Batch(
            verdicts: Array(repeating: nil, count: beacons.count), left: beacons.count, continuation: continuation)
        return beacons.enumerated().map { place, beacon in
            last += 1
            tickets[last] = Ticket(batch: batch, place: place, owner: owner, askedAt: now, due: beacon.key.due)
            var beacon = beacon
            beacon.ticket = last
            return beacon
        }
    }

    /// - Returns: when a session asked for it; nil where none waits.
    @discardableResult
    mutating func settle(_ ticket: Int, _ verdict: ClaimVerdict) -> Duration? {
        guard let place = tickets.removeValue(forKey: ticket), var batch = batches[place.batch] else { return nil }
        batch.verdicts[place.place] = verdict
        batch.left -= 1
        guard batch.left == 0 else {
            batches[place.batch] = batch
            return place.askedAt
        }
        batches[place.batch] = nil
        batch.continuation.resume(returning: batch.verdicts.compactMap { $0 })
        return place.askedAt
    }

    func areAwaited(of owner: ViewerEpoch) -> Bool { tickets.values.contains { $0.owner == owner } }

    /// The media date of the first beacon whose claim is awaited.
    func firstDue(of owner: ViewerEpoch) -> Duration? {
        tickets.values.lazy.filter { $0.owner == owner }.map(\.due).min()
    }

    /// Refuses what will not be answered: the claims of an owner, or all.
    mutating func refuseAll(of owner: ViewerEpoch?, _ refusal: ClaimRefusal) {
        for ticket in tickets.filter({ owner == nil || $0.value.owner == owner }).keys.sorted() {
            settle(ticket, .refused(refusal))
        }
    }
}

extension UnsentReason {
    /// As the ledger of a session has it.
    var refusal: ClaimRefusal {
        switch self {
        case .storeAway: .storeAway
        case .observing: .observing
        case .duplicate, .taken: .taken
        case .tooOld: .tooOld
        case .lost: .notOwner
        }
    }
}
