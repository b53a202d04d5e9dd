import DemoOrigin
import Foundation
import OriginServer
import Ports
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// At most once, also when the process dies in the middle (TRK-26 X5), with the real program, journal and sockets.
@Suite(.serialized) struct CrashRecoveryTests {
    @Test func whatWasSentBeforeAKillIsNeverSentAgain() async throws {
        let scenario = try #require(try BuiltinScenarios.load("rush")).scenario
        let server = DemoServer(.init(scenario: scenario), clock: { Int64(Date().timeIntervalSince1970 * 1_000) })
        let address = try await server.start()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("adtop-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }

        // The same session both times: a new one would be another viewer with beacons of its own.
        let url = "\(address.streamURL)?sessid=0123456789abcdef"
        let first = try start(url, ["--for", "120s"], state: folder)
        try await waitForReceipts(2, at: server)
        kill(first.processIdentifier, SIGKILL)
        first.waitUntilExit()
        let sentBefore = Set(server.receipts.map(\.target))

        // The second viewer joins seconds later, inside the same ads, and runs past the end of that break.
        let second = try start(url, ["--until", "break-end", "--for", "120s"], state: folder)
        let output = try #require(second.standardOutput as? Pipe).fileHandleForReading
        let document = await read(output)
        second.waitUntilExit()
        await server.stop()

        #expect(second.terminationStatus == 0)
        #expect(server.receipts.filter(\.isDuplicate).isEmpty)
        #expect(server.receipts.count > sentBefore.count)
        // SQLite says itself that it took over what the killed process had written.
        let log = (try JSONReader.read(Array(document))["log"]?.arrayValue ?? []).compactMap {
            $0["message"]?.stringValue
        }
        #expect(log.contains { $0.hasPrefix("sqlite: recovered ") }, "\(log)")
        // What the first process may not have lived to see is unknown, the rest done; nothing of it is idle again.
        let urls = try urlStates(document)
        for target in sentBefore {
            let state = urls.first { $0.key.hasSuffix(target) }?.value
            #expect(["acknowledged", "unknown"].contains(state), "\(target): \(state ?? "missing")")
        }
    }

    private func start(_ url: String, _ arguments: [String], state: URL) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: BuiltProduct.path("adtop"))
        process.arguments = [url, "--no-init-request", "--dump", "--format", "json", "--unredacted"] + arguments
        process.environment = ["XDG_STATE_HOME": state.path, "HOME": state.path, "PATH": "/usr/bin:/bin"]
        process.standardOutput = Pipe()
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// The collector wakes nobody, so this yields to the server until it has enough.
    private func waitForReceipts(_ count: Int, at server: DemoServer) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while server.receipts.count < count {
            try #require(ContinuousClock.now < deadline, "no beacon came")
            await Task.yield()
        }
    }

    /// On a thread of its own: a blocked thread of the shared pool could be the one the server needs.
    private func read(_ handle: FileHandle) async -> Data {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: handle.readDataToEndOfFile()) }
        }
    }

    private func urlStates(_ document: Data) throws -> [String: String] {
        let value = try JSONReader.read(Array(document))
        var states: [String: String] = [:]
        for adBreak in value["breaks"]?.arrayValue ?? [] {
            for event in (adBreak["ads"]?.arrayValue ?? []).flatMap({ $0["events"]?.arrayValue ?? [] }) {
                for url in event["urls"]?.arrayValue ?? [] {
                    states[url["url"]?.stringValue ?? ""] = url["state"]?.stringValue ?? ""
                }
            }
        }
        return states
    }
}
