package import AdTracking
import Fleet
import Locks
import Ports
package import Session

/// The journal of one viewer whose beacons are claimed in the store of a fleet, through its agent.
///
/// A claim waits for the grant of the store. One that is not granted is neither sent nor lost: the session gets it back with a reason. What was
/// claimed before, by any agent, comes with the opening, so that the session's ledger judges repeats (FLT-5).
package actor FleetJournal: Journal {
    private let viewer: StoreAnswer.TakenViewer
    private let runtime: FleetRuntime
    private let lease: FleetLease
    private let mayClaim = Locked(true)
    private let mayLeave = Locked(true)
    /// What was claimed before the take; empty once the session knows it.
    private var earlier: [StoredClaim]
    private var handed: HandedSession
    private var listed = ListedAds()
    /// Why the last poll of a feed failed; nothing of those that did not.
    private var failing: [JournalNote.Poll.Feed: String] = [:]
    private var undated = UndatedBeacons()
    private var isOpen = false
    /// The media dates that were reached in what was claimed.
    private var claimed = DateStretches()
    /// Granted claims without an outcome, by the number of the session, and when they were granted.
    private var open: [Int: (request: ClaimRequest, at: UnixTime)] = [:]

    init(_ viewer: StoreAnswer.TakenViewer, claims: [StoredClaim], runtime: FleetRuntime, lease: FleetLease) {
        handed = HandedSession(viewer.session)
        var viewer = viewer
        viewer.session = []
        self.viewer = viewer
        self.runtime = runtime
        self.lease = lease
        earlier = claims
        for claim in claims where BeaconIdentity.hasDate(claim.request) {
            claimed.reach(Self.date(claim.request.key.due))
        }
        for key in claims.filter({ !BeaconIdentity.hasDate($0.request) }).map(\.request.key).sorted() {
            undated.claimed(key)
        }
        // Claims of earlier dates were not read: a later epoch may begin there, and what was sent there is unknown.
        if let from = viewer.dueFrom { claimed.add(through: Self.date(from)) }
    }

    /// Nothing more is claimed; what was granted may leave (FLT-6).
    package nonisolated func stopClaiming() { mayClaim.withLock { $0 = false } }

    /// Whether the viewer is followed and not about to be given.
    package nonisolated var isClaiming: Bool { mayClaim.withLock { $0 } }

    /// Nothing more leaves: the viewer is no longer followed here.
    package nonisolated func revoke() {
        stopClaiming()
        mayLeave.withLock { $0 = false }
    }

    package func open(
        _ session: SessionKey, holding holdings: [JournalHolding]
    ) async throws(JournalProblem) -> JournalOpening {
        isOpen = true
        handed = handed.next(BeaconIdentity.session(session), claimed: claimed)
        var opening = JournalOpening(entries: entries(of: session))
        opening.isTakenOver = true
        opening.reached = handed.reached
        // A later session of this process knows from the one before what was sent.
        earlier = []
        // The successor must know of this session before it knows a claim of it.
        await runtime.keep(handed.bytes, of: viewer.id)
        return opening
    }

    /// What a successor needs to know, if that differs from what was handed on before.
    /// - Parameters:
    ///   - running: the session.
    ///   - leftAt: the media date from which the successor claims; nil while the viewer is followed.
    func handing(_ running: RunningSession?, leftAt date: UnixTime?) -> [UInt8]? {
        // Before, what the last owner handed on still counts.
        guard isOpen, (running, date) != (handed.running, handed.leftAt) else { return nil }
        (handed.running, handed.leftAt) = (running, date)
        return handed.bytes
    }

    package func writeClaims(_ claims: [JournalClaim]) async throws(JournalProblem) -> [RefusedClaim] {
        guard isClaiming else { return claims.map { RefusedClaim($0, .notOwner) } }
        let place = await place(for: claims.map(\.beacon))
        let beacons = claims.map { claim in
            var due = BeaconIdentity.due(
                claim.beacon, of: viewer.id.viewer, round: claim.round, attempt: claim.attempt,
                at: place ?? BeaconIdentity.beyondAllPlaces(claim.at))
            if !BeaconIdentity.hasDate(claim.beacon) { due.key = undated.key(of: due.key) }
            due.late = claim.late
            due.ad = due.ad.map(listed.completed)
            return due
        }
        let verdicts = await runtime.claim(beacons, of: viewer.id)
        var refused: [RefusedClaim] = []
        for (claim, verdict) in zip(claims, verdicts) {
            switch verdict {
            case .granted(let request, let at):
                open[claim.number] = (request, at)
                if BeaconIdentity.hasDate(request) {
                    claimed.reach(Self.date(request.key.due))
                } else {
                    undated.claimed(request.key)
                }
            case .refused(let refusal): refused.append(RefusedClaim(claim, refusal))
            }
        }
        return refused
    }

    /// The date for those that have none: where the viewer is; nil where that is not known. The clock of this machine does not show it: that
    /// may be days away from the dates of the stream, which decide what is claimed in an epoch and what its successor reads (FLT-3, FLT-5).
    private func place(for beacons: [JournalBeacon]) async -> UnixTime? {
        beacons.allSatisfy(BeaconIdentity.hasDate) ? nil : await runtime.mediaDate(of: viewer.id)
    }

    package nonisolated func lets(_ claim: ClaimID) -> Bool { mayLeave.withLock { $0 } && lease.isOpen }

    /// Outcomes are facts, even if another agent owns the viewer by now (FLT-11).
    package func writeOutcomes(_ outcomes: [JournalOutcome]) async throws(JournalProblem) {
        let ended = outcomes.compactMap { outcome -> StoredClaim? in
            guard let claim = open.removeValue(forKey: outcome.claim) else { return nil }
            return StoredClaim(
                request: claim.request, outcome: ClaimOutcome(outcome.state), status: outcome.status,
                took: max(.zero, outcome.at - claim.at))
        }
        if !ended.isEmpty { await runtime.ended(ended) }
    }

    /// The store keeps three things from the notes: what was due and not sent, what was listed about the ads that claims name, and what people
    /// want to know.
    package func writeNotes(_ notes: [JournalNote]) async throws(JournalProblem) {
        for note in notes { listed.add(note.content) }
        let told = notes.filter { isNews($0.content) }.compactMap { NoteRow($0, of: viewer.id.viewer) }
        if !told.isEmpty { await runtime.note(told) }
        let all = notes.compactMap { note -> (note: JournalNote, unsent: JournalNote.Unsent)? in
            if case .unsent(let unsent) = note.content { (note, unsent) } else { nil }
        }
        let place = await place(for: all.map(\.unsent.beacon))
        let rows = all.map { note, unsent in
            var beacon = BeaconIdentity.due(unsent.beacon, of: viewer.id.viewer, at: place ?? note.at)
            beacon.late = unsent.late
            beacon.ad = beacon.ad.map(listed.completed)
            return UnsentRow(
                beacon: beacon, at: .microseconds(note.at.microseconds),
                isSkipped: unsent.state == DeliveryState.skipped.rawValue, reason: unsent.reason)
        }
        if !rows.isEmpty { await runtime.noteUnsent(rows) }
    }

    /// Whether a note is not that of a poll which failed as the one before: where a service is away, all viewers have one with every poll.
    private func isNews(_ content: JournalNote.Content) -> Bool {
        guard case .poll(let poll) = content else { return true }
        defer { failing[poll.feed] = poll.problem }
        return poll.problem == nil || poll.problem != failing[poll.feed]
    }

    package func close() async {}

    /// The last try of each beacon that was claimed before the take. One that was granted and not used is done, too (FLT-5); a session
    /// knows no such state of another process, so that it counts as unknown.
    private func entries(of session: SessionKey) -> [JournalEntry] {
        var last: [ClaimKey: StoredClaim] = [:]
        var order: [ClaimKey] = []
        for claim in earlier {
            var key = claim.request.key
            key.attempt = 0
            if last[key] == nil { order.append(key) }
            if (last[key]?.request.key.attempt ?? 0) < claim.request.key.attempt { last[key] = claim }
        }
        return order.compactMap { key in
            guard let claim = last[key], let beacon = BeaconIdentity.journal(claim.request.beacon, session: session)
            else { return nil }
            return JournalEntry(
                beacon: beacon, round: claim.request.key.round, attempt: claim.request.key.attempt,
                outcome: claim.outcome?.state)
        }
    }

    private static func date(_ due: Duration) -> UnixTime { UnixTime(microseconds: due.inMicroseconds) }
}

extension RefusedClaim {
    fileprivate init(_ claim: JournalClaim, _ refusal: ClaimRefusal) {
        self.init(id: ClaimID(claim.number), refusal: refusal)
    }
}

extension ClaimOutcome {
    /// A raw value of `DeliveryState`; what is not known to have failed may have arrived.
    fileprivate init(_ state: String) {
        switch DeliveryState(rawValue: state) {
        case .acknowledged: self = .acknowledged
        case .rejected: self = .rejected
        case .failed: self = .failed
        case .skipped: self = .skipped
        default: self = .unknown
        }
    }

    /// As a journal has it; nil where nothing is known.
    fileprivate var state: String? {
        switch self {
        case .acknowledged: DeliveryState.acknowledged.rawValue
        case .rejected: DeliveryState.rejected.rawValue
        case .failed: DeliveryState.failed.rawValue
        case .unknown, .skipped: nil
        }
    }
}
