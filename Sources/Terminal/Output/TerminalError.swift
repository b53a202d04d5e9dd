import Screen

/// Why there can be no dashboard on this terminal. Each message is one line: what, and what to do.
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

    /// Without the options of a program.
    package var description: String { message(or: []) }

    /// The line for a program that does without a screen where one of these options is given.
    package func message(or options: [String]) -> String {
        let other = options.isEmpty ? "" : ", or use \(options.joined(separator: " or "))"
        return "\(problem); \(remedy)\(other)"
    }

    private var problem: String {
        switch self {
        case .noTerminal(let code): "no terminal to draw on (\(SystemCalls.message(code)))"
        case .typeUnset: "TERM is not set"
        case .typeUnknown(let name): "unknown terminal type \"\(Self.safe(name))\""
        case .typeTooPlain(let name, let missing):
            "terminal type \"\(Self.safe(name))\" cannot place text (no \(missing))"
        case .refused(let name): "cannot start on a terminal of type \"\(Self.safe(name))\""
        case .system(let call, let code): "\(call): \(SystemCalls.message(code))"
        }
    }

    private var remedy: String {
        switch self {
        case .noTerminal: "run it in a terminal"
        case .typeUnset: "set it to your terminal's type (such as xterm-256color)"
        case .typeUnknown: "install its terminfo entry"
        case .typeTooPlain: "set a real TERM"
        case .refused: "try TERM=xterm-256color"
        case .system: "try again"
        }
    }

    /// TERM comes from outside like everything else.
    private static func safe(_ name: String) -> String { SafeText(outside: name).string }
}
