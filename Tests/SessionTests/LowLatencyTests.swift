import Ports
import Session
import TestSupport
import Testing

/// Low latency in a session: blocking reload, delta updates, parts at the edge, and each fallback to plain polling.
@Suite struct LowLatencyTests {
    private static func reloads(_ session: MonitorHarness) -> [String] {
        session.requested.filter { $0.contains("high.m3u8") }
    }

    private static func rules(_ session: inout MonitorHarness) -> Set<String> {
        Set(session.snapshot().findings.map(\.finding.rule))
    }

    @Test func eachRequestWaitsForTheNextPart() throws {
        var session = try MonitorHarness(.lowLatency())
        session.start()
        session.run(for: .seconds(10))
        let reloads = Self.reloads(session)
        let asked = ["", "15&_HLS_part=0", "15&_HLS_part=1", "15&_HLS_part=2", "15&_HLS_part=3", "16&_HLS_part=0"].map {
            FakeOrigin.base + "/s/high.m3u8" + ($0.isEmpty ? "" : "?_HLS_msn=\($0)&_HLS_skip=YES")
        }
        #expect(Array(reloads.prefix(6)) == asked)
        let snapshot = session.snapshot()
        #expect(snapshot.playlist.delivery.isLowLatency && snapshot.playlist.delivery.isBlocking)
        #expect(snapshot.playlist.delivery.partTarget == .seconds(1))
        #expect(snapshot.playlist.delivery.deltaUpdates == reloads.count - 2, "the newest is in flight")
        #expect(snapshot.playlist.url == FakeOrigin.base + "/s/high.m3u8")
        #expect(snapshot.playlist.holdBack == .seconds(3))
        #expect(
            session.log.contains {
                $0.contains("target duration 4.0s, parts of 1.0s, blocking reload, delta updates")
            })
    }

    @Test func thePlayheadPlaysPartsCloseToTheEdge() throws {
        var session = try MonitorHarness(.lowLatency())
        session.start()
        for second in 0..<120 {
            session.run(for: .seconds(1))
            guard second > 2 else { continue }
            let playhead = session.snapshot().playhead
            let latency = try #require(playhead.latency)
            #expect(playhead.state == .playing)
            #expect(latency >= .seconds(3) && latency <= .seconds(4.2), "at second \(second): \(latency)")
        }
        #expect(session.urls.sorted() == session.origin.plan)
        #expect(Self.rules(&session).isDisjoint(with: ["stale-playlist", "http-error", "timeline-reset"]))
    }

    /// The viewer is at the end of a break before the playlist has the whole segment that follows (L43, L44).
    @Test(
        arguments: [
            ([35, 40], 20_000, []),
            ([35], 20_000, ["L43 break b2: 1 of 2 starts and ends of ads have no discontinuity"]),
            ([35, 40], 19_000, ["L44 ad a3: 20000 ms of media, 19000 ms in the metadata"]),
        ] as [(Set<Int64>, Int64, [String])])
    func theEndOfABreakIsComparedOnceItIsListed(seams: Set<Int64>, duration: Int64, findings: [String]) throws {
        for isLowLatency in [true, false] {
            var stream = LowLatencyStream()
            stream.seams = seams
            var origin = FakeOrigin.lowLatency(stream)
            origin.breaks[1] = .init(id: "b2", ads: [.init("a3", start: 140_000, duration: duration)])
            var session = try MonitorHarness(origin) { $0.following.prefersLowLatency = isLowLatency }
            session.start()
            session.run(untilEdge: 200_000)
            let found = session.snapshot().findings.filter { ["L43", "L44"].contains($0.finding.rule) }
            #expect(found.map { "\($0.finding.rule) \($0.finding.message)" } == findings)
            #expect(found.allSatisfy { $0.count == 1 }, "judged once")
        }
    }

    @Test func withoutLowLatencyNothingIsAskedFor() throws {
        var session = try MonitorHarness(.lowLatency()) { $0.following.prefersLowLatency = false }
        session.start()
        session.run(for: .seconds(60))
        #expect(Self.reloads(session).allSatisfy { !$0.contains("_HLS_") })
        #expect((13...18).contains(Self.reloads(session).count))
        #expect(session.snapshot().playlist.delivery.isLowLatency == false)
        #expect(session.snapshot().playlist.holdBack == .seconds(12))
    }

    @Test func aRejectedBlockingRequestMeansPlainPollingForAMinute() throws {
        var stream = LowLatencyStream()
        stream.refusal = 400
        var session = try MonitorHarness(.lowLatency(stream))
        session.start()
        session.run(for: .seconds(55))
        let finding = try #require(
            session.snapshot().findings.first { $0.finding.rule == "delivery-directive-refused" }?.finding)
        #expect(
            finding.message
                == "_HLS_msn=15&_HLS_part=0&_HLS_skip=YES was answered with 400; plain polling for 60 s")
        #expect(Self.reloads(session).filter { $0.contains("_HLS_") }.count == 1)
        #expect(session.snapshot().session.playlistHealth.state == .good)
        session.run(for: .seconds(20))
        #expect(Self.reloads(session).filter { $0.contains("_HLS_") }.count == 2, "the server may have been repaired")
        #expect(session.snapshot().playlist.segmentCount == 12)
    }

    /// A token may be for the whole address: with a query it is refused, and the stream is followed without one.
    @Test(arguments: [403, 404, 500]) func aServerThatRefusesTheQueryIsPolledPlainly(_ status: Int) throws {
        var stream = LowLatencyStream()
        stream.refusal = status
        var session = try MonitorHarness(.lowLatency(stream))
        session.start()
        session.run(for: .seconds(100))
        #expect(Self.rules(&session).contains("delivery-directive-refused"))
        #expect(Self.reloads(session).filter { $0.contains("_HLS_") }.count < 5)
        #expect(session.snapshot().session.playlistHealth.state == .good)
        #expect(!session.log.contains { $0.contains("session over") })
    }

    @Test func aStalledServerIsPolledPlainlyUntilItAdvances() throws {
        var stream = LowLatencyStream()
        stream.stopsAt = 80_000
        stream.goesOnAt = 110_000
        var origin = FakeOrigin.lowLatency(stream)
        let both = origin.override
        // With another variant it would be left.
        origin.override = { request, now, count in
            guard request.url.path == "/s/index.m3u8" else { return both?(request, now, count) }
            return FakeOrigin.text(
                "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2400000,RESOLUTION=1280x720\nhigh.m3u8\n",
                type: "application/vnd.apple.mpegurl", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 87_000)
        // Held since second 80: it counts as stale while the answer is still pending.
        #expect(Self.rules(&session).contains("stale-playlist"))
        #expect(session.snapshot().session.playlistHealth.state == .good)
        session.run(untilEdge: 109_000)
        #expect(Self.rules(&session).isSuperset(of: ["delivery-directive-refused", "playlist-stuck"]))
        #expect(session.snapshot().playhead.state == .stalled)
        #expect(Self.reloads(session).suffix(3).allSatisfy { !$0.contains("_HLS_msn") })
        session.run(untilEdge: 125_000)
        #expect(session.snapshot().playhead.state == .playing)
        #expect(session.snapshot().playlist.delivery.isBlocking)
    }

    @Test func aHeldRequestHoldsUpNothingElse() throws {
        var stream = LowLatencyStream()
        stream.stopsAt = 90_000
        stream.goesOnAt = 101_000
        var session = try MonitorHarness(.lowLatency(stream))
        session.start()
        session.run(untilEdge: 90_500)
        let held = Self.reloads(session).count
        let polls = session.requested.filter { $0.contains("/metadata") }.count
        session.run(untilEdge: 100_900)
        #expect(Self.reloads(session).count == held, "one request, held for ten seconds and more")
        #expect(session.requested.filter { $0.contains("/metadata") }.count - polls >= 2)
        session.run(untilEdge: 240_000)
        #expect(session.urls.sorted() == session.origin.plan)
    }

    @Test func anImmediateAnswerEndsTheFastReloads() throws {
        var stream = LowLatencyStream()
        stream.ignoresDirectives = true
        var session = try MonitorHarness(.lowLatency(stream))
        session.start()
        session.run(for: .seconds(50))
        #expect(Self.rules(&session).contains("blocking-reload-early"))
        #expect(Self.reloads(session).count < 25, "no flood of requests")
        #expect(session.snapshot().playhead.state != .idle)
    }

    @Test func aTornDeltaIsFollowedByACompletePlaylist() throws {
        var stream = LowLatencyStream()
        stream.tearsDeltas = 70_000...71_500
        var session = try MonitorHarness(.lowLatency(stream))
        session.start()
        session.run(untilEdge: 76_000)
        let reloads = Self.reloads(session)
        let complete = reloads.dropFirst().filter { !$0.contains("_HLS_skip") }
        #expect(Self.rules(&session).contains("delta-update-incomplete"))
        #expect(complete.count == 2, "one after each torn update: \(complete)")
        #expect(session.snapshot().playhead.state == .playing)
    }

    @Test func anOldCopyFromACacheIsCaughtUpWithBeforeJoining() throws {
        var stream = LowLatencyStream()
        stream.age = 6
        var session = try MonitorHarness(.lowLatency(stream))
        session.start()
        session.run(for: .seconds(3))
        // The copy ends at 54 s of 60: the part that ends at 60 is 14.3.
        #expect(Self.reloads(session)[1].contains("_HLS_msn=14&_HLS_part=3"))
        let latency = try #require(session.snapshot().playhead.latency)
        #expect(latency >= .seconds(3) && latency <= .seconds(4.2), "\(latency)")
        #expect(session.log.filter { $0.contains("playhead j") }.count == 1, "it joined once and did not jump")
    }

    /// A cache that drops the query answers every request with a delta update: nothing can be played, and that is said until another
    /// variant is followed (HLS-31).
    @Test func deltasThatNobodyAskedForAreAFailure() throws {
        var origin = FakeOrigin.lowLatency()
        let stream = origin.override
        origin.override = { request, now, count in
            guard request.url.path.hasSuffix("high.m3u8"),
                let asked = try? request.url.with(path: request.url.path, query: "_HLS_skip=YES")
            else { return stream?(request, now, count) }
            var delta = request
            delta.url = asked
            return stream?(delta, now, count)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(20))
        let health = session.snapshot().session.playlistHealth
        #expect(health.problem == "delta update that was not asked for; a cache may drop the query")
        #expect(session.snapshot().session.opening != nil && session.snapshot().playhead.state == .idle)
        #expect(Self.reloads(session).count < 30)
    }
}
