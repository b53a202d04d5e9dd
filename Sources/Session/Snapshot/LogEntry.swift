package import Ports

package struct LogEntry: Sendable, Equatable {
    /// Number of the line in the session, from 0; stable when old lines are dropped.
    package var number: Int
    package var at: Moment
    package var level: LogLevel
    /// Unredacted; may contain text from outside.
    package var message: String
    /// The user's name of the session, in a log of several; nil in a session's own log.
    package var session: String? = nil
    /// What it is about.
    package var source = LogSource.session
    /// The host of a beacon; nil for other lines.
    package var host: String?

    package init(
        number: Int, at: Moment, level: LogLevel, message: String, session: String? = nil,
        source: LogSource = .session, host: String? = nil
    ) {
        (self.number, self.at, self.level) = (number, at, level)
        (self.message, self.session) = (message, session)
        (self.source, self.host) = (source, host)
    }
}
