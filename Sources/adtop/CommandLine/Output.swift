import Dashboard
import Foundation
import Live
import Locks
import Ports
import Screen
import Terminal

/// The standard streams of the process. Text for users passes the sanitiser first: text printed outside the dashboard
/// needs the same protection. User and password of a URL that was typed are masked, because errors and findings name it.
enum Output {
    /// Writes to stdout; false when the reader has gone.
    @discardableResult
    static func write(_ text: String) -> Bool {
        writeAll(Array(text.utf8), to: STDOUT_FILENO)
    }

    /// Writes bytes to stdout as they are.
    @discardableResult
    static func write(_ bytes: [UInt8]) -> Bool { writeAll(bytes, to: STDOUT_FILENO) }

    /// One line on stderr.
    static func error(_ message: String) {
        let text = SafeText(outside: Redaction.credentials(in: message, isBare: true)).string
        writeAll(Array("adtop: \(text)\n".utf8), to: STDERR_FILENO)
    }

    /// The same where something that the user asked for is not whole: the process ends with ``ExitStatus/interrupted`` where it would
    /// have succeeded.
    static func loss(_ message: String) {
        error(message)
        hasLoss.withLock { $0 = true }
    }

    /// Whether a file that the user asked for is not whole.
    static var isIncomplete: Bool { hasLoss.withLock { $0 } }

    private static let hasLoss = Locked(false)

    /// One line of progress on stderr, sanitised.
    static func note(_ text: String) {
        writeAll(Array("\(shown(text))\n".utf8), to: STDERR_FILENO)
    }

    /// What became of the beacons, which stays in the shell. On a terminal its rows end with whole words.
    static func summary(_ text: String) {
        let columns = WindowSize.of(descriptor: STDERR_FILENO)?.columns ?? 0
        ExitSummary.rows(of: shown(text), columns: columns).forEach(note)
    }

    /// One line on stdout, sanitised.
    @discardableResult
    static func line(_ text: String) -> Bool {
        write(shown(text) + "\n")
    }

    /// One line on stdout, sanitised, in colour on a terminal.
    @discardableResult
    static func line(_ line: ToolLine) -> Bool {
        write(line.text(isColored: isColored) + "\n")
    }

    private static func shown(_ text: String) -> String { SafeText(outside: Redaction.credentials(in: text)).string }

    /// Whether tools print in colour: on a terminal that has it, by the rules of `--color auto`.
    private static let isColored: Bool = {
        let environment = ProcessInfo.processInfo.environment
        let terminal = environment["TERM"] ?? ""
        let facts = ColorFacts(
            noColor: environment["NO_COLOR"], forceColor: environment["CLICOLOR_FORCE"],
            // Only eight colours are used; terminals without them are recognised by their names.
            colors: terminal.isEmpty || terminal == "dumb" || terminal.hasPrefix("vt") ? 0 : 8, isTerminal: isTerminal)
        return ColorSetting.auto.depth(facts) != .none
    }()

    /// Whether stdout is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Why stdout could not be written; nil where it could, or where its reader has gone and wants no more.
    static var failure: CommandFailure? {
        problem.withLock { $0 }.map { code in
            CommandFailure(
                .interrupted, "standard output: \(SystemErrorText.words(code)); what was printed is incomplete")
        }
    }

    private static let problem = Locked<Int32?>(nil)

    @discardableResult
    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        guard let code = WholeWrite.write(bytes, to: descriptor, waits: true) else { return true }
        if descriptor == STDOUT_FILENO, code != EPIPE { problem.withLock { $0 = $0 ?? code } }
        return false
    }
}
