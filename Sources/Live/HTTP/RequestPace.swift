import NIOCore
import Ports

/// Keeps all requests of the process at the rate of `--max-rate`. Its state belongs to one event loop.
final class RequestPace: Sendable {
    private struct State {
        var queue: PaceQueue
        var waiting: [Int: EventLoopPromise<Void>] = [:]
        var lastID = 0
        var hasTimer = false
    }

    private let eventLoop: any EventLoop
    private let state: NIOLoopBoundBox<State>

    init(perSecond: Double, eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        state = .makeBoxSendingValue(State(queue: PaceQueue(perSecond: perSecond)), eventLoop: eventLoop)
    }

    /// Waits for the turn of a request.
    func turn(isBeacon: Bool) async throws(HTTPFailure) {
        let promise = eventLoop.makePromise(of: Void.self)
        eventLoop.execute { self.enter(promise, isBeacon: isBeacon) }
        do {
            try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                promise.fail(HTTPFailure(.cancelled, "cancelled"))
            }
        } catch let failure as HTTPFailure {
            throw failure
        } catch {
            throw HTTPFailure(.cancelled, "cancelled")
        }
    }

    private func enter(_ promise: EventLoopPromise<Void>, isBeacon: Bool) {
        state.value.lastID += 1
        let id = state.value.lastID
        switch state.value.queue.enter(id, isBeacon: isBeacon, at: Self.now) {
        case .go: promise.succeed(())
        case .full:
            promise.fail(HTTPFailure(.connect, "more than \(PaceQueue.limit) requests wait for --max-rate"))
        case .wait:
            state.value.waiting[id] = promise
            promise.futureResult.whenFailure { _ in self.leave(id) }
            schedule()
        }
    }

    private func leave(_ id: Int) {
        state.value.queue.leave(id)
        state.value.waiting[id] = nil
    }

    private func schedule() {
        guard !state.value.hasTimer, let wakeTime = state.value.queue.wakeTime else { return }
        state.value.hasTimer = true
        eventLoop.scheduleTask(in: .nanoseconds(max(0, wakeTime - Self.now))) {
            self.state.value.hasTimer = false
            if let id = self.state.value.queue.release(at: Self.now) {
                self.state.value.waiting.removeValue(forKey: id)?.succeed(())
            }
            self.schedule()
        }
    }

    private static var now: Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }
}
