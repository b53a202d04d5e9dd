import CTerminalGuard
import Foundation
import Locks
import Terminal

/// SIGINT, SIGTERM and SIGHUP as values, for verbs without a dashboard (with one, they end the events of its terminal).
///
/// After the first signal the process ends within ``WayOut/limit``, after the second at once. SIGHUP does not count where it was ignored
/// when the process began (`nohup`).
enum StopSignals {
    private struct State {
        var isWatching = false
        /// The first signal that arrived.
        var arrived: Int32?
        var readers: [Int: AsyncStream<Int32>.Continuation] = [:]
        var nextReader = 0
    }

    private static let state = Locked(State())

    /// Yields the number of the first signal, also if it arrived before. The first call disables the default action.
    static func stream() -> AsyncStream<Int32> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        let number = state.withLock { state in
            if !state.isWatching { watch() }
            state.isWatching = true
            if let arrived = state.arrived { continuation.yield(arrived) }
            state.readers[state.nextReader] = continuation
            state.nextReader += 1
            return state.nextReader - 1
        }
        continuation.onTermination = { _ in
            state.withLock { _ = $0.readers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Installs the handlers, and starts the thread that reads what they write. A signal that is ignored until something watches it, or that a
    /// thread takes for which it is ignored, would be lost. Without descriptors the default action stays.
    private static func watch() {
        guard let pipe = SignalPipe() else { return }
        stop_signals_install(pipe.writeEnd)
        Thread.detachNewThread {
            stop_signals_unblock()
            while true { takeSignals(pipe.readEnd) }
        }
    }

    /// Waits for a signal. What comes together is one: timeout(1) sends its signal to the process and then to the group of the process.
    private static func takeSignals(_ pipe: Int32) {
        var ready = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, -1) > 0 else { return }
        usleep(20_000)
        var numbers = [UInt8](repeating: 0, count: 64)
        if read(pipe, &numbers, numbers.count) > 0 { arrived(Int32(numbers[0])) }
    }

    private static func arrived(_ number: Int32) {
        let readers = state.withLock { state -> [AsyncStream<Int32>.Continuation]? in
            guard state.arrived == nil else { return nil }
            state.arrived = number
            return Array(state.readers.values)
        }
        guard let readers else { return WayOut.end(.interrupted) }
        WayOut.begin(.interrupted)
        for reader in readers { reader.yield(number) }
    }
}
