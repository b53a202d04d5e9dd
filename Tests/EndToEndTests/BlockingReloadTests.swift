import DemoOrigin
import Foundation
import Ports
import TestSupport
import Testing

/// `--timeout` beside reloads that the server holds (docs/connect.md, Limits).
@Suite struct BlockingReloadTests {
    /// The server holds a reload for longer than the time limit of a request, which gets the hold on top.
    @Test func aShortTimeoutDoesNotEndAReloadThatTheServerHolds() async throws {
        let folder = try TemporaryFolder()
        let run = try await AdtopProcess.run(
            [
                "demo", "--scenario", "low-latency", "--timeout", "100ms", "--for", "6s", "--dump", "--format", "json",
                "--no-journal",
            ], state: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let session = DumpedSession(json: try run.json())
        let playlist = try #require(session["playlist"])
        #expect(playlist["delivery"]?["blocking"] == true)
        // A reload that waits for the next part takes about as long as a part, which is longer than the limit.
        #expect((playlist["delivery"]?["partTargetMs"]?.integerValue ?? 0) > 200)
        #expect((playlist["reloads"]?.integerValue ?? 0) > 5, "\(playlist["reloads"] as Any)")
        // Other requests may fail on a busy machine: for them the limit is short.
        let failures = session.log.filter { $0.hasPrefix("playlist") && $0.contains("no answer within") }
        #expect(failures.isEmpty, "\(failures)")
    }
}
