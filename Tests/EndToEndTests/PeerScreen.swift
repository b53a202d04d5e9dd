import Foundation
import TestSupport
import Testing

/// The program in a terminal of its own.
enum PeerScreen {
    /// Waits for a text on its screen and quits it. Before, keys are typed, each when its mark is on the screen.
    static func expect(
        _ text: String, of arguments: [String], typing keys: [(mark: String, keys: String)] = [],
        environment: [String: String] = [:]
    ) async throws {
        _ = try await transcript(until: text, of: arguments, typing: keys, environment: environment)
    }

    /// The same, but the program is ended by `signal`, nil for the key.
    /// - Returns: all that it wrote.
    static func transcript(
        until text: String, of arguments: [String], typing keys: [(mark: String, keys: String)] = [],
        environment: [String: String] = [:], endedBy signal: Int32? = nil
    ) async throws -> String {
        // On a thread of its own: a blocked thread of the shared pool could be the one that the server needs.
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
            Thread.detachNewThread {
                continuation.resume(with: Result { try show(text, arguments, keys, environment, signal) })
            }
        }
    }

    private static func show(
        _ text: String, _ arguments: [String], _ keys: [(mark: String, keys: String)], _ environment: [String: String],
        _ signal: Int32?
    ) throws -> String {
        let terminal = try PseudoTerminal(columns: 140, rows: 40)
        let home = try TemporaryFolder()
        try terminal.run(
            BuiltProduct.path("adtop"), arguments + ["--no-journal", "--no-init-request", "--poll", "500ms"],
            environment: [
                "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": home.path, "PATH": "/usr/bin:/bin",
                "SWIFT_BACKTRACE": "enable=no",
            ].merging(environment) { $1 })
        for (mark, keys) in keys {
            try wait(for: mark, on: terminal)
            terminal.type(keys)
        }
        try wait(for: text, on: terminal)
        if let signal { kill(terminal.process, signal) } else { terminal.type("Q") }
        #expect(try terminal.waitForExit() == signal.map { .signal($0) } ?? .status(0))
        return String(decoding: terminal.transcript, as: UTF8.self)
    }

    /// Asks for the whole picture now and then: what two pictures have in common is not written again.
    static func wait(for text: String, on terminal: PseudoTerminal) throws {
        for _ in 0..<40 {
            // Not there yet: it is asked for again.
            if (try? terminal.expect(text, within: .milliseconds(500))) != nil { return }
            terminal.type("\u{0C}")
        }
        try terminal.expect(text)
    }
}
