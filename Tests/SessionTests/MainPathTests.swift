import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// The path from the first request to the last beacon.
@Suite struct MainPathTests {
    static let twoBreaks = FakeOrigin(breaks: [
        .init(
            id: "b1",
            ads: [.init("a1", start: 80_000, duration: 10_000), .init("a2", start: 90_000, duration: 15_000)]),
        .init(id: "b2", ads: [.init("a3", start: 140_000, duration: 20_000)]),
    ])

    @Test func everyBeaconGoesOutOnce() throws {
        var session = try MonitorHarness(Self.twoBreaks)
        session.start()
        session.run(untilEdge: 200_000)
        #expect(session.urls.sorted() == Self.twoBreaks.plan)
        let snapshot = session.snapshot()
        #expect(snapshot.events.allSatisfy { $0.state == .done })
        #expect(snapshot.counters.beaconsSent == Self.twoBreaks.plan.count)
        #expect(snapshot.counters.beaconsAcknowledged == Self.twoBreaks.plan.count)
        #expect(snapshot.counters.events == [.done: Self.twoBreaks.plan.count])
        #expect(snapshot.counters.statusClasses == [2: Self.twoBreaks.plan.count])
        #expect(snapshot.errors.latest == nil)
    }

    /// One break begins where the other ends, and each answer of playlist and metadata takes as long as it likes.
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func breaksThatMeetLoseNothingToSlowAnswers(seed: UInt64) throws {
        let stream = FakeOrigin(breaks: [
            .init(
                id: "b1",
                ads: [.init("a1", start: 80_000, duration: 10_000), .init("a2", start: 90_000, duration: 14_000)]),
            .init(
                id: "b2",
                ads: [.init("a3", start: 104_000, duration: 20_000), .init("a4", start: 124_000, duration: 9_000)]),
        ])
        var origin = stream
        origin.override = { request, now, count in
            let isMetadata = request.url.path.hasSuffix("/metadata")
            guard isMetadata || request.url.path.hasSuffix("/high.m3u8") else { return nil }
            var random = SplitMix64(seed: seed &* 1_000 &+ UInt64(count) &* 2 &+ (isMetadata ? 1 : 0))
            var reply = stream.reply(to: request, at: now, count: count)
            reply.delay = .milliseconds(Int64(random.next() % (isMetadata ? 6_000 : 3_000)))
            return reply
        }
        var session = try MonitorHarness.ran(origin)
        #expect(session.urls.sorted() == stream.plan, "seed \(seed)")
        #expect(session.snapshot().events.allSatisfy { $0.state == .done })
    }

    /// However often the screen is drawn meanwhile: where playback began is known after the join.
    @Test func aBreakBeforeTheJoinIsShownAsOne() throws {
        let origin = FakeOrigin(breaks: [.init(id: "b0", ads: [.init("a0", start: 30_000, duration: 10_000)])])
        var session = try MonitorHarness(origin)
        session.start()
        for _ in 0..<200 {
            session.run(for: .milliseconds(100))
            _ = session.snapshot()
        }
        let events = session.snapshot().breaks.flatMap(\.ads).flatMap(\.events).filter { $0.reason == .seekedOver }
        #expect(!events.isEmpty && events.allSatisfy(\.isBeforeJoin))
    }

    @Test func beaconsGoOutWhenThePlayheadIsThere() throws {
        var session = try MonitorHarness(Self.twoBreaks)
        session.start()
        session.run(for: .seconds(2))
        let joined = session.snapshot().playhead
        let latency = try #require(joined.latency)
        session.run(untilEdge: 200_000)
        for receipt in session.receipts {
            let event = try #require(session.snapshot().events.first { $0.urls.first?.url == receipt.url })
            let due = event.start + latency
            let late = receipt.at.wall - due
            #expect(late >= .zero && late <= .milliseconds(5), "\(receipt.url) \(late)")
        }
    }

    /// The metadata arrives before the playlist: what the viewer joins in the middle of does not wait for another event or a poll (TRK-12).
    @Test(arguments: [Int64(40_000), 46_500, 47_900])
    func whatLastsAtTheJoinIsSentAtOnce(from start: Int64) throws {
        let ad = FakeOrigin.Ad("a1", start: start, duration: 40_000)
        var session = try MonitorHarness(FakeOrigin(breaks: [.init(id: "b1", ads: [ad])]))
        session.start()
        session.run(for: .milliseconds(250))
        #expect(session.snapshot().counters.metadataPolls == 1)
        #expect(session.urls == [FakeOrigin.beacon("a1", "impression")])
        let wakes = session.wakes
        session.run(for: .milliseconds(500))
        #expect(session.wakes - wakes <= 3, "\(session.wakes - wakes)")
    }

