import AdTracking
import Monitoring
import Ports
import Testing

/// A session whose playlist was rejected from the start is replaced; one that has played is not.
@Suite struct SessionRenewalTests {
    /// The first initialisation names a session, D, whose playlist is answered with `status`; later ones name S1.
    private static func origin(deadAnswers status: Int) -> FakeOrigin {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, count in
            let query = request.url.query ?? ""
            if query.contains("initSession=true"), count == 0 {
                let addresses = #"{"manifestUrl":"/d/index.m3u8?sessid=D","trackingUrl":"/d/metadata?sessid=D"}"#
                return FakeOrigin.text(addresses, type: "application/json", of: request)
            }
            return request.url.path == "/d/index.m3u8" ? FakeOrigin.status(status, request) : nil
        }
        return origin
    }

    @Test(arguments: [400, 403, 404, 410])
    func aRejectedSessionIsReplaced(_ status: Int) throws {
        var session = try MonitorHarness(Self.origin(deadAnswers: status))
        session.start()
        session.run(for: .seconds(10))
        #expect(session.snapshot().session.sessionID == "D")
        // Metadata of the dead session arrived: it is discarded with the session.
        #expect(session.snapshot().counters.metadataPolls > 0)
        session.run(untilEdge: 240_000)
        let snapshot = session.snapshot()
        #expect(snapshot.session.sessionID == "S1")
        #expect(snapshot.session.phase == .running)
        #expect(session.log.contains("error: the session's playlist answered \(status): requesting a new session"))
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
        #expect(snapshot.counters.events == [.done: 18])
        #expect(session.journal.allSatisfy { $0.beacon.session.hasSuffix(" S1") && $0.outcome == "acknowledged" })
        #expect(session.journal.count == 18)
    }

    /// An overload or a bad gateway does not mean that the session is invalid.
    @Test(arguments: [429, 503])
    func anOverloadIsWaitedFor(_ status: Int) throws {
        var session = try MonitorHarness(Self.origin(deadAnswers: status))
        session.start()
        session.run(for: .seconds(120))
        #expect(session.snapshot().session.sessionID == "D")
    }

    @Test func aSessionThatPlayedIsKept() throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, now, _ in
            guard now.wall > FakeOrigin.start + .seconds(110), request.url.path.hasSuffix(".m3u8"),
                request.url.query?.contains("initSession") != true
            else { return nil }
            return FakeOrigin.status(404, request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 400_000)
        #expect(session.requested.count { $0.contains("initSession=true") } == 1)
        #expect(session.snapshot().session.sessionID == "S1")
    }

    /// The journal of the replaced session fails, and is reopened with the new session's.
    @Test func theJournalMayBreakOnTheWay() throws {
        var session = try MonitorHarness(Self.origin(deadAnswers: 404))
        session.journalFails = "journal: disk full"
        session.start()
        session.run(for: .seconds(33))
        session.journalFails = nil
        session.run(untilEdge: 240_000)
        #expect(session.snapshot().session.sessionID == "S1")
        #expect(session.snapshot().session.mode == .fire)
        #expect(session.urls.count == Set(session.urls).count)
        #expect(Set(session.journal.map(\.beacon.url)).isSuperset(of: session.urls))
        #expect(session.urls.contains(FakeOrigin.beacon("a3", "complete")))
    }
}
