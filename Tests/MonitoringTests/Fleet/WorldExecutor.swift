import AdTracking
import Dispatch
import Locks
import Monitoring
import Ports
import Session
import TestSupport

/// Runs the agents and the tasks of a world, one step after the other, and knows when none of them has one to do: each then waits for the
/// clock, or for what a double withholds.
///
/// A task that is part of no other runs here only while it waits for something that ``WorldClock`` and ``WorldJournal`` run here.
final class WorldExecutor: TaskExecutor, SerialExecutor {
    private struct State {
        /// Steps that wait or run.
        var open = 0
        /// Steps since the beginning.
        var begun = 0
    }

    private let queue = DispatchQueue(label: "adtop.tests.world")
    private let state = Locked(State())
    private let rests = Changes()

    /// Steps since the beginning.
    var begun: Int { state.withLock { $0.begun } }
    private var isAtRest: Bool { state.withLock { $0.open == 0 } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { state in
            state.open += 1
            state.begun += 1
        }
        queue.async {
            job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
            let isLast = self.state.withLock { state in
                state.open -= 1
                return state.open == 0
            }
            if isLast { self.rests.announce() }
        }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    /// Returns when no step waits or runs, or the calling task is cancelled: at the time limit of its suite.
    func rest() async {
        for await _ in rests.stream() where isAtRest { return }
    }
}

/// A clock whose sleepers go on in a world.
struct WorldClock: TimeSource {
    let clock: MonitorWorld
    let executor: WorldExecutor

    func now() -> Moment { clock.now() }

    func sleep(untilUptime uptime: Duration) async throws(CancellationError) {
        try await withTaskExecutorPreference(executor) { () async throws(CancellationError) in
            try await clock.sleep(untilUptime: uptime)
        }
    }
}

/// A journal that works in a world.
struct WorldJournal: Journal {
    let journal: any Journal
    let executor: WorldExecutor

    func open(
        _ session: SessionKey, holding holdings: [JournalHolding]
    ) async throws(JournalProblem) -> JournalOpening {
        try await withTaskExecutorPreference(executor) { () async throws(JournalProblem) in
            try await journal.open(session, holding: holdings)
        }
    }

    func writeClaims(_ claims: [JournalClaim]) async throws(JournalProblem) -> [RefusedClaim] {
        try await withTaskExecutorPreference(executor) { () async throws(JournalProblem) in
            try await journal.writeClaims(claims)
        }
    }

    func lets(_ claim: ClaimID) -> Bool { journal.lets(claim) }

    func writeOutcomes(_ outcomes: [JournalOutcome]) async throws(JournalProblem) {
        try await withTaskExecutorPreference(executor) { () async throws(JournalProblem) in
            try await journal.writeOutcomes(outcomes)
        }
    }

    func writeNotes(_ notes: [JournalNote]) async throws(JournalProblem) {
        try await withTaskExecutorPreference(executor) { () async throws(JournalProblem) in
            try await journal.writeNotes(notes)
        }
    }

    func close() async {
        await withTaskExecutorPreference(executor) { await journal.close() }
    }
}
