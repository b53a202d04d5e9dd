import Foundation
import TestSupport
import Testing

/// The built program: its output and its exit code.
@Suite struct ProgramTests {
    private struct Ending: Equatable {
        var exit: ChildExit
        var lastLine: String
    }

    private func run(_ arguments: String...) async throws -> Ending {
        let ending = try await ChildProcess(
            BuiltProduct.path("adtop-conformance"), arguments, environment: ProcessInfo.processInfo.environment
        ).end()
        let lines = String(decoding: ending.output, as: UTF8.self).split(separator: "\n")
        return Ending(exit: ending.exit, lastLine: lines.last.map(String.init) ?? "")
    }

    private func message(_ error: String) -> String {
        #"{"schema": "adtop-scte35/1", "vectors": [{"name": "n", "input": "x", "expect": null, "error": "\#(error)"}]}"#
    }

    @Test func itsCodesAreThoseOfItsHelp() async throws {
        let folder = try TemporaryFolder()
        try folder.write(message("transport"), to: "good.json")
        #expect(try await run(folder.path) == Ending(exit: .status(0), lastLine: "1 passed, 0 failed"))
        #expect(try await run(folder.file("good.json"), "--json") == Ending(exit: .status(0), lastLine: "}"))
        let listed = "adtop-scte35/1  \(folder.file("good.json"))#n"
        #expect(try await run(folder.path, "--list") == Ending(exit: .status(0), lastLine: listed))
        try folder.write(message("truncated"), to: "bad.json")
        #expect(try await run(folder.path) == Ending(exit: .status(1), lastLine: "1 passed, 1 failed"))
        #expect(try await run("--nonsense").exit == .status(2))
        #expect(try await run().exit == .status(2))
        #expect(try await run(folder.file("none")) == Ending(exit: .status(4), lastLine: ""))
        try folder.write("text", to: "empty/notes.txt")
        let nothing = Ending(exit: .status(4), lastLine: "0 passed, 0 failed, 1 skipped")
        #expect(try await run(folder.file("empty")) == nothing)
    }

    /// Results that are lost must not look like success.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
    func aFullDiskBehindStandardOutputIsNamed() async throws {
        let folder = try TemporaryFolder()
        try folder.write(message("transport"), to: "good.json")
        for arguments in [[folder.path], [folder.path, "--json"], [folder.path, "--list"], ["--help"]] {
            let ending = try await ChildProcess(
                "/bin/sh",
                ["-c", "exec \"$@\" 2>&1 >/dev/full", "sh", BuiltProduct.path("adtop-conformance")] + arguments,
                environment: ProcessInfo.processInfo.environment
            ).end()
            let text = String(decoding: ending.output, as: UTF8.self)
            let problem = "standard output: no space left on device; what was printed is incomplete"
            #expect(
                ending.exit == .status(5) && text == "adtop-conformance: \(problem)\n", "\(arguments) \(text)")
        }
    }

    @Test func whatAVectorSaysCannotReachTheTerminal() async throws {
        let folder = try TemporaryFolder()
        try folder.write(message("\\u001b[2J\\u202e"), to: "a.json")
        let ending = try await run(folder.path)
        #expect(ending.exit == .status(1) && !ending.lastLine.contains("\u{1B}"))
    }
}
