import Foundation
import Ports
import TestSupport

/// The built program without a terminal, while it runs.
final class AdtopChild: Sendable {
    private let child: ChildProcess

    /// Starts it. `state` is where its journal goes, `command` a program that starts it, such as `unshare`, and `input` its
    /// standard input, no more than a pipe holds.
    init(
        _ arguments: [String], input: String = "", state: String? = nil, through command: [String] = [],
        environment: [String: String] = [:]
    ) throws {
        var variables = ["PATH": "/usr/sbin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
        if let state {
            variables["XDG_STATE_HOME"] = state
            variables["HOME"] = "/tmp"
        }
        let all = command + [BuiltProduct.path("adtop")] + arguments
        child = try ChildProcess(
            all[0], Array(all.dropFirst()), environment: variables.merging(environment) { $1 }, input: input)
    }

    /// Its number; that of `command` where one starts it.
    var pid: Int32 { child.pid }

    /// Sends it a signal.
    func signal(_ number: Int32) { child.kill(number) }

    /// Kills it and waits until it is gone.
    func kill() async throws {
        child.kill(SIGKILL)
        _ = try await child.end()
    }

    /// Waits until it has written a text to standard output; returns all that it has written.
    @discardableResult
    func expect(_ text: String) async throws -> String { try await child.expect(text) }

    /// Waits for its end.
    func end() async throws -> AdtopProcess { AdtopProcess(try await child.end()) }

    /// Interrupts a program that runs until it is interrupted, and gives what it wrote then.
    func interrupt() async throws -> AdtopProcess {
        child.kill(SIGINT)
        return try await end()
    }
}

/// The built program when it has ended.
struct AdtopProcess {
    /// The exit code; -1 after a signal, whose number could be taken for a code.
    var status: Int32
    var output: String
    var errors: String

    /// After an interrupt, as `adtop --help` says.
    static let interrupted: Int32 = 5

    init(_ ending: ChildProcess.Ending) {
        status = if case .status(let code) = ending.exit { code } else { -1 }
        output = String(decoding: ending.output, as: UTF8.self)
        errors = String(decoding: ending.errors, as: UTF8.self)
    }

    /// Runs it to its end.
    static func run(
        _ arguments: [String], input: String = "", state: String? = nil, through command: [String] = []
    ) async throws -> AdtopProcess {
        try await AdtopChild(arguments, input: input, state: state, through: command).end()
    }

    /// The output as JSON.
    func json() throws -> JSONValue { try JSONReader.read(output) }
}
