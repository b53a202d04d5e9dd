import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// A session that the server has ended is replaced, wherever in its life that happens.
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

    /// Answers initialisation `number` (from 1) with the session S`number`.
    private static func opened(_ number: Int, _ request: HTTPRequest) -> FakeOrigin.Reply {
        let addresses =
            #"{"manifestUrl":"/s\#(number)/index.m3u8?sessid=S\#(number)","#
            + #""trackingUrl":"/s\#(number)/metadata?sessid=S\#(number)"}"#
        return FakeOrigin.text(addresses, type: "application/json", of: request)
    }

    /// What a server refuses once the session is over.
    enum Refused: String, CaseIterable {
        case playlist, metadata, both

        func contains(_ path: String) -> Bool {
            switch self {
            case .playlist: path.hasSuffix(".m3u8")
            case .metadata: path.hasSuffix("/metadata")
            case .both: !path.hasSuffix("/b")
            }
        }
    }

    /// The session S1 is answered with `status` from `endsAt` (media time in milliseconds) on; S2 stays.
    private static func ending(
        _ refused: Refused, status: Int = 403, at endsAt: Int64 = 100_000, then: FakeOrigin = MainPathTests.twoBreaks
    ) -> FakeOrigin {
        var origin = then
        origin.override = { request, now, count in
            if request.url.query?.contains("initSession=true") == true { return opened(count + 1, request) }
            guard request.url.path.hasPrefix("/s1/"), now.wall >= FakeOrigin.start + .milliseconds(endsAt),
                refused.contains(request.url.path)
            else { return nil }
            return FakeOrigin.status(status, request)
        }
        return origin
    }

    private static func initialisations(_ session: MonitorHarness) -> Int {
        session.requested.count { $0.contains("initSession=true") }
    }

    @Test(arguments: [400, 401, 403, 404, 410])
    func aSessionRejectedFromTheStartIsReplaced(_ status: Int) throws {
        var session = try MonitorHarness(Self.origin(deadAnswers: status))
        session.start()
        session.run(for: .seconds(2))
        #expect(session.snapshot().session.sessionID == "D")
        // Metadata of the dead session arrived: it is discarded with the session.
        #expect(session.snapshot().counters.metadataPolls > 0)
        session.run(untilEdge: 240_000)
        let snapshot = session.snapshot()
        #expect(snapshot.session.sessionID == "S1")
        #expect(snapshot.session.phase == .running)
        #expect(
            session.log.contains(
                "error: session over: the playlist of the session answered \(status) 3 times in a row, "
                    + "requesting a new session"))
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
        #expect(snapshot.counters.events == [.done: 18])
        #expect(session.journal.allSatisfy { $0.beacon.session.hasSuffix(" S1") && $0.outcome == "acknowledged" })
        #expect(session.journal.count == 18)
    }

    /// A page, an error in words or nothing at the address of the playlist: answers that no player can use.
    @Test(arguments: ["<html><body>Sign in</body></html>", #"{"error":"expired"}"#, ""])
    func aSessionThatNeverHasAPlaylistIsReplaced(_ body: String) throws {
        var origin = Self.origin(deadAnswers: 200)
        let dead = origin.override
        origin.override = { request, now, count in
            guard request.url.path == "/d/index.m3u8" else { return dead?(request, now, count) }
            return FakeOrigin.text(body, type: "text/html", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 240_000)
        #expect(session.snapshot().session.sessionID == "S1")
        #expect(
            session.log.contains(
                "error: session over: the playlist of the session answered 200 without a playlist 3 times in a row, "
                    + "requesting a new session"))
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
    }

    /// Where a playlist was read, an answer without one is waited for: a cache may have served a page for a moment.
    @Test func aSessionWhosePlaylistIsAPageForATimeGoesOn() throws {
        var origin = MainPathTests.twoBreaks
        let page = FakeOrigin.start + .milliseconds(100_000)..<FakeOrigin.start + .milliseconds(118_000)
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix(".m3u8"), page.contains(now.wall) else { return nil }
            return FakeOrigin.text("<html></html>", type: "text/html", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 240_000)
        #expect(session.snapshot().session.renewals == 0)
        #expect(Self.initialisations(session) == 1)
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
    }

    /// An overload or a bad gateway does not mean that the session is invalid.
    @Test(arguments: [429, 503])
    func anOverloadIsWaitedFor(_ status: Int) throws {
        var session = try MonitorHarness(Self.origin(deadAnswers: status))
        session.start()
        session.run(for: .seconds(120))
        #expect(session.snapshot().session.sessionID == "D")
    }

    /// Every beacon is sent once, by the old session or by the new one.
    @Test(arguments: Refused.allCases, [400, 401, 403, 404, 410])
    func aSessionThatEndsInMidStreamIsReplaced(_ refused: Refused, status: Int) throws {
        var session = try MonitorHarness(Self.ending(refused, status: status))
        session.start()
        session.run(untilEdge: 240_000)
        let snapshot = session.snapshot()
        #expect(Self.initialisations(session) == 2)
        #expect(snapshot.session.sessionID == "S2")
        #expect(snapshot.session.phase == .running)
        #expect(snapshot.session.renewals == 1)
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
        #expect(session.journal.allSatisfy { $0.outcome == "acknowledged" })
        #expect(Set(session.journal.map { String($0.beacon.session.suffix(2)) }) == ["S1", "S2"])
        let feed = refused == .metadata ? "metadata" : "playlist"
        let finding = snapshot.findings.first { $0.finding.rule == "L53" }
        #expect(finding?.finding.severity == .error)
        if refused != .both {
            #expect(finding?.finding.message.contains("the \(feed) of the session answered \(status)") == true)
        }
        #expect(session.log.contains { $0.hasPrefix("info: session renewed, opened with GET: manifest ") })
    }

    /// At every moment of the stream: in a break, between two, before the first. A break that was first listed when the
    /// metadata was refused already is reported from where the new session continues.
    @Test(arguments: Array(stride(from: Int64(61_000), through: 150_000, by: 7_000)))
    func nothingIsSentTwiceWheneverTheSessionEnds(_ endsAt: Int64) throws {
        for refused in Refused.allCases {
            var session = try MonitorHarness(Self.ending(refused, at: endsAt))
            session.start()
            while session.snapshot().session.sessionID != "S2", session.now.uptime < .seconds(1_300) {
                session.run(for: .seconds(1))
            }
            let rejoined = try #require(session.snapshot().playhead.date)
            session.run(for: .seconds(200))
            let unlisted = MainPathTests.twoBreaks.breaks.filter { refused == .metadata && $0.start > endsAt }
            let missed = unlisted.flatMap(\.ads).flatMap { ad in
                ad.events.filter { FakeOrigin.start + .milliseconds(ad.start + $0.offset) < rejoined }
            }
            let plan = Set(MainPathTests.twoBreaks.plan)
            #expect(session.urls.count == Set(session.urls).count, "\(refused)")
            #expect(plan.subtracting(missed.flatMap(\.urls)).isSubset(of: session.urls), "\(refused)")
        }
    }

    /// The new session waits for the answers to beacons in flight, and the viewer with it.
    @Test func theViewerHoldsThePictureUntilTheNextSession() throws {
        var held = 0
        for endsAt in stride(from: Int64(61_000), through: 103_000, by: 7_000) {
            var origin = Self.ending(.metadata, at: endsAt)
            let ending = origin.override
            origin.override = { request, now, count in
                guard request.url.path.hasSuffix("/b") else { return ending?(request, now, count) }
                var reply = FakeOrigin.text("", type: "image/gif", of: request)
                reply.delay = .seconds(4)
                return reply
            }
            var session = try MonitorHarness(origin)
            session.start()
            session.run(for: .seconds(2))
            var last = try #require(session.snapshot().playhead.date)
            while session.snapshot().session.sessionID != "S2", session.now.uptime < .seconds(1_300) {
                session.run(for: .milliseconds(250))
                // Without a playlist the new session has no position.
                guard let date = session.snapshot().playhead.date else { continue }
                #expect(date >= last, "back by \((last - date).inMilliseconds) ms")
                if date == last { held += 1 }
                last = date
            }
            session.run(for: .seconds(20))
            #expect(try #require(session.snapshot().playhead.date) > last)
            #expect(session.urls.count == Set(session.urls).count)
        }
        #expect(held > 0)
    }

    /// One that answers in the meantime is no reason: the refusals must follow each other.
    @Test func refusalsWithGoodAnswersBetweenThemProveNothing() throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, now, count in
            guard request.url.path.hasSuffix("high.m3u8"), !count.isMultiple(of: 3) else { return nil }
            return FakeOrigin.status(404, request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 240_000)
        #expect(Self.initialisations(session) == 1)
    }

    /// Nor does an outage, however long it is.
    @Test(arguments: [500, 502, 503, 429, 0])
    func anOutageInMidStreamDoesNotEndTheSession(_ status: Int) throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, now, _ in
            guard now.wall > FakeOrigin.start + .seconds(100), now.wall < FakeOrigin.start + .seconds(180),
                request.url.path.hasPrefix("/s/")
            else { return nil }
            return status == 0 ? FakeOrigin.failure(.timeout, "timed out") : FakeOrigin.status(status, request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 300_000)
        #expect(Self.initialisations(session) == 1)
        #expect(session.snapshot().session.phase == .running)
    }

    /// The address was damaged on its way: another path, or a host that does not exist.
    @Test(arguments: ["/x1/metadata?sessid=S1", "http://nowhere.invalid/metadata?sessid=S1"])
    func aDamagedMetadataAddressIsReplaced(_ address: String) throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, count in
            if request.url.query?.contains("initSession=true") == true, count == 0 {
                let addresses = #"{"manifestUrl":"/s1/index.m3u8?sessid=S1","trackingUrl":"\#(address)"}"#
                return FakeOrigin.text(addresses, type: "application/json", of: request)
            }
            if request.url.host == "nowhere.invalid" { return FakeOrigin.failure(.resolve, "host is unknown") }
            return request.url.path.hasPrefix("/x1/") ? FakeOrigin.status(404, request) : nil
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 240_000)
        #expect(Self.initialisations(session) == 2)
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
    }

    /// A server that opens sessions and refuses all of them is asked less and less.
    @Test(arguments: Refused.allCases) func aServerThatRefusesEverythingIsNotHammered(_ refused: Refused) throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, count in
            if request.url.query?.contains("initSession=true") == true { return Self.opened(count + 1, request) }
            return refused.contains(request.url.path) ? FakeOrigin.status(403, request) : nil
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(600))
        #expect((5...10).contains(Self.initialisations(session)), "\(Self.initialisations(session)) in ten minutes")
        session.run(for: .seconds(3_600))
        #expect((15...24).contains(Self.initialisations(session)), "\(Self.initialisations(session)) in 70 minutes")
        // Each session costs three refused requests of a feed, and of the other until then.
        let refusedRequests = session.requested.count { !$0.contains("initSession") && refused.contains(Self.path($0)) }
        #expect(refusedRequests <= 8 * Self.initialisations(session))
        #expect(session.urls.count == Set(session.urls).count)
    }

    /// Not even a session.
    @Test func aServerThatOpensNoSessionIsNotHammered() throws {
        var origin = Self.ending(.both)
        let ending = origin.override
        origin.override = { request, now, count in
            guard now.wall > FakeOrigin.start + .seconds(100) else { return ending?(request, now, count) }
            return FakeOrigin.status(403, request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(3_600))
        #expect(session.snapshot().session.phase == .over)
        #expect(session.requested.count { $0.contains("initSession") } < 24)
        let late = session.requested.count
        session.run(for: .seconds(600))
        // GET, POST and the manifest, every five minutes.
        #expect(session.requested.count - late <= 9)
        // It does recover.
        session.origin = MainPathTests.twoBreaks
        session.run(for: .seconds(320))
        #expect(session.snapshot().session.phase == .running)
    }

    /// A server that asks for time gets it before the next request for a session.
    @Test func theNextSessionWaitsAsLongAsTheServerAsks() throws {
        var origin = Self.ending(.both)
        let ending = origin.override
        origin.override = { request, now, count in
            guard now.wall > FakeOrigin.start + .seconds(100), request.url.path == "/live/index.m3u8" else {
                return ending?(request, now, count)
            }
            return FakeOrigin.status(503, request, fields: [HTTPField("Retry-After", "200")])
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 150_000)
        let before = session.requested.count { $0.contains("initSession") }
        #expect(before == 2)
        let next = try #require(session.snapshot().session.service?.next)
        #expect(next.reason == .renewal && next.at.map { $0.uptime > session.now.uptime } == true)
        session.run(for: .seconds(100))
        #expect(session.requested.count { $0.contains("initSession") } == before)
        session.run(for: .seconds(150))
        #expect(session.requested.count { $0.contains("initSession") } == before + 1)
    }

    /// A redirect to a plain playlist is not the session that was followed.
    @Test func aPlainPlaylistIsNoNewSession() throws {
        var origin = Self.ending(.both)
        let ending = origin.override
        origin.override = { request, now, count in
            guard now.wall > FakeOrigin.start + .seconds(100) else { return ending?(request, now, count) }
            let wantsSession = request.url.query?.contains("initSession") == true || request.method == .post
            return wantsSession || request.url.path.hasPrefix("/s1/") ? FakeOrigin.status(404, request) : nil
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(120))
        #expect(session.snapshot().session.phase == .over)
        #expect(session.snapshot().session.sessionID == "S1")
    }

    /// Without renewal the session stays over, and the server is left in peace.
    @Test(arguments: Refused.allCases) func withoutRenewalTheSessionStaysOver(_ refused: Refused) throws {
        var session = try MonitorHarness(Self.ending(refused)) { $0.renewal = .never }
        session.start()
        session.run(untilEdge: 130_000)
        #expect(session.snapshot().session.phase == .over)
        #expect(session.snapshot().session.metadataHealth.nextAttemptAt == nil)
        #expect(session.snapshot().session.service?.next == nil)
        let before = session.requested.count { refused.contains(Self.path($0)) }
        session.run(for: .seconds(3_600))
        #expect(session.requested.count { refused.contains(Self.path($0)) } == before)
        #expect(Self.initialisations(session) == 1)
        #expect(session.snapshot().findings.contains { $0.finding.rule == "L53" })
        #expect(session.log.contains { $0.contains("no new session is requested (--no-renew)") })
    }

    /// A stream at its own address has no session that could be replaced.
    @Test func aPlainStreamIsNotReplaced() throws {
        var origin = MainPathTests.twoBreaks
        origin.hasSession = false
        origin.override = { request, now, _ in
            guard now.wall > FakeOrigin.start + .seconds(100) else { return nil }
            return FakeOrigin.status(404, request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(600))
        #expect(Self.initialisations(session) == 1)
        #expect(session.snapshot().session.phase == .failing)
    }

    /// The same addresses again: the journal knows what was sent.
    @Test func aSessionThatIsNamedAgainSendsNothingTwice() throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, now, count in
            guard now.wall > FakeOrigin.start + .seconds(100), now.wall < FakeOrigin.start + .seconds(113),
                request.url.path.hasPrefix("/s/")
            else { return nil }
            return FakeOrigin.status(403, request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 240_000)
        #expect(Self.initialisations(session) > 1)
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
        #expect(session.snapshot().session.renewals == 0)
    }

    /// A server that rejects for ten minutes what it names again and again is asked less and less, and nothing is lost when
    /// it recovers.
    @Test func aSessionThatIsNamedAgainForTenMinutesLosesNothing() throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, now, _ in
            guard now.wall > FakeOrigin.start + .seconds(78), now.wall < FakeOrigin.start + .seconds(678),
                request.url.path.hasSuffix("/metadata")
            else { return nil }
            return FakeOrigin.status(404, request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 678_000)
        #expect((2...10).contains(Self.initialisations(session)))
        #expect(session.snapshot().session.phase == .failing)
        session.run(untilEdge: 800_000)
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
        #expect(session.snapshot().session.phase == .running)
    }

    /// A tracker that is slow when the session ends: its answer is awaited, so that the journal knows it.
    @Test func answersInFlightReachTheJournal() throws {
        var origin = Self.ending(.both, at: 100_000)
        let ending = origin.override
        origin.override = { request, now, count in
            guard request.url.path.hasSuffix("/b") else { return ending?(request, now, count) }
            var reply = FakeOrigin.text("", type: "image/gif", of: request)
            reply.delay = .milliseconds(4_500)
            return reply
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 240_000)
        #expect(session.urls.count == Set(session.urls).count)
        #expect(session.journal.allSatisfy { $0.outcome == "acknowledged" })
    }

    /// A tracker that never answers: the next session does not wait for it for ever, shows that the outcome is unknown, and sends
    /// nothing again. Every output counts these beacons, and none of them as failed.
    @Test func whatIsNotAnsweredBeforeTheNextSessionIsUnknown() throws {
        var origin = Self.ending(.both, at: 100_000)
        let ending = origin.override
        origin.override = { request, now, count in
            guard request.url.path.hasSuffix("/b"), now.wall >= FakeOrigin.start + .milliseconds(97_000),
                now.wall < FakeOrigin.start + .milliseconds(112_000)
            else { return ending?(request, now, count) }
            var reply = FakeOrigin.text("", type: "image/gif", of: request)
            reply.delay = .seconds(3_600)
            return reply
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 240_000)
        // The next session may be open before the tracker answers again: what that one sends is still awaited.
        let former = session.journal.filter { $0.beacon.session.hasSuffix("S1") }
        let lost = Set(former.filter { $0.outcome == nil }.map(\.beacon.url))
        #expect(!lost.isEmpty)
        #expect(session.urls.count == Set(session.urls).count)
        let snapshot = session.snapshot()
        #expect(snapshot.session.renewals == 1)
        let unknown = snapshot.events.filter { $0.state == .unknown }
        #expect(Set(unknown.flatMap(\.urls).map(\.url)).isSubset(of: lost) && !unknown.isEmpty)
        #expect(snapshot.counters.beaconsUnknown == lost.count && snapshot.counters.earlierUnknown == 0)
        #expect(snapshot.counters.beaconsFailed == 0)
        #expect(Verdict(snapshot).beacons.unknown == lost.count)
        #expect(snapshot.activity.hosts.reduce(0) { $0 + $1.unknown } == lost.count)
        #expect(session.health().recent.hour.contains(.unknown) && !session.health().recent.hour.contains(.failed))
        #expect(session.log.count { $0.hasSuffix("unknown: the session was over before its answer") } == lost.count)
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

    /// Another program locks the journal from the start, and the session ends before that can be opened: the next one opens it.
    @Test func theJournalMayBeLockedOnTheWay() throws {
        var session = try MonitorHarness(Self.ending(.both, at: 66_000))
        (session.journalFails, session.journalFailsAs) = ("journal: another program has locked it", .busy)
        session.start()
        session.run(for: .seconds(50))
        #expect(session.snapshot().session.sessionID == "S2")
        session.journalFails = nil
        session.run(untilEdge: 240_000)
        #expect(session.snapshot().session.mode == .fire)
        #expect(session.urls.contains(FakeOrigin.beacon("a3", "complete")))
        #expect(Set(session.journal.map(\.beacon.url)) == Set(session.urls))
    }

    /// A recording of a session that was replaced replays to the same screen.
    @Test(arguments: Refused.allCases) func aRecordingReplays(_ refused: Refused) throws {
        var session = try MonitorHarness(Self.ending(refused))
        session.start()
        session.run(untilEdge: 200_000)
        let recording = try session.recorded(.none)
        #expect(recording.configuration.renewal == .automatic)
        var replayed = MonitorState(recording.configuration)
        for input in recording.inputs { _ = replayed.apply(input.input, at: input.at) }
        let (live, again) = (session.snapshot(), replayed.snapshot(at: session.now))
        #expect(SnapshotJSON().value(of: again).text() == SnapshotJSON().value(of: live).text())
    }

    /// Earlier versions replaced only a session that never played: their recordings do as they did.
    @Test func aSessionOfAnEarlierRecordingIsKept() throws {
        var session = try MonitorHarness(Self.ending(.both)) { $0.renewal = nil }
        session.start()
        session.run(untilEdge: 400_000)
        #expect(Self.initialisations(session) == 1)
        #expect(session.snapshot().session.phase == .failing)
    }

    private static func path(_ url: String) -> String { (try? WebURL(url))?.path ?? "" }
}
