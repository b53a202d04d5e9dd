import ArgumentParser

/// The exit codes that all verbs share; the help of a verb lists those it uses.
enum ExitStatus: Int32, Sendable {
    case fine = 0
    /// Findings of severity error.
    case findings = 1
    /// Invalid flags, or an unreadable config file or theme.
    case usage = 2
    case network = 3
    /// Input that cannot be read; for a stream, a session that the server has ended (``sessionOver``).
    case unreadable = 4
    /// Interrupted, or standard output or a file that was asked for could not be written whole: the work is incomplete.
    case interrupted = 5

    /// The server has ended the session, and no new one may be requested.
    static let sessionOver = Self.unreadable

    var code: ExitCode { ExitCode(rawValue) }
}

/// An error for the user: one line on stderr (*thing: problem; remedy*) and an exit code.
struct CommandFailure: Error, Equatable, Sendable {
    var status: ExitStatus
    var message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }
}
