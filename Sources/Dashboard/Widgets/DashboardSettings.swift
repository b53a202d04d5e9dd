package import Screen
package import Session

/// Values that the caller of a dashboard sets once.
package struct DashboardSettings: Sendable {
    /// Shown in the header; empty hides it.
    package var version = ""
    package var keymap = Keymap.standard
    /// The user's own commands.
    package var commands: [UserCommand] = []
    /// The themes that T and `:theme` know.
    package var themes: [String] = []
    package var theme = "default"
    /// The theme that is shown where the name of the chosen one stands for another; the next theme is the one after it.
    package var shownTheme: String?
    package var isASCII = false
    /// Whether the certificates of servers are not verified.
    package var isInsecure = false
    /// Masks the secrets in URLs, for dumps and exports.
    package var redactsURLs = false
    /// The view that is open at the start.
    package var view = DashboardView.breaks
    /// What lines of the log are about that are hidden at the start.
    package var hiddenLog: Set<LogSource> = []
    /// Whether a line above the footer names the first keys to press, until it is dismissed.
    package var showsTip = false
    /// What this line has instead: one text, from its fullest form to its shortest. Empty for the first keys.
    package var tip: [String] = []
    /// Whether `:open` can watch another stream in place of this one.
    package var opensStreams = false
    /// Names of the sessions that `[` and `]` switch between.
    package var sessions: [String] = []
    /// The table to which a session returns, and with which the dashboard begins; nil without one.
    package var table: Pane?
    /// Whether there is one.
    package var hasTable: Bool { table != nil }

    package init() {}

    /// The glyphs to draw with.
    package var glyphs: Glyphs { isASCII ? .ascii : .unicode }
}
