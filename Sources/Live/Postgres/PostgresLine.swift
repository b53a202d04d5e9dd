import Locks

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The part of a connection that other threads see, so that they can end it while libpq waits: while it is made, and afterwards.
final class PostgresLine: Sendable {
    private struct State {
        var isDropped = false
        /// The host that is being tried, or was reached.
        var trial: HostTurn.Trial?
        /// Whether an attempt or a call is under way.
        var isWaiting = false
        /// A descriptor of our own for the socket.
        var socket: Int32?
    }

    private let state = Locked(State())

    deinit { closeSocket() }

    var isDropped: Bool { state.withLock { $0.isDropped } }

    /// The host that is being tried, or was reached; nil before that.
    var trial: HostTurn.Trial? { state.withLock { $0.trial } }

    /// - Returns: false where the connection was dropped, so that no host is tried.
    func begins(_ trial: HostTurn.Trial) -> Bool {
        state.withLock { state in
            state.trial = state.isDropped ? nil : trial
            state.isWaiting = !state.isDropped
            return !state.isDropped
        }
    }

    /// The connection is made.
    /// - Parameter socket: the socket of libpq. Without descriptors the connection ends at its limits only.
    /// - Returns: false where it was dropped meanwhile, so that no call may use it.
    func connected(_ socket: Int32) -> Bool {
        state.withLock { state in
            guard !state.isDropped else { return false }
            let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
            (state.isWaiting, state.socket) = (false, copy >= 0 ? copy : nil)
            return true
        }
    }

    /// A call begins or ends.
    func waits(_ isWaiting: Bool) { state.withLock { $0.isWaiting = isWaiting } }

    /// Ends the connection for good.
    /// - Returns: the host that did not answer an attempt or a call; nil where neither was under way.
    func drop() -> HostTurn.Trial? {
        state.withLock { state in
            state.isDropped = true
            if let socket = state.socket { _ = shutdown(socket, Int32(SHUT_RDWR)) }
            return state.isWaiting ? state.trial : nil
        }
    }

    func closeSocket() {
        state.withLock { state in
            if let socket = state.socket { _ = close(socket) }
            state.socket = nil
        }
    }
}
