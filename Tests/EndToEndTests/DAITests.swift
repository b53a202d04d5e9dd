import DemoOrigin
import Foundation
import Ports
import TestSupport
import Testing

/// The real program on sessions in the form of Google DAI (PRV-44 to PRV-47).
@Suite struct DAITests {
    /// Each id of an event was verified once, and no other one: not those that only keep the connection alive.
    @Test(arguments: 1...4) func whatIsDueIsVerifiedOnce(_ half: Int) async throws {
        let origin = try await WatchedOrigin(.dai)
        try await Task.sleep(for: .milliseconds(900 * half))
        let state = try TemporaryFolder()
        let document = DumpedSession(json: try await origin.open(["--for", "26s"], state: state.path).end().json())
        #expect(document["session"]?["provider"] == "dai" && document.played.count == 1)
        // Metadata is asked for every 4 s, and a segment is read before that.
        try await origin.expectDueOnce(in: document, margin: 9_000, joined: [".start."])
        #expect(!origin.targets.contains { $0.contains(MediaIDText.keepAlive) })
    }

    /// With dai-ssb the service reports: there is nothing to request, and no segment is read.
    @Test func whatTheServiceReportsIsNotSent() async throws {
        let origin = try await WatchedOrigin(.dai) { $0.session.reporting = .service }
        let state = try TemporaryFolder()
        let run = try await origin.open(["--for", "6s"], state: state.path).end()
        await origin.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(origin.receipts == [])
    }
}

/// What only keeps the connection alive is named so in ids of the origin.
private enum MediaIDText {
    static let keepAlive = ".progress."
}
