import Foundation
import TestSupport
import Testing

extension OneAtATime {
    /// The bytes of a creative come from outside: they never reach a terminal.
    @Suite struct CacheTerminalTests {
        private static let creative = "<b>\u{1B}]0;owned\u{7}\u{1B}[2J</b>"

        private let folder: TemporaryFolder

        init() async throws {
            folder = try TemporaryFolder()
            try folder.write(#"{"adm": "owned"}"#, to: "bid.json")
            let put = try await AdtopProcess.run(
                [
                    "cache", "put", "-", "--id", "a", "--bid", folder.file("bid.json"), "--folder",
                    folder.file("creatives"),
                ],
                input: Self.creative)
            try #require(put.status == 0, "\(put.errors)")
        }

        private func place() -> [String] { ["--folder", folder.file("creatives")] }

        private func onTerminal(_ arguments: [String]) throws -> (exit: ChildExit, text: String) {
            let terminal = try PseudoTerminal()
            try terminal.run(
                BuiltProduct.path("adtop"), ["cache", "get", "a"] + place() + arguments,
                environment: [
                    "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": folder.path, "PATH": "/usr/bin:/bin",
                ])
            let exit = try terminal.waitForExit()
            return (exit, String(decoding: terminal.transcript, as: UTF8.self))
        }

        @Test(arguments: [[], ["--bid"]]) func aTerminalGetsAnError(_ arguments: [String]) throws {
            let shown = try onTerminal(arguments)
            #expect(shown.exit == .status(2))
            #expect(
                shown.text.contains("a: its bytes are not printed on a terminal; use --output FILE or redirect stdout"))
            #expect(!shown.text.contains("owned") && !shown.text.unicodeScalars.contains("\u{1B}"))
        }

        @Test func aFileGetsTheBytes() throws {
            let shown = try onTerminal(["--output", folder.file("a.html")])
            #expect(shown.exit == .status(0) && shown.text.isEmpty)
            #expect(try String(contentsOfFile: folder.file("a.html"), encoding: .utf8) == Self.creative)
            let again = try onTerminal(["--output", folder.file("none/a.html")])
            #expect(again.exit == .status(2) && again.text.contains("--output: "))
        }

        /// A terminal shows JSON, whose strings have escapes in place of such bytes.
        @Test func aTerminalGetsJSON() throws {
            let shown = try onTerminal(["--json"])
            #expect(shown.exit == .status(0) && shown.text.contains("adtop-cache-creative/1"))
            #expect(!shown.text.unicodeScalars.contains("\u{1B}"))
            #expect(try onTerminal(["--json", "--output", "x"]).exit == .status(2))
        }

        @Test func aPipeGetsTheBytes() async throws {
            let piped = try await AdtopProcess.run(["cache", "get", "a"] + place())
            #expect(piped.status == 0 && piped.output == Self.creative)
        }
    }
}
