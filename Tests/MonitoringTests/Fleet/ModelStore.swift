import Fleet
import Locks
import ModeledStore
import Monitoring
import Ports

/// The store as a value behind the port: answers at once, unless a test withholds answers.
final class ModelStore: FleetStore {
    private struct State {
        var model: StoreModel
        /// Calls are not executed and not answered.
        var isAway = false
        /// How the next starts of incarnations fail, in this order.
        var startProblems: [StoreProblem] = []
        /// How each claim fails, while everything else is answered.
        var claimProblem: StoreProblem?
        /// The same for outcomes and for what was not sent.
        var withholdsRows = false
        /// Outcomes that came.
        var outcomes = 0
        /// The newest health of each viewer.
        var health: [Int: ViewerHealth] = [:]
        /// Notes that came.
        var notes: [NoteRow] = []
        /// How many claims are executed whose answers are lost, or come after a warning.
        var lostClaims = 0
        var warnedClaims = 0
        var waiting: [Bool: [CheckedContinuation<StoreReply, Never>]] = [:]
        var dropped = 0
        var calls = 0
    }

    private let state: Locked<State>
    private let clock: any TimeSource
    let hints: AsyncStream<Void>
    private let hintSink: AsyncStream<Void>.Continuation

    init(_ clock: any TimeSource, viewers: Int = 1) {
        self.clock = clock
        (hints, hintSink) = AsyncStream.makeStream()
        state = Locked(State(model: StoreModel(StoreTables(viewers: viewers))))
    }

    var calls: Int { state.withLock { $0.calls } }
    var notes: [NoteRow] { state.withLock { $0.notes } }
    var deliveredOutcomes: Int { state.withLock { $0.outcomes } }
    var health: [Int: ViewerHealth] { state.withLock { $0.health } }
    var tables: StoreTables { state.withLock { $0.model.tables } }
    var claims: [StoredClaim] { tables.claims.values.sorted { $0.request.key < $1.request.key } }

    func change(_ body: (inout StoreTables) -> Void) { state.withLock { body(&$0.model.tables) } }
    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }
    func failStarts(_ problems: [StoreProblem]) { state.withLock { $0.startProblems = problems } }
    func failClaims(_ problem: StoreProblem?) { state.withLock { $0.claimProblem = problem } }
    func withholdRows(_ isOn: Bool) { state.withLock { $0.withholdsRows = isOn } }
    func hint() { hintSink.yield() }
    func loseClaims(_ count: Int) { state.withLock { $0.lostClaims = count } }
    func warnClaims(_ count: Int) { state.withLock { $0.warnedClaims = count } }

    func perform(_ call: StoreCall) async -> StoreReply {
        let now = clock.now().uptime
        let reply = state.withLock { state -> StoreReply? in
            state.calls += 1
            guard !state.isAway else { return nil }
            if case .start = call, !state.startProblems.isEmpty {
                let problem = state.startProblems.removeFirst()
                return problem == .notDurable ? .answered(.refused(.notDurable), hasWarning: false) : .failed(problem)
            }
            if call.isClaim, let problem = state.claimProblem { return .failed(problem) }
            switch call {
            case .outcomes, .unsent: if state.withholdsRows { return nil }
            default: break
            }
            if case .outcomes(let rows) = call { state.outcomes += rows.count }
            if case .health(_, let rows) = call { for row in rows { state.health[row.viewer] = row } }
            if case .notes(_, let rows) = call { state.notes += rows }
            let answer = state.model.perform(call, at: now)
            if call.isClaim, state.lostClaims > 0 {
                state.lostClaims -= 1
                return nil
            }
            guard call.isClaim, state.warnedClaims > 0 else { return .answered(answer, hasWarning: false) }
            state.warnedClaims -= 1
            return .answered(answer, hasWarning: true)
        }
        if let reply { return reply }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard !Task.isCancelled else { return true }
                    state.waiting[call.isClaim, default: []].append(continuation)
                    return false
                }
                if isCancelled { continuation.resume(returning: .failed(.lost(place: "the store"))) }
            }
        } onCancel: {
            drop(claims: call.isClaim)
        }
    }

    func drop(claims: Bool) {
        let waiting = state.withLock { state in
            state.dropped += 1
            return state.waiting.removeValue(forKey: claims) ?? []
        }
        for continuation in waiting { continuation.resume(returning: .failed(.lost(place: "the store"))) }
    }

    func close() async {
        drop(claims: true)
        drop(claims: false)
        hintSink.finish()
    }
}
