import Locks
import Ports

/// Until when requests of an agent may leave, by the agent's own clock (FLT-12). Sessions look at it immediately before each request, because
/// the process may have stood still since.
final class FleetLease: Sendable {
    private let end = Locked(Duration?.none)
    private let time: any TimeSource

    init(_ time: any TimeSource) {
        self.time = time
    }

    /// Whether a request may leave at this moment.
    var isOpen: Bool {
        // Reads the end first: if the process stands still in between, the clock has moved on.
        let end = end.withLock { $0 }
        return end.map { time.now().uptime < $0 } ?? false
    }

    /// Nil without a lease.
    func set(_ end: Duration?) {
        self.end.withLock { $0 = end }
    }
}
