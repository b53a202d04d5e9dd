import Foundation
import TestSupport
import Testing

/// The program in a terminal of its own.
enum PeerScreen {
    /// Waits for a text on its screen and quits it. Before, `keys` are typed when `mark` is on the screen.
    static func expect(
        _ text: String, of arguments: [String], typing keys: String = "", after mark: String = "",
        environment: [String: String] = [:]
    ) async throws {
        // On a thread of its own: a blocked thread of the shared pool could be the one that the server needs.
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                continuation.resume(with: Result { try show(text, arguments, keys, mark, environment) })
            }
        }
    }

    private static func show(
        _ text: String, _ arguments: [String], _ keys: String, _ mark: String, _ environment: [String: String]
    ) throws {
        let terminal = try PseudoTerminal(columns: 140, rows: 40)
        let home = try TemporaryFolder()
        try terminal.run(
            BuiltProduct.path("adtop"), arguments + ["--no-journal", "--no-init-request", "--poll", "500ms"],
            environment: [
                "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": home.path, "PATH": "/usr/bin:/bin",
                "SWIFT_BACKTRACE": "enable=no",
            ].merging(environment) { $1 })
        if !keys.isEmpty {
            try terminal.expect(mark)
            terminal.type(keys)
        }
        try terminal.expect(text)
        terminal.type("Q")
        #expect(try terminal.waitForExit() == .status(0))
    }
}
