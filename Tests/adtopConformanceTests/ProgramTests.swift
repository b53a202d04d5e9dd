import Foundation
import TestSupport
import Testing

/// The built program: its output and its exit code.
@Suite struct ProgramTests {
    private struct Ending: Equatable {
        var status: Int32
        var lastLine: String
    }

    private func run(_ arguments: String...) throws -> Ending {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: BuiltProduct.path("adtop-conformance"))
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Ending(
            status: process.terminationStatus, lastLine: text.split(separator: "\n").last.map(String.init) ?? "")
    }

    private func message(_ error: String) -> String {
        #"{"schema": "adtop-scte35/1", "vectors": [{"name": "n", "input": "x", "expect": null, "error": "\#(error)"}]}"#
    }

    @Test func itsCodesAreThoseOfItsHelp() throws {
        let folder = try TemporaryFolder()
        try folder.write(message("transport"), to: "good.json")
        #expect(try run(folder.path) == Ending(status: 0, lastLine: "1 passed, 0 failed"))
        #expect(try run(folder.file("good.json"), "--json") == Ending(status: 0, lastLine: "}"))
        let listed = "adtop-scte35/1  \(folder.file("good.json"))#n"
        #expect(try run(folder.path, "--list") == Ending(status: 0, lastLine: listed))
        try folder.write(message("truncated"), to: "bad.json")
        #expect(try run(folder.path) == Ending(status: 1, lastLine: "1 passed, 1 failed"))
        #expect(try run("--nonsense").status == 2)
        #expect(try run().status == 2)
        #expect(try run(folder.file("none")) == Ending(status: 4, lastLine: ""))
        try folder.write("text", to: "empty/notes.txt")
        #expect(try run(folder.file("empty")) == Ending(status: 4, lastLine: "0 passed, 0 failed, 1 skipped"))
    }

    /// Results that are lost must not look like success.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
    func aFullDiskBehindStandardOutputIsNamed() throws {
        let folder = try TemporaryFolder()
        try folder.write(message("transport"), to: "good.json")
        for arguments in [[folder.path], [folder.path, "--json"], [folder.path, "--list"], ["--help"]] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments =
                ["-c", "exec \"$@\" 2>&1 >/dev/full", "sh", BuiltProduct.path("adtop-conformance")] + arguments
            let errors = Pipe()
            process.standardOutput = errors
            try process.run()
            let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            let problem = "standard output: no space left on device; what was printed is incomplete"
            #expect(process.terminationStatus == 2 && text == "adtop-conformance: \(problem)\n", "\(arguments) \(text)")
        }
    }

    @Test func whatAVectorSaysCannotReachTheTerminal() throws {
        let folder = try TemporaryFolder()
        try folder.write(message("\\u001b[2J\\u202e"), to: "a.json")
        let ending = try run(folder.path)
        #expect(ending.status == 1 && !ending.lastLine.contains("\u{1B}"))
    }
}
