import Dispatch
import Locks

/// What the painting thread has to do: the newest frame only, and every order.
///
/// Senders never wait, so a terminal that accepts no output blocks no caller (TERM-13); the frames it missed are dropped.
final class PaintQueue: Sendable {
    /// Something to do apart from painting.
    enum Order: Equatable, Sendable {
        case invalidate
        case suspend
        case resume
        case send([UInt8])
        case close
    }

    /// What has arrived since the last call.
    struct Batch {
        var orders: [Order] = []
        var frame: TerminalFrame?
    }

    /// Most waiting orders; only a terminal that hangs ever has so many.
    static let orderLimit = 64

    private let waiting = Locked(Batch())
    private let signal = DispatchSemaphore(value: 0)

    /// Replaces the frame that waits; true when one was dropped for it.
    @discardableResult
    func show(_ frame: TerminalFrame) -> Bool {
        let dropped = waiting.withLock { batch in
            defer { batch.frame = frame }
            return batch.frame != nil
        }
        if !dropped { signal.signal() }
        return dropped
    }

    /// Adds an order; false when too many wait. Closing is always accepted, and repeated repaints count as one.
    @discardableResult
    func add(_ order: Order) -> Bool {
        let accepted = waiting.withLock { batch in
            if order == .invalidate, batch.orders.last == .invalidate { return true }
            guard batch.orders.count < PaintQueue.orderLimit || order == .close else { return false }
            batch.orders.append(order)
            return true
        }
        if accepted { signal.signal() }
        return accepted
    }

    /// Waits for something to do and takes all of it.
    func next() -> Batch {
        signal.wait()
        return waiting.withLock { batch in
            defer { batch = Batch() }
            return batch
        }
    }
}
