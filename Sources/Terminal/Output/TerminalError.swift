import Screen

/// Why there can be no dashboard on this terminal. Each description is one line: what, and what to do.
package enum TerminalError: Error, Equatable, CustomStringConvertible {
    /// The process has no controlling terminal: a pipe, a service, cron. The number is errno.
    case noTerminal(Int32)
    /// TERM is empty or not set.
    case typeUnset
    /// There is no terminfo entry of this name.
    case typeUnknown(String)
    /// The entry lacks a capability without which no screen can be painted, such as `cup` in `dumb`.
    case typeTooPlain(String, missing: String)
    /// ncurses could not open the terminal and gives no reason.
    case refused(String)
    /// A system call failed with this errno.
    case system(String, Int32)

    package var description: String {
        switch self {
        case .noTerminal(let code):
            "no terminal to draw on (\(SystemCalls.message(code))); run it in a terminal, or use --dump"
        case .typeUnset:
            "TERM is not set; set it to your terminal's type (such as xterm-256color), or use --dump"
        case .typeUnknown(let name):
            "unknown terminal type \"\(Self.safe(name))\"; install its terminfo entry, or use --dump"
        case .typeTooPlain(let name, let missing):
            "terminal type \"\(Self.safe(name))\" cannot place text (no \(missing)); set a real TERM, or use --plain or --dump"
        case .refused(let name):
            "cannot start on a terminal of type \"\(Self.safe(name))\"; try TERM=xterm-256color, or use --dump"
        case .system(let call, let code):
            "\(call): \(SystemCalls.message(code)); try again, or use --dump"
        }
    }

    /// TERM comes from outside like everything else.
    private static func safe(_ name: String) -> String { SafeText(outside: name).string }
}
