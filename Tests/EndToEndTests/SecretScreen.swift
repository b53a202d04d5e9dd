import Foundation
import TestSupport
import Testing

/// The program in a real terminal: what it draws, copies and exports.
enum SecretScreen {
    /// The terminal's transcript and all that was copied, by name; exports are files of the folder.
    static func run(
        _ url: String, _ arguments: [String], _ environment: [String: String], _ folder: TemporaryFolder
    ) async throws -> [String: Data] {
        // On a thread of its own: a blocked thread of the shared pool could be the one that the server needs.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try show([url] + arguments, environment, folder) })
            }
        }
    }

    private static func show(
        _ arguments: [String], _ environment: [String: String], _ folder: TemporaryFolder
    ) throws -> [String: Data] {
        let terminal = try PseudoTerminal(columns: 200, rows: 60)
        try terminal.run(
            BuiltProduct.path("adtop"), arguments + ["--no-journal", "--poll", "500ms"],
            environment: [
                "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
            ].merging(environment) { $1 })
        try terminal.expect("impression")
        // A beacon of an ad: its report, its URL, its request.
        terminal.type("/impression\rn")
        for (key, word) in [("B", "report: "), ("y", "url: "), ("Y", "curl: ")] {
            terminal.type(key)
            try PeerScreen.wait(for: word, on: terminal)
        }
        terminal.type(":session\r5")
        try PeerScreen.wait(for: "X-H0: ***", on: terminal)
        terminal.type("5:log all\r3")
        for form in ["json", "csv", "text", "svg"] {
            let path = folder.file("export.\(form)")
            terminal.type(":export \(form) \(path)\r")
            try terminal.read(waitingFor: "the export") { FileManager.default.fileExists(atPath: path) }
        }
        terminal.type("Q")
        #expect(try terminal.waitForExit() == .status(0))
        let copied = copies(in: terminal.transcript)
        #expect(copied.contains { $0.contains("/beacon/") }, "nothing was copied")
        return ["terminal": Data(terminal.transcript), "copies": Data(copied.joined(separator: "\n").utf8)]
    }

    /// The texts that were copied by OSC 52.
    private static func copies(in transcript: [UInt8]) -> [String] {
        String(decoding: transcript, as: UTF8.self).matches(of: /\u{1B}\]52;c;([A-Za-z0-9+\/=]*)/).compactMap {
            Data(base64Encoded: String($0.output.1)).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
