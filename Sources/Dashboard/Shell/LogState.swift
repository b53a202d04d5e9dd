package import Session

/// Level, filter and place of the log.
package struct LogState: Sendable, Equatable {
    /// Columns that one key press scrolls sideways.
    static let columnStep = 8

    /// Lines below this level are hidden.
    package var level = LogLevel.info
    /// What lines are about that are shown.
    package var sources = Set(LogSource.allCases)
    /// Lines about other breaks, and about none, are hidden; nil shows them.
    package var adBreak: LogBreak?
    /// The text typed after `/`.
    package var filter = ""
    /// Whether long lines wrap into several rows.
    package var wraps = false
    /// Whether lines begin with their time.
    package var showsTime = true
    /// The number of the entry at the bottom; nil follows the tail. An entry keeps its number, whatever is appended or
    /// dropped.
    package var bottom: Int?
    /// Columns scrolled to the right.
    package var column = 0

    /// A log that follows its tail.
    package init() {}

    /// Whether new lines push old ones up.
    package var follows: Bool { bottom == nil }
}
