import DemoOrigin
import Foundation
import OriginServer
import Ports
import TestSupport
import Testing

/// The embedded origin with a break every half minute, and programs that watch one session of it.
struct WatchedOrigin {
    private let server: DemoServer
    let url: String

    init() async throws {
        let scenario = try #require(try BuiltinScenarios.load("rush")).scenario
        server = DemoServer(.init(scenario: scenario), clock: { Int64(Date().timeIntervalSince1970 * 1_000) })
        url = "\(try await server.start().streamURL)?sessid=0123456789abcdef"
    }

    /// What the collector got, in order.
    var receipts: [String] { server.receipts.map(\.target) }

    func stop() async { await server.stop() }

    /// Starts a program that dumps JSON at its end; `through` is a command that starts it.
    func watch(
        _ arguments: [String], state: String, through command: [String] = [], environment: [String: String] = [:]
    ) throws -> Process {
        let all =
            command + [
                BuiltProduct.path("adtop"), url, "--no-init-request", "--dump", "--format", "json", "--unredacted",
            ]
            + arguments
        let process = Process()
        process.executableURL = URL(fileURLWithPath: all[0])
        process.arguments = Array(all.dropFirst())
        process.environment = ["XDG_STATE_HOME": state, "HOME": "/tmp", "PATH": "/usr/sbin:/usr/bin:/bin"]
            .merging(environment) { $1 }
        process.standardOutput = Pipe()
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// What a program printed when it ended. On a thread of its own: a blocked thread of the shared pool could be the one
    /// that the server needs.
    func document(of process: Process) async throws -> JSONValue {
        let output = try #require(process.standardOutput as? Pipe).fileHandleForReading
        let data = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: output.readDataToEndOfFile()) }
        }
        process.waitUntilExit()
        return try JSONReader.read(Array(data))
    }

    /// Runs one to its end.
    func dump(_ arguments: [String], state: String, through command: [String] = []) async throws -> JSONValue {
        try await document(of: watch(arguments, state: state, through: command))
    }

    /// The collector wakes nobody, so this yields to the server until it has enough.
    func waitForReceipts(_ count: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while receipts.count < count {
            try #require(ContinuousClock.now < deadline, "no beacon came")
            await Task.yield()
        }
    }
}
