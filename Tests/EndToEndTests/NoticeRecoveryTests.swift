import DemoOrigin
import Foundation
import OriginServer
import Ports
import ScriptedServers
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Notices of auctions leave at most once, also when the process dies before their answers come: the real program, its journal
/// and sockets.
@Suite(.serialized) struct NoticeRecoveryTests {
    @Test func whatWasToldBeforeAKillIsNotToldAgain() async throws {
        let scenario = try #require(try BuiltinScenarios.load("steady")).scenario
        let origin = DemoServer(.init(scenario: scenario), clock: { Int64(Date().timeIntervalSince1970 * 1_000) })
        let address = try await origin.start()
        // The win notice is answered, the billing notice never is.
        let bidder = try await ScriptedServer { request in
            request.line.contains("/win") ? [.answer("204 No Content")] : []
        }
        let folder = try TemporaryFolder()
        let auction = folder.path + "/auction.json"
        try Data(Self.document(bidder.port).utf8).write(to: URL(fileURLWithPath: auction))
        let url = "\(address.streamURL)?sessid=0123456789abcdef"

        let first = try start(url, auction, "120s", state: folder.path)
        let deadline = ContinuousClock.now + .seconds(60)
        while bidder.requests.count < 2 {
            try #require(ContinuousClock.now < deadline, "no notice came")
            try await Task.sleep(for: .milliseconds(5))
        }
        // The answer to the first must be in the journal before the end.
        try await Task.sleep(for: .milliseconds(500))
        kill(first.processIdentifier, SIGKILL)
        first.waitUntilExit()

        let second = try start(url, auction, "4s", state: folder.path)
        let document = await read(try #require(second.standardOutput as? Pipe).fileHandleForReading)
        second.waitUntilExit()
        await origin.stop()
        let lines = bidder.requests.map(\.line).sorted()
        try await bidder.stop()
        #expect(lines == ["GET /bill", "GET /win?p=1.2"])
        let notices = try JSONReader.read(Array(document))["auction"]?["notices"]?.arrayValue ?? []
        #expect(notices.map { $0["kind"]?.stringValue } == ["nurl", "burl"])
        #expect(notices.map { $0["state"]?.stringValue } == ["done", "unknown"])
        #expect(notices.allSatisfy { $0["earlier"] == true })
    }

    /// Recorded bids: both runs hold the same auction.
    private static func document(_ port: Int) -> String {
        """
        {"auctionId": "a", "placement": {"id": "top", "sizes": [[320, 50]]}, "events": ["display"],
         "rtb": [{"bidder": "one", "response": {"id": "a", "seatbid": [{"bid": [{"id": "b1", "impid": "1", "price": 1.2, "crid": "c",
          "adm": "x", "nurl": "http://127.0.0.1:\(port)/win?p=${AUCTION_PRICE}", "burl": "http://127.0.0.1:\(port)/bill"}]}]}}]}
        """
    }

    private func start(_ url: String, _ auction: String, _ span: String, state: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: BuiltProduct.path("adtop"))
        process.arguments = [
            url, "--no-init-request", "--auction", auction, "--fire", "--dump", "--format", "json", "--unredacted",
            "--for", span,
        ]
        process.environment = ["XDG_STATE_HOME": state, "HOME": state, "PATH": "/usr/bin:/bin"]
        process.standardOutput = Pipe()
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// On a thread of its own: a blocked thread of the shared pool could be the one the server needs.
    private func read(_ handle: FileHandle) async -> Data {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: handle.readDataToEndOfFile()) }
        }
    }
}
