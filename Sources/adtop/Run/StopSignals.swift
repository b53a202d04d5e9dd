@preconcurrency import Dispatch
import Foundation
import Locks

/// SIGINT, SIGTERM and SIGHUP as values, for verbs without a dashboard (the dashboard has its own guard).
///
/// After the first signal the process ends within ``WayOut/limit``, after the second at once. SIGHUP does not count where it was ignored
/// when the process began: `nohup` is there to outlive the terminal. A shell ignores SIGINT for what it starts in the background, and that
/// is no reason to ignore one that is sent.
enum StopSignals {
    private struct State {
        var sources: [any DispatchSourceSignal] = []
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
            if state.sources.isEmpty { state.sources = [SIGINT, SIGTERM, SIGHUP].compactMap(source) }
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

    private static func source(_ number: Int32) -> (any DispatchSourceSignal)? {
        let before = signal(number, SIG_IGN)
        guard number != SIGHUP || !isIgnoring(before) else { return nil }
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { @Sendable in arrived(number) }
        source.resume()
        return source
    }

    private typealias Handler = @convention(c) (Int32) -> Void

    /// Functions of C cannot be compared; their addresses can.
    private static func isIgnoring(_ handler: Handler?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN as Handler?, to: Int.self)
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
