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

/// The real program is killed again and again while ads play, and nothing is counted twice. `make soak` does it 200 times
/// (`ADTOP_KILLS`).
@Suite(.serialized) struct KillTests {
    private static var kills: Int { ProcessInfo.processInfo.environment["ADTOP_KILLS"].flatMap { Int($0) } ?? 8 }

    @Test func killsAtAnyMomentDoubleNothing() async throws {
        let seed: UInt64 = 5
        print("seed \(seed), \(Self.kills) kills")
        var random = SplitMix64(seed: seed)
        let scenario = try #require(try BuiltinScenarios.load("rush")).scenario
        let server = DemoServer(.init(scenario: scenario), clock: { Int64(Date().timeIntervalSince1970 * 1_000) })
        let address = try await server.start()
        let folder = try TemporaryFolder()
        let url = "\(address.streamURL)?sessid=0123456789abcdef"

        var lives = 0
        for _ in 0..<Self.kills {
            let process = try start(url, ["--for", "600s"], state: folder.path)
            // Some beacons later, or in the middle of nothing, and then any few milliseconds after that.
            try await wait(
                forReceipts: server.receipts.count + Int(random.next() % 4), at: server,
                within: .milliseconds(400 + Int64(random.next() % 3_000)))
            try await Task.sleep(for: .microseconds(Int64(random.next() % 20_000)))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            lives += 1
            let twice = server.receipts.filter(\.isDuplicate)
            try #require(twice.isEmpty, "after \(lives) kills, seed \(seed): \(twice.map(\.target))")
        }

        // The last one lives on and still does its work.
        let before = server.receipts.count
        let last = try start(url, ["--until", "break-end", "--for", "120s"], state: folder.path)
        let output = try #require(last.standardOutput as? Pipe).fileHandleForReading
        let document = await Self.read(output)
        last.waitUntilExit()
        await server.stop()
        #expect(last.terminationStatus == 0)
        #expect(server.receipts.count > before)
        #expect(server.receipts.filter(\.isDuplicate).isEmpty)
        try expectEveryReceiptIsKnown(server.receipts, ofTheLivingFrom: before, in: document)
    }

    /// What was sent in the breaks that the last process still sees, by whichever process, it knows of: as acknowledged or,
    /// where nobody lived to see the answer, as unknown. Its own, from that one on, may still wait for their answer: the
    /// picture is of the moment in which the break ends.
    private func expectEveryReceiptIsKnown(
        _ receipts: [Receipt], ofTheLivingFrom living: Int, in document: Data
    ) throws {
        let value = try JSONReader.read(Array(document))
        var states: [String: String] = [:]
        for adBreak in value["breaks"]?.arrayValue ?? [] {
            for event in (adBreak["ads"]?.arrayValue ?? []).flatMap({ $0["events"]?.arrayValue ?? [] }) {
                for url in event["urls"]?.arrayValue ?? [] {
                    guard let text = url["url"]?.stringValue, let path = text.range(of: "/beacon/") else { continue }
                    states[String(text[path.lowerBound...])] = url["state"]?.stringValue
                }
            }
        }
        var known = 0
        for (index, receipt) in receipts.enumerated() {
            guard let state = states[receipt.target] else { continue }
            known += 1
            let isFine = ["acknowledged", "unknown"].contains(state) || (state == "sent" && index >= living)
            #expect(isFine, "\(receipt.target): \(state)")
        }
        #expect(known > 0)
    }

    private func start(_ url: String, _ arguments: [String], state: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: BuiltProduct.path("adtop"))
        process.arguments = [url, "--no-init-request", "--dump", "--format", "json", "--unredacted"] + arguments
        process.environment = ["XDG_STATE_HOME": state, "HOME": state, "PATH": "/usr/bin:/bin"]
        process.standardOutput = Pipe()
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Returns when there are so many receipts or the time is over. The collector wakes nobody, so it is asked.
    private func wait(forReceipts count: Int, at server: DemoServer, within limit: Duration) async throws {
        let deadline = ContinuousClock.now + limit
        let earliest = ContinuousClock.now + .milliseconds(300)
        while ContinuousClock.now < deadline, ContinuousClock.now < earliest || server.receipts.count < count {
            try await Task.sleep(for: .milliseconds(3))
        }
    }

    /// On a thread of its own: a blocked thread of the shared pool could be the one the server needs.
    private static func read(_ handle: FileHandle) async -> Data {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: handle.readDataToEndOfFile()) }
        }
    }
}
