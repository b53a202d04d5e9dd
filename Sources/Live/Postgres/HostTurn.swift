import Locks

/// Where the next attempt to connect begins in a list of hosts. The connections of a store share it: a host that answered is tried first, and
/// one that did not, or whose answer was that a lock is held, is passed over by the next attempt, whichever connection makes it.
final class HostTurn: Sendable {
    /// The attempt to connect to one host of a list.
    struct Trial: Hashable {
        /// Index of the host.
        var place: Int
        /// Hosts in the list.
        var count: Int
    }

    private let first = Locked(0)

    /// One trial for each host, in the order in which they are made.
    func trials(of count: Int) -> [Trial] {
        let first = first.withLock { $0 }
        return (0..<count).map { Trial(place: (first + $0) % count, count: count) }
    }

    func answered(_ trial: Trial) { first.withLock { $0 = trial.place } }

    /// Does nothing where another connection has passed that host over already.
    func failed(_ trial: Trial) {
        first.withLock { if $0 % trial.count == trial.place { $0 = (trial.place + 1) % trial.count } }
    }
}
