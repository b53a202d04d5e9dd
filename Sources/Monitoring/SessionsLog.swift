import Locks
import Ports
package import Session

/// The log lines of many sessions in order of arrival, in one log for their table. Each session also keeps its own.
package final class SessionsLog: Sendable {
    private struct State {
        var view: LogView
        var nextNumber = 0
    }

    private let state: Locked<State>

    /// Keeps at least `capacity` lines.
    package init(capacity: Int = Limits.logLines) {
        state = Locked(State(view: LogView(capacity: capacity)))
    }

    /// The lines so far.
    package var view: LogView { state.withLock { $0.view } }

    /// A sink for the lines of the session with the user's name `session`; it forwards them to `other`.
    package func sink(for session: String, with other: (any SessionLogSink)? = nil) -> any SessionLogSink {
        Sink(log: self, session: session, other: other)
    }

    private func append(_ entry: LogEntry, of session: String) {
        state.withLock { state in
            var entry = entry
            entry.number = state.nextNumber
            entry.session = session
            state.nextNumber += 1
            state.view.append(entry)
        }
    }

    private struct Sink: SessionLogSink {
        let log: SessionsLog
        let session: String
        let other: (any SessionLogSink)?

        func append(_ entry: LogEntry) {
            log.append(entry, of: session)
            other?.append(entry)
        }
    }
}
