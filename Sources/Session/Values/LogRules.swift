import Ports

/// The log of a session.
package struct LogRules: Sendable, Hashable {
    /// Most lines in memory.
    package var lines = Limits.logLines
    /// What lines are about that a screen hides at its start. The session does not read it; a replay shows the same screen.
    package var hidden: Set<LogSource> = []

    package init() {}
}
