import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// Breaks that the metadata does not list any more when the viewer comes to them.
@Suite struct WithdrawnBreakTests {
    /// A session whose metadata lists its break at 80 s only until the edge is at 84 s, before the viewer is there.
    private static func session(isUserDriven: Bool = false) throws -> MonitorHarness {
        let ad = FakeOrigin.Ad("a1", start: 80_000, duration: 10_000, isUserDriven: isUserDriven)
        var origin = FakeOrigin(breaks: [FakeOrigin.Break(id: "b1", ads: [ad])])
        let stream = origin
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("/metadata") else { return nil }
            let edge = (now.wall - FakeOrigin.start).inMilliseconds
            let text = stream.document(edge < 84_000 ? stream.breaks : [], from: edge - 600_000, to: edge + 60_000)
            return FakeOrigin.text(text, type: "application/json", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        return session
    }

    private static func events(_ session: inout MonitorHarness) -> [EventView] {
        session.snapshot().breaks.flatMap(\.ads).flatMap(\.events)
    }

    /// Idle is only what can still be sent.
    @Test func theirEventsAreNotIdleOnceTheViewerHasPassed() throws {
        var session = try Self.session()
        session.run(untilEdge: 90_000)
        let before = Self.events(&session)
        #expect(before.map(\.reason) == Array(repeating: .notReached, count: 6))
        #expect(session.snapshot().breaks.map(\.hasVanished) == [true])
        session.run(untilEdge: 130_000)
        let after = Self.events(&session)
        #expect(after.map(\.state) == Array(repeating: .skipped, count: 6))
        #expect(after.map(\.reason) == Array(repeating: .noMetadataInTime, count: 6))
        #expect(after.allSatisfy { $0.isWithdrawn })
        #expect(after.map(\.reasonWords) == Array(repeating: .withdrawn, count: 6))
        #expect(session.snapshot().counters.events[.idle, default: 0] == 0)
        #expect(session.urls.isEmpty)
    }

    /// They are looked at between, too.
    @Test func snapshotsMeanwhileDoNotKeepThemIdle() throws {
        var session = try Self.session(isUserDriven: true)
        for edge in stride(from: Int64(86_000), through: 130_000, by: 700) {
            session.run(untilEdge: edge)
            _ = session.snapshot()
        }
        #expect(Self.events(&session).allSatisfy { $0.state == .skipped })
    }
}
