import DemoOrigin
import Foundation
import Ports
import TestSupport
import Testing

/// The real program on sessions in the form of Yospace (PRV-30 to PRV-33).
@Suite struct YospaceTests {
    /// What is due of the ads that records place is reported once, and nothing else.
    @Test(arguments: 1...3) func whatIsDueIsReportedOnce(_ half: Int) async throws {
        let origin = try await WatchedOrigin(.yospace)
        try await Task.sleep(for: .milliseconds(900 * half))
        let state = try TemporaryFolder()
        let document = DumpedSession(json: try await origin.open(["--for", "20s"], state: state.path).end().json())
        #expect(document["session"]?["provider"] == "yospace" && document.played.count == 1)
        // The ad in which the viewer joined has no first record, and breaks are asked for every 4 s.
        try await origin.expectDueOnce(
            in: document, margin: 6_000, joined: ["event=start", "event=impression"], mayLackFirst: true)
    }
}
