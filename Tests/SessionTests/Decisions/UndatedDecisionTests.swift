import AdTracking
import Ports
import TestSupport
import Testing

@testable import Session

/// Live streams without dates whose ads are requested at their markers: a marker has a position, and that is a place (HLS-15).
@Suite struct UndatedDecisionTests {
    private static let server: AdServer = {
        var server = DecisionTests.server(DecisionTests.pod)
        server.hasDates = false
        return server
    }()

    /// The break at 68 s is reached 20 s after the viewer joined, as in a stream with dates. With `auto` the address of metadata is a guess.
    @Test(arguments: [ProviderSetting.none, .auto]) func aMarkedBreakIsFilledAndTracked(_ provider: ProviderSetting)
        throws
    {
        var session = try MonitorHarness(Self.server) { $0.provider = provider }
        session.start()
        session.run(for: .seconds(60))
        #expect(session.adRequests.count == 1)
        #expect(session.tracking == AdServer.beacons("a", "b"))
        #expect(session.errorsTold.isEmpty)
        let start = try #require(session.receipts.first).at.wall - FakeOrigin.start
        #expect((start - .seconds(80)).magnitude < .milliseconds(500), "\(start)")
        #expect(!session.snapshot().findings.contains { $0.finding.rule == "L46" })
    }

    /// Metadata in dates is seconds off in dates that are assumed. It turns up at an address that was a guess: nothing of it is
    /// due, and the finding says so.
    @Test func metadataInDatesHasNoPlace() throws {
        var origin = Self.server.origin()
        let stream = origin.override
        var ads = MainPathTests.twoBreaks
        ads.hasDates = false
        let document = ads.document(ads.breaks, from: 0, to: 1_000_000)
        origin.override = { request, now, count in
            guard request.url.path.hasSuffix("/metadata"), now.wall > FakeOrigin.start + .milliseconds(62_000) else {
                return stream?(request, now, count)
            }
            return FakeOrigin.text(document, type: "application/json", of: request)
        }
        var session = try MonitorHarness(origin) { $0.decision = .vast(tag: AdServer.tag) }
        session.start()
        session.run(untilEdge: 200_000)
        #expect(session.tracking == AdServer.beacons("a", "b") && session.urls.count == session.tracking.count)
        #expect(session.snapshot().findings.contains { $0.finding.rule == "L46" })
    }
}