    @Test func theSnapshotDescribesTheSession() throws {
        var session = try MonitorHarness(Self.twoBreaks)
        #expect(session.snapshot().session.phase == .starting)
        session.start()
        session.run(for: .seconds(2))
        let snapshot = session.snapshot()
        #expect(snapshot.session.manifestURL == "http://127.0.0.1:8080/s/index.m3u8?sessid=S1")
        #expect(snapshot.session.metadataURL == "http://127.0.0.1:8080/s/metadata?sessid=S1")
        #expect(snapshot.session.initPath == "get")
        #expect(snapshot.session.sessionID == "S1")
        #expect(snapshot.session.provider == "harmonic")
        #expect(snapshot.session.mode == .fire)
        #expect(snapshot.session.phase == .running)
        #expect(snapshot.session.playlistHealth.state == .good)
        #expect(snapshot.session.metadataHealth.status == 200)
        #expect(snapshot.playlist.kind == .live)
        #expect(snapshot.playlist.url == "http://127.0.0.1:8080/s/high.m3u8")
        #expect(snapshot.playlist.bandwidth == 2_400_000)
        #expect(snapshot.playlist.variantCount == 2)
        #expect(snapshot.playhead.state == .playing)
        #expect(snapshot.playhead.latency.map { $0 >= .seconds(12) && $0 < .seconds(17) } == true)
    }

    @Test func theLogShowsTheMainEvents() throws {
        var session = try MonitorHarness(Self.twoBreaks)
        session.start()
        session.run(untilEdge: 200_000)
        let log = session.log
        #expect(
            log.contains { $0.hasPrefix("info: session opened with GET: manifest http://127.0.0.1:8080/s/index.m3u8") })
        #expect(log.contains("info: metadata poll 200 20ms 1 break, +1 new (B1), +2 ads"))
        #expect(log.contains("info: break B1 started 25.0s 2 ads"))
        #expect(log.contains("info: ad B1/A2 a2 started"))
        #expect(log.contains("info: beacon midpoint B1/A1 200 20ms"))
        #expect(log.contains("info: break B1 ended"))
        #expect(!log.contains { $0.hasPrefix("error") || $0.hasPrefix("warning") })
    }

    @Test func nothingWakesWithoutNeed() throws {
        var session = try MonitorHarness(FakeOrigin())
        session.start()
        session.run(for: .seconds(10))
        let before = session.wakes
        session.run(for: .seconds(60))
        // A reload every 4 s and a poll every 4 s, each with its answer: no more requests than the two intervals allow.
        #expect(session.wakes - before <= 32)
        #expect(session.wakes - before >= 28)
    }

    @Test func aFinishedStreamSleeps() throws {
        var session = try MonitorHarness(FakeOrigin(hasSession: false, vodDuration: 40_000)) { $0.provider = .none }
        session.start()
        session.run(for: .seconds(60))
        #expect(session.snapshot().playhead.state == .ended)
        #expect(session.snapshot().session.phase == .ended)
        let before = session.wakes
        session.run(for: .seconds(3_600))
        #expect(session.wakes == before)
    }

    /// TRK-26 X4 and the aggregate of TRK-13.
    @Test func oneURLOfTwoFails() throws {
        var origin = Self.twoBreaks
        origin.breaks[0].ads[0].events[1].urls = [FakeOrigin.beacon("a1", "start"), FakeOrigin.base + "/bad/b"]
        origin.override = { request, _, _ in request.url.path == "/bad/b" ? FakeOrigin.status(404, request) : nil }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 120_000)
        let event = try #require(session.snapshot().event("start", ad: "a1"))
        #expect(event.state == .partial)
        #expect(event.urls.map(\.state) == [.acknowledged, .rejected])
        #expect(event.urls[1].attempts.map { $0.exchange?.status } == [404])
        #expect(session.urls.filter { $0.contains("/bad/b") }.count == 1)
        #expect(session.snapshot().errors.byKind[.beacon]?.message == "beacon start B1/A1 404 20ms: failed")
    }

    /// TRK-26 X13.
    @Test func clickThroughIsNeverRequested() throws {
        var session = try MonitorHarness(Self.twoBreaks)
        session.start()
        session.run(untilEdge: 200_000)
        #expect(!session.requested.contains { $0.contains("/landing") })
        #expect(session.snapshot().breaks[0].ads[0].clickThrough == FakeOrigin.base + "/landing?ad=a1")
    }

    @Test func joiningInTheMiddleReportsTheSpanAndLaterEvents() throws {
        var session = try MonitorHarness(Self.twoBreaks, joinAt: 110_000)
        session.start()
        session.run(untilEdge: 150_000)
        let events = try #require(session.snapshot().breaks.first?.ads.last?.events)
        let states = Dictionary(uniqueKeysWithValues: events.map { ($0.event, $0.state) })
        // The viewer joins 12 s behind an edge at 108 s: the second ad has been on air for 6 s.
        #expect(states["impression"] == .done)
        #expect(states["start"] == .skipped)
        #expect(states["midpoint"] == .done)
        #expect(states["complete"] == .done)
    }
}
