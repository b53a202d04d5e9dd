package import CreativeCache
import Locks
package import Ports

/// The running creative cache: a ``CreativeStore`` behind a lock, its disk tier, counters and access log.
///
/// Disk failures do not stop the memory tier: they are problems in ``report()``.
package final class CreativeShelf: Sendable {
    /// The whole folder is compared at most this often; what a request asks for is compared at once.
    static let reconcileInterval: Duration = .seconds(1)

    struct State {
        var store: CreativeStore
        var responder: LoopbackResponder
        var traffic = TrafficRecord()
        var problems: [String] = []
        /// The files of the creatives on disk as they were last read or written here.
        var marks: [CreativeID: FileMark] = [:]
        var reconciledAt: UnixTime?
        var changeMark: Int64?
    }

    let state: Locked<State>
    let disk: CreativeDisk?
    let wallClock: @Sendable () -> UnixTime
    private let signal: AsyncStream<Void>.Continuation
    /// Yields after changes, several of them combined; for a view of the cache. One reader only.
    package let changes: AsyncStream<Void>

    /// Creates a cache with the creatives on disk. Problems with files are in the report.
    package init(
        limits: StoreLimits, rules: LoopbackRules, disk: CreativeDisk? = nil,
        wallClock: @escaping @Sendable () -> UnixTime
    ) {
        var limits = limits
        if disk == nil { limits.diskBytes = nil }
        (changes, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.disk = disk
        self.wallClock = wallClock
        state = Locked(State(store: CreativeStore(limits: limits), responder: LoopbackResponder(rules: rules)))
        restore()
    }

    /// Host fields must contain the port, which is known only when the server listens.
    func setPort(_ port: Int) { state.withLock { $0.responder.rules.port = port } }

    // MARK: Answering

    /// Answers a request and adds a line to the access log.
    func answer(_ request: LoopbackRequest, isSecure: Bool, took elapsed: () -> Duration) -> LoopbackAnswer {
        let now = wallClock()
        return change { state in
            reconcile(&state, at: now)
            if let id = wanted(by: request) { refresh(id, &state, at: now) }
            let answer = respond(request, &state, at: now)
            state.traffic.note(
                AccessRecord(
                    request, answer, at: now, took: elapsed(), isSecure: isSecure))
            return answer
        }
    }

    /// The answer to bytes that are not a request.
    func refuse(_ refusal: LoopbackRefusal, to method: String, isSecure: Bool) -> LoopbackAnswer {
        let now = wallClock()
        return change { state in
            let answer = state.responder.refusal(refusal, to: method)
            state.traffic.note(AccessRecord(refused: answer, at: now, isSecure: isSecure))
            return answer
        }
    }

    private func respond(_ request: LoopbackRequest, _ state: inout State, at now: UnixTime) -> LoopbackAnswer {
        var generator = SystemRandomNumberGenerator()
        // At most twice: after the first round, creatives on disk are in memory or lost.
        for _ in 0..<2 {
            let step = state.responder.answer(request, store: &state.store, using: &generator, at: now)
            carryOut(&state, at: now)
            switch step {
            case .load(let id): load(id, &state, at: now)
            case .answer(let answer):
                guard answer.status == 404, let id = wanted(by: request), find(id, &state, at: now) else {
                    return answer
                }
            }
        }
        if case .answer(let answer) = state.responder.answer(
            request, store: &state.store, using: &generator, at: now)
        {
            return answer
        }
        return state.responder.refusal(.notFound, to: request.method)
    }

    private func wanted(by request: LoopbackRequest) -> CreativeID? {
        disk == nil ? nil : LoopbackResponder.creative(wantedBy: request)
    }

    /// Disk problems, one sentence each; when there are too many, the oldest are dropped.
    package var problems: [String] { state.withLock { $0.problems } }

    // MARK: Use by the program itself

    @discardableResult
    package func put(_ creative: CachedCreative, life: Duration? = nil, replacing: Bool = true) -> PutOutcome {
        let now = wallClock()
        return change { state in
            let outcome = state.store.put(creative, life: life, replacing: replacing, at: now)
            carryOut(&state, at: now)
            return outcome
        }
    }

    /// The creative, without counting as a request; nil when it does not exist.
    package func creative(_ id: CreativeID) -> (record: CreativeRecord, content: CachedCreative.Content)? {
        let now = wallClock()
        return state.withLock { state in
            refresh(id, &state, at: now)
            if state.store.record(id) == nil { _ = find(id, &state, at: now) }
            guard let record = state.store.record(id), record.isValid(at: now) else { return nil }
            if let content = state.store.content(id) { return (record, content) }
            guard let read = try? disk?.read(id) else { return nil }
            return (record, read.content)
        }
    }

    package func records() -> [CreativeRecord] {
        let now = wallClock()
        return state.withLock { $0.store.records(at: now) }
    }

    @discardableResult
    package func remove(_ id: CreativeID) -> Bool {
        let now = wallClock()
        return change { state in
            refresh(id, &state, at: now)
            if state.store.record(id) == nil { _ = find(id, &state, at: now) }
            defer { carryOut(&state, at: now) }
            return state.store.remove(id)
        }
    }

    /// Removes all creatives and returns their number.
    @discardableResult
    package func removeAll() -> Int {
        let now = wallClock()
        return change { state in
            defer { carryOut(&state, at: now) }
            for id in state.store.idsOnDisk { refresh(id, &state, at: now) }
            return state.store.removeAll()
        }
    }

    /// Returns false when the creative does not exist.
    package func extend(_ id: CreativeID, life: Duration? = nil) -> Bool {
        let now = wallClock()
        return change { state in
            // What another program has written is extended, and not replaced by what is in memory.
            refresh(id, &state, at: now)
            if state.store.record(id) == nil { _ = find(id, &state, at: now) }
            defer { carryOut(&state, at: now) }
            return state.store.extend(id, life: life, at: now)
        }
    }

    /// The requests answered after the first `count`, as far as they are kept, and the total number of requests.
    package func accessLog(after count: Int) -> (records: [AccessRecord], count: Int) {
        state.withLock { state in
            let requests = state.traffic.requests
            return (Array(state.traffic.log.suffix(max(0, requests - count))), requests)
        }
    }

    /// The current state for display.
    package func report(address: CacheReport.Address? = nil) -> CacheReport {
        let now = wallClock()
        return state.withLock { state in
            state.store.sweep(at: now)
            carryOut(&state, at: now)
            return CacheReport(
                address: address, limits: state.store.limits, memoryBytes: state.store.memoryBytes,
                diskBytes: state.store.diskBytes, counters: state.store.counters,
                records: Array(state.store.records(at: now).prefix(CacheReport.maximumRecords)),
                count: state.store.count, traffic: state.traffic, problems: state.problems)
        }
    }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        defer { signal.yield() }
        return state.withLock { body(&$0) }
    }
}
