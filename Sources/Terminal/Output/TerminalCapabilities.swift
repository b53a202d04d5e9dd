package import Screen

/// What the opened terminal can show: the dashboard chooses palette, glyphs and widths by it.
package struct TerminalCapabilities: Sendable, Equatable {
    /// The name of the terminfo entry in use.
    package let type: String
    /// TERM, if it has no terminfo entry and that of another terminal is in use.
    package var unknownType: String?
    /// The most colours a palette may use here; a colour beyond it is painted as the terminal's own.
    package let depth: ColorDepth
    /// Whether the locale takes UTF-8. If not, glyphs must be ASCII, and other characters are painted as `?` (TERM-18).
    package let isUTF8: Bool
    /// Widths as libc measures them, for the grids that are shown here.
    package let widths: CharacterWidth
    /// The size at the start.
    package let size: Size
}
