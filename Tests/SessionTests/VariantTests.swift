import Ports
import Session
import TestSupport
import Testing

/// Redundant variants and content steering in a session (HLS-4, HLS-14).
@Suite struct VariantTests {
    private static let backup = "http://127.0.0.1:9090"

    /// Two variants of equal bandwidth on two servers; `fails` determines when each answers 503.
    private static func origin(
        steering: String? = nil, manifest: (@Sendable (Moment) -> String)? = nil,
        fails: @escaping @Sendable (String, Int64) -> Bool = { _, _ in false }
    ) -> FakeOrigin {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        origin.override = { request, now, _ in
            let time = (now.wall - FakeOrigin.start).inMilliseconds
            if request.url.path.hasSuffix("/steer") {
                guard let manifest else { return FakeOrigin.status(500, request) }
                return FakeOrigin.text(manifest(now), type: "application/json", of: request)
            }
            if request.url.path.hasSuffix("/index.m3u8"), request.url.query?.contains("init") != true {
                let tag = steering.map { "#EXT-X-CONTENT-STEERING:SERVER-URI=\"\($0)\",PATHWAY-ID=\"A\"\n" } ?? ""
                return FakeOrigin.text(
                    "#EXTM3U\n\(tag)#EXT-X-STREAM-INF:BANDWIDTH=2400000,RESOLUTION=1280x720,PATHWAY-ID=\"A\"\n"
                        + "high.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2400000,RESOLUTION=1280x720,PATHWAY-ID=\"B\"\n"
                        + "\(backup)/s/high.m3u8\n",
                    type: "application/vnd.apple.mpegurl", of: request)
            }
            guard request.url.path.hasSuffix("high.m3u8") else { return nil }
            if fails(request.url.origin, time) { return FakeOrigin.status(503, request) }
            // The other server's encoder numbers its segments differently.
            let shift = request.url.text.hasPrefix(backup) ? 5_000 : 0
            let text = stream.playlist(at: now).split(separator: "\n", omittingEmptySubsequences: false).map { line in
                guard line.hasPrefix("#EXT-X-MEDIA-SEQUENCE:"), let number = Int(line.dropFirst(22)) else {
                    return String(line)
                }
                return "#EXT-X-MEDIA-SEQUENCE:\(number + shift)"
            }
            return FakeOrigin.text(
                text.joined(separator: "\n"), type: "application/vnd.apple.mpegurl", of: request)
        }
        return origin
    }

    private static func media(_ session: MonitorHarness) -> [String] {
        session.requested.filter { $0.contains("high.m3u8") }
    }

    @Test func theFailedRequestIsTheOneThatIsReported() throws {
        var session = try MonitorHarness(Self.origin(fails: { _, time in (80_000...100_000).contains(time) }))
        session.start()
        session.run(untilEdge: 70_000)
        #expect(session.snapshot().session.playlistHealth.failedURL == nil)
        session.run(untilEdge: 90_000)
        let health = session.snapshot().session.playlistHealth
        #expect(health.state == .failing && health.failedURL == Self.media(session).last)
        session.run(untilEdge: 130_000)
        #expect(session.snapshot().session.playlistHealth.failedURL == nil)
    }

