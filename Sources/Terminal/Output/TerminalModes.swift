/// The private modes that ncurses knows nothing about, as bytes for the terminal (TERM-5: never through `putp`).
enum TerminalModes {
    /// Switches on bracketed paste, focus reports and, if wanted, clicks with exact positions.
    static func entering(mouse: Bool) -> [UInt8] {
        Array((mouse ? paste + focus + "\u{1B}[?1000h\u{1B}[?1006h" : paste + focus).utf8)
    }

    /// Switches everything off that `entering` switched on, and the mouse modes another program may have left.
    static let leaving = Array(
        "\u{1B}[?1006l\u{1B}[?1003l\u{1B}[?1002l\u{1B}[?1000l\u{1B}[?1004l\u{1B}[?2004l".utf8)

    /// Holds the picture back until `frameEnd` where mode 2026 is known, so that a frame never tears (TERM-11).
    static let frameStart = Array("\u{1B}[?2026h".utf8)
    /// Shows what came since `frameStart`.
    static let frameEnd = Array("\u{1B}[?2026l".utf8)

    /// What a dying process sends (TERM-10). It may land in the middle of anything: a string terminator comes first,
    /// then mode 2026, mouse, focus, paste, kitty keyboard, scroll region, wrap, attributes, cursor, and the main
    /// screen last.
    static func reset(for entry: TerminfoEntry) -> [UInt8] {
        guard entry.isANSI else { return entry.restoring }
        let known = "\u{1B}\\\u{1B}[?2026l".utf8
        let rest = "\u{1B}[<u\u{1B}[r\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l".utf8
        // The entry's own rmcup comes before ours; an xterm that has left its alternate screen ignores the second
        // request except for the cursor, which it puts where it was before the start: the same place.
        return Array(known) + leaving + entry.restoring + Array(rest)
    }

    private static let paste = "\u{1B}[?2004h"
    private static let focus = "\u{1B}[?1004h"
}
