package import Ports
package import Session

/// Receives the log lines of one session, in addition to the log that the session keeps for its screen. Must return
/// quickly: it is called where the session decides.
package protocol SessionLogSink: Sendable {
    func append(_ entry: LogEntry)
}

extension SessionLogSink {
    /// Appends a line that no session wrote; the log of the sink numbers it.
    package func append(_ level: LogLevel, _ message: String, at moment: Moment) {
        append(LogEntry(number: 0, at: moment, level: level, message: message))
    }
}
