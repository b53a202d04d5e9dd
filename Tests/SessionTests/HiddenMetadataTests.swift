import Ports
import TestSupport
import Testing

@testable import Session

/// A break that metadata does not list while it is played: its beacons are sent when it is listed again, and only what can be
/// sent no more is a finding (TRK-11, L62).
@Suite struct HiddenMetadataTests {
    /// A break of 20 s whose viewer is 12 s behind the live edge; metadata lists it, and from media time 86 s on
    /// without its second ad.
    private static func session(hiddenUntil end: Int64) throws -> MonitorHarness {
        var origin = FakeOrigin(breaks: [
            .init(
                id: "b1",
                ads: [.init("a1", start: 80_000, duration: 8_000), .init("a2", start: 88_000, duration: 12_000)])
        ])
        let listed = origin
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("/metadata") else { return nil }
            let edge = (now.wall - FakeOrigin.start).inMilliseconds
            var breaks = edge < 80_000 ? [] : listed.breaks
            if 86_000..<end ~= edge { for index in breaks.indices { breaks[index].ads.removeLast() } }
            // Metadata keeps a minute.
            let document = listed.document(breaks, from: edge - 60_000, to: edge)
            return FakeOrigin.text(document, type: "application/json", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        return session
    }

    private static func unsent(_ session: MonitorHarness) -> [String] {
        session.log.filter { $0.contains("L62") || $0.contains("was not sent") }
    }

    @Test func whatReturnsIsSentAndNoFinding() throws {
        var session = try Self.session(hiddenUntil: 116_000)
        session.run(untilEdge: 115_000)
        // The viewer has left the break, which is still away.
        #expect(session.log.contains { $0.contains("break") && $0.hasSuffix(" ended") })
        #expect(session.urls.count < session.origin.plan.count)
        session.run(untilEdge: 300_000)
        session.submit(.stopped)
        #expect(session.urls.sorted() == session.origin.plan)
        #expect(Self.unsent(session) == [])
    }

    @Test func whatStaysAwayIsOneFinding() throws {
        var session = try Self.session(hiddenUntil: .max)
        session.run(untilEdge: 140_000)
        #expect(session.urls.count == 6 && Self.unsent(session) == [])
        session.run(untilEdge: 300_000)
        let findings = Self.unsent(session)
        #expect(findings == ["error: impression of ad a2 was not sent: withdrawn (L62)"])
        session.submit(.stopped)
        #expect(Self.unsent(session) == findings)
    }
}
