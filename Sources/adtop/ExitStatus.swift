import ArgumentParser

/// The exit codes every verb shares; a verb's help lists the ones it uses.
enum ExitStatus: Int32, Sendable {
    case fine = 0
    /// Findings of severity error.
    case findings = 1
    /// Wrong flags, unreadable config or theme.
    case usage = 2
    case network = 3
    /// Input that cannot be read.
    case unreadable = 4
    /// Interrupted: nothing is lost, but the work is incomplete.
    case interrupted = 5

    var code: ExitCode { ExitCode(rawValue) }
}

/// An error as people see it: one line on stderr saying what, where and what to do, and an exit code.
struct CommandFailure: Error, Equatable, Sendable {
    var status: ExitStatus
    var message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }
}
