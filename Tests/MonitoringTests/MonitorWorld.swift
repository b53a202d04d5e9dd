import Locks
import Monitoring
import Ports
import Session
import TestSupport

/// A clock that moves only on command, a network on it, and a record of the monitor's inputs.
final class MonitorWorld: TimeSource, HTTPTransport, InputRecorder {
    private struct State {
        var now = Moment(wall: FakeOrigin.start + .seconds(95), uptime: .seconds(100))
        var sleepers: [Int: (Duration, CheckedContinuation<Bool, Never>)] = [:]
        var cancelled: Set<Int> = []
        var next = 0
        var sent: [String] = []
        var counts: [String: Int] = [:]
        var inputs: [RecordedInput] = []
        /// The number of inputs that were recorded when the session ended.
        var inputsAtEnd: Int?
        /// Requests whose answers the monitor has not taken yet.
        var unanswered = 0
        /// The sleepers that would sleep as long as a connection may take: requests that wait for the one before.
        var turns: Set<Int> = []
    }

    private let contents = Locked(State())
    private let changes = Changes()
    let origin: FakeOrigin
    let (failures, failureSink) = AsyncStream.makeStream(of: String.self)

    /// The URL of the request that is not written before `write`.
    private let withheld: String?
    private let (writing, writingSink) = AsyncStream.makeStream(of: Void.self)

    init(_ origin: FakeOrigin, withholding withheld: String? = nil) {
        (self.origin, self.withheld) = (origin, withheld)
    }

    var sent: [String] { contents.withLock { $0.sent } }
    var inputs: [RecordedInput] { contents.withLock { $0.inputs } }
    /// Nil while the recording has not been ended.
    var inputsAtEnd: Int? { contents.withLock { $0.inputsAtEnd } }
    /// An element for every input, and for every time that the monitor begins to wait for the clock.
    var news: AsyncStream<Void> { changes.stream() }

    func record(_ input: RecordedInput) {
        contents.withLock { state in
            state.inputs.append(input)
            switch input.input {
            case .fetched, .beaconAnswered: state.unanswered -= 1
            default: break
            }
        }
        changes.announce()
    }

    func end() {
        contents.withLock { $0.inputsAtEnd = $0.inputs.count }
    }

    func now() -> Moment { contents.withLock { $0.now } }

    func sleep(untilUptime uptime: Duration) async throws(CancellationError) {
        let id = contents.withLock { state in
            state.next += 1
            return state.next
        }
        let wasRung = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result: Bool? = contents.withLock { state in
                    if state.cancelled.remove(id) != nil { return false }
                    if state.now.uptime >= uptime { return true }
                    state.sleepers[id] = (uptime, continuation)
                    if uptime - state.now.uptime == Self.patience { state.turns.insert(id) }
                    return nil
                }
                if let result { continuation.resume(returning: result) }
                changes.announce()
            }
        } onCancel: {
            let sleeper = contents.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard let sleeper = state.sleepers.removeValue(forKey: id) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return sleeper.1
            }
            sleeper?.resume(returning: false)
        }
        if !wasRung { throw CancellationError() }
    }

    /// When the next sleeper wants to be rung; nil while there is none, or a request is on its way.
    var nextRing: Duration? {
        contents.withLock { $0.unanswered > 0 ? nil : $0.sleepers.values.map(\.0).min() }
    }

    /// Moves the clock to the next moment that the monitor waits for, once it has nothing else to do: it takes nothing
    /// more in over several round trips.
    func advance(_ monitor: Monitor) async {
        guard nextRing != nil else { return }
        let before = inputs.count
        for _ in 0..<5 { _ = await monitor.health() }
        guard let ring = nextRing, inputs.count == before else { return }
        advance(by: max(.zero, ring - now().uptime))
    }

    func advance(by span: Duration) {
        let due = contents.withLock { state in
            state.now = state.now.advanced(by: span)
            let due = state.sleepers.filter { $0.value.0 <= state.now.uptime }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.1)
        }
        for sleeper in due { sleeper.resume(returning: true) }
    }

    func send(_ request: HTTPRequest) async -> HTTPExchange {
        let (now, count) = contents.withLock { state in
            state.sent.append(request.url.text)
            state.unanswered += 1
            let count = state.counts[request.url.path, default: 0]
            state.counts[request.url.path] = count + 1
            return (state.now, count)
        }
        return origin.reply(to: request, at: now, count: count).exchange
    }

    /// How long a connection of a beacon may take.
    private static let patience = Limits.connectTimeout

    /// Writes the request that is withheld.
    func write() { writingSink.finish() }

    /// Whether a request waits for the one that is withheld, as long as a connection may take.
    var isTurnAwaited: Bool {
        contents.withLock { state in state.sleepers.keys.contains(where: state.turns.contains) }
    }

    func send(_ request: HTTPRequest, onWritten: @escaping @Sendable () -> Void) async -> HTTPExchange {
        let exchange = await send(request)
        if request.url.text == withheld {
            for await _ in writing {}
        }
        onWritten()
        return exchange
    }
}
