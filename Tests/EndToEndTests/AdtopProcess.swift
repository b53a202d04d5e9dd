import Foundation
import Ports
import TestSupport

/// The built program run to its end, without a terminal.
struct AdtopProcess {
    /// The exit code; -1 after a signal, whose number could be taken for a code.
    var status: Int32
    var output: String
    var errors: String

    /// On a thread of its own: a blocked thread of the shared pool could be the one that a server of the test needs.
    static func run(_ arguments: [String], input: String = "") async throws -> AdtopProcess {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try runHere(arguments, input: input) })
            }
        }
    }

    /// `input` is its standard input; no more than a pipe holds.
    private static func runHere(_ arguments: [String], input: String) throws -> AdtopProcess {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: BuiltProduct.path("adtop"))
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        let stdin = Pipe()
        process.standardInput = stdin
        stdin.fileHandleForWriting.write(Data(input.utf8))
        try stdin.fileHandleForWriting.close()
        try process.run()
        // Errors are one line, so only the output can fill its pipe.
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let message = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return AdtopProcess(
            status: process.terminationReason == .exit ? process.terminationStatus : -1,
            output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: message, as: UTF8.self))
    }

    /// The output as JSON.
    func json() throws -> JSONValue { try JSONReader.read(output) }
}
