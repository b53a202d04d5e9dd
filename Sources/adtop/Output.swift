import Foundation
import Screen

/// The process's standard streams. Everything written for people passes the sanitiser first: text printed around the
/// dashboard must not bypass its protection.
enum Output {
    /// Writes to stdout; false when nobody reads any more.
    @discardableResult
    static func write(_ text: String) -> Bool {
        writeAll(Array(text.utf8), to: STDOUT_FILENO)
    }

    /// One line on stderr.
    static func error(_ message: String) {
        writeAll(Array("adtop: \(SafeText(outside: message).string)\n".utf8), to: STDERR_FILENO)
    }

    /// One line on stderr about how things go, sanitised.
    static func note(_ text: String) {
        writeAll(Array("\(SafeText(outside: text).string)\n".utf8), to: STDERR_FILENO)
    }

    /// One line on stdout, sanitised.
    @discardableResult
    static func line(_ text: String) -> Bool {
        write(SafeText(outside: text).string + "\n")
    }

    /// Whether stdout is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    @discardableResult
    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
}
