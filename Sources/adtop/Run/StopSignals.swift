@preconcurrency import Dispatch
import Foundation

/// SIGINT, SIGTERM and SIGHUP as values, for verbs without a dashboard (the dashboard has its own guard).
enum StopSignals {
    /// Yields the number of each signal that arrives. The first call disables the default action.
    static func stream() -> AsyncStream<Int32> {
        AsyncStream { continuation in
            let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { @Sendable in continuation.yield(number) }
                source.resume()
                return source
            }
            continuation.onTermination = { @Sendable _ in
                sources.forEach { $0.cancel() }
            }
        }
    }
}