    @Test func theBackupReplacesThePreferredVariantUntilItRecovers() throws {
        var session = try MonitorHarness(
            Self.origin(fails: { server, time in server == FakeOrigin.base && (80_000...100_000).contains(time) }))
        session.start()
        session.run(untilEdge: 90_000)
        let snapshot = session.snapshot()
        #expect(snapshot.playlist.url == Self.backup + "/s/high.m3u8")
        let variant = try #require(snapshot.playlist.variant)
        #expect(variant.number == 2 && variant.isFallback && variant.redundantCount == 1)
        #expect(variant.pathway == "B" && variant.resolution == "1280x720" && variant.bandwidth == 2_400_000)
        #expect(snapshot.session.playlistHealth.state == .good)
        #expect(
            session.log.contains(
                "warning: the variant failed (answered 503): following variant 2 on pathway B, "
                    + Self.backup + "/s/high.m3u8"))
        #expect(snapshot.findings.allSatisfy { $0.finding.rule != "timeline-reset" })
        session.run(untilEdge: 199_000)
        #expect(Self.media(session).last?.hasPrefix(Self.backup) == true, "the preferred one rests two minutes")
        session.run(untilEdge: 212_000)
        #expect(session.snapshot().playlist.variant?.number == 1)
        #expect(session.log.contains { $0.hasPrefix("info: back to the preferred variant") })
        // Playback was not affected.
        #expect(session.log.filter { $0.contains("playhead j") }.count == 1)
        session.run(untilEdge: 260_000)
        #expect(session.urls.sorted() == session.origin.plan)
    }

    @Test func whenBothFailTheyAreAskedAtTheUsualPace() throws {
        var session = try MonitorHarness(Self.origin(fails: { _, time in (80_000...110_000).contains(time) }))
        session.start()
        session.run(untilEdge: 80_000)
        let before = Self.media(session).count
        session.run(untilEdge: 109_000)
        #expect((6...14).contains(Self.media(session).count - before))
        #expect(Set(Self.media(session).dropFirst(before)).count == 2)
        session.run(untilEdge: 130_000)
        #expect(session.snapshot().session.playlistHealth.state == .good)
        #expect(session.snapshot().playhead.state == .playing)
    }

    /// A variant on the server that asks for a pause waits; one on another server does not.
    @Test(arguments: [FakeOrigin.base, backup]) func aPauseIsThatOfAServer(_ server: String) throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, now, _ in
            if request.url.path.hasSuffix("/index.m3u8"), request.url.query?.contains("init") != true {
                let tag = "#EXT-X-STREAM-INF:BANDWIDTH=2400000"
                return FakeOrigin.text(
                    "#EXTM3U\n\(tag)\nhigh.m3u8\n\(tag)\n\(server)/s/other.m3u8\n",
                    type: "application/vnd.apple.mpegurl", of: request)
            }
            guard request.url.path.hasSuffix("high.m3u8"), now.wall >= FakeOrigin.start + .seconds(80) else {
                return nil
            }
            return FakeOrigin.status(503, request, fields: [HTTPField("Retry-After", "20")])
        }
        var session = try MonitorHarness(origin)
        session.start()
        // The second failure, at least 20 s after the first, leads to the other variant.
        session.run(untilEdge: 119_000)
        #expect(session.requested.contains { $0.contains("other.m3u8") } == (server == Self.backup))
        session.run(untilEdge: 130_000)
        #expect(session.requested.contains { $0.contains("other.m3u8") })
    }

    @Test func steeringChoosesThePathway() throws {
        var session = try MonitorHarness(
            Self.origin(
                steering: "/steer?s=1",
                manifest: { now in
                    let order = now.wall < FakeOrigin.start + .seconds(90) ? #""A","B""# : #""B","A""#
                    return #"{"VERSION":1,"TTL":10,"RELOAD-URI":"/steer?s=2","PATHWAY-PRIORITY":[\#(order)]}"#
                }))
        session.start()
        session.run(untilEdge: 88_000)
        #expect(session.snapshot().playlist.variant?.pathway == "A")
        let asked = session.requested.filter { $0.contains("/steer") }
        #expect(asked.first == FakeOrigin.base + "/steer?s=1&_HLS_pathway=%22A%22")
        #expect(asked.dropFirst().allSatisfy { $0 == FakeOrigin.base + "/steer?s=2&_HLS_pathway=%22A%22" })
        #expect((3...4).contains(asked.count), "every ten seconds")
        session.run(untilEdge: 110_000)
        #expect(session.snapshot().playlist.variant?.pathway == "B")
        #expect(session.snapshot().playlist.variant?.isFallback == false)
        #expect(session.log.contains { $0.hasPrefix("info: content steering: following variant 2 on pathway B") })
        #expect(session.log.filter { $0.contains("content steering prefers") }.count == 2)
        session.run(untilEdge: 240_000)
        #expect(session.urls.sorted() == session.origin.plan)
    }

    /// Failures of both servers lead to the multivariant playlist, which starts with pathway A.
    @Test func whatIsSteeredToOutlastsANewerPlaylist() throws {
        var session = try MonitorHarness(
            Self.origin(
                steering: "/steer", manifest: { _ in #"{"VERSION":1,"TTL":3600,"PATHWAY-PRIORITY":["B","A"]}"# },
                fails: { _, time in (80_000...100_000).contains(time) }))
        session.start()
        session.run(untilEdge: 250_000)
        #expect(session.requests(for: .multivariant).count > 1)
        let variant = try #require(session.snapshot().playlist.variant)
        #expect(variant.pathway == "B" && !variant.isFallback)
    }

    @Test func aSteeringServerThatFailsChangesNothing() throws {
        var session = try MonitorHarness(Self.origin(steering: "/steer"))
        session.start()
        session.run(untilEdge: 120_000)
        #expect(session.requested.filter { $0.contains("/steer") }.count == 1, "the next try is after five minutes")
        #expect(
            session.snapshot().findings.first { $0.finding.rule == "content-steering-failed" }?.finding.message
                == "no steering manifest: answered 500")
        #expect(session.snapshot().playlist.variant?.pathway == "A")
    }

    @Test func aTagMayContainTheManifest() throws {
        let json = "data:application/json,%7B%22VERSION%22:1,%22PATHWAY-PRIORITY%22:[%22B%22]%7D"
        var session = try MonitorHarness(Self.origin(steering: json))
        session.start()
        session.run(untilEdge: 70_000)
        #expect(session.snapshot().playlist.variant?.pathway == "B")
        #expect(!session.requested.contains { $0.contains("steer") })
    }

    /// A server that accepts requests and never ends its answers costs one and a half target durations, not two time-outs.
    @Test func aVariantThatHangsIsLeft() throws {
        var origin = Self.origin()
        let stream = origin.override
        origin.override = { request, now, count in
            let time = (now.wall - FakeOrigin.start).inMilliseconds
            guard request.url.path.hasSuffix("high.m3u8"), request.url.origin == FakeOrigin.base, time >= 80_000 else {
                return stream?(request, now, count)
            }
            return FakeOrigin.failure(.timeout, "no answer in time", delay: request.totalTimeout)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 92_000)
        #expect(session.snapshot().playlist.url == Self.backup + "/s/high.m3u8")
        session.run(untilEdge: 240_000)
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
    }
}
