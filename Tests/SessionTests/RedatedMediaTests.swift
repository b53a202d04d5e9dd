import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// A packager dates segments again that it listed before, and the service the ads in them (TRK-33).
@Suite struct RedatedMediaTests {
    private static let breaks: [FakeOrigin.Break] = [
        .init(
            id: "b1",
            ads: [.init("a1", start: 80_000, duration: 8_000), .init("a2", start: 88_000, duration: 16_000)]),
        .init(id: "b2", ads: [.init("a3", start: 140_000, duration: 20_000)]),
    ]

    /// - Parameters:
    ///   - playlist: media time at the edge from which on all segments are dated `shift` later.
    ///   - metadata: that from which on all ads are.
    private static func origin(by shift: Int64, playlist: Int64, metadata: Int64) -> FakeOrigin {
        var origin = FakeOrigin(breaks: breaks)
        let plain = origin
        var redated = origin
        redated.dateStep = (0, shift)
        redated.breaks = breaks.map { adBreak in
            .init(
                id: adBreak.id,
                ads: adBreak.ads.map { .init($0.id, start: $0.start + shift, duration: $0.duration) })
        }
        origin.override = { [redated] request, now, _ in
            let edge = (now.wall - FakeOrigin.start).inMilliseconds
            if request.url.path.hasSuffix("/metadata") {
                let moved = edge >= metadata ? shift : 0
                let listed = (moved == 0 ? plain : redated).breaks.filter { $0.start - moved <= edge }
                let text = plain.document(listed, from: edge - 60_000 + moved, to: edge + moved)
                return FakeOrigin.text(text, type: "application/json", of: request)
            }
            let isMedia = ["/low.m3u8", "/high.m3u8"].contains { request.url.path.hasSuffix($0) }
            guard isMedia, edge >= playlist else { return nil }
            return FakeOrigin.text(redated.playlist(at: now), type: "application/vnd.apple.mpegurl", of: request)
        }
        return origin
    }

    /// The media time at which a beacon is due.
    private static func mediaTime(of url: String, _ breaks: [FakeOrigin.Break] = breaks) -> Int64? {
        for ad in breaks.flatMap(\.ads) {
            for event in ad.events where event.urls == [url] { return ad.start + event.offset }
        }
        return nil
    }

    /// Runs past both breaks: each beacon is sent once, and when its media is shown.
    private static func run(_ origin: FakeOrigin) throws -> MonitorHarness {
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(2))
        let latency = try #require(session.snapshot().playhead.latency)
        session.run(untilEdge: 200_000)
        for receipt in session.receipts {
            let media = try #require(mediaTime(of: receipt.url))
            let late = receipt.at.wall - (FakeOrigin.start + .milliseconds(media) + latency)
            #expect(late.magnitude <= .milliseconds(250), "\(receipt.url): \(late)")
        }
        #expect(session.urls.sorted() == origin.plan)
        return session
    }

    private static let shifts: [Int64] = [-3_600_000, -120_000, -70_000, -5_000, 5_000, 70_000, 120_000, 3_600_000]

    /// The viewer is in the first ad, in the second one, or between the breaks. Playlist and metadata change together, so either of them
    /// may be seen first.
    @Test(arguments: shifts, [Int64(97_000), 99_000, 108_000, 110_500, 127_000])
    func eachBeaconIsSentOnceWithItsMedia(by shift: Int64, at edge: Int64) throws {
        let session = try Self.run(Self.origin(by: shift, playlist: edge, metadata: edge))
        #expect(session.state.snapshotForTests(at: session.now).breaks.count == 2)
    }

    /// The playlist marks the first break, too: the mark stays with the break.
    @Test(arguments: shifts) func marksFollowTheirMedia(by shift: Int64) throws {
        var origin = Self.origin(by: shift, playlist: 97_000, metadata: 97_000)
        let plain = origin
        origin.override = { request, now, count in
            var reply = plain.reply(to: request, at: now, count: count)
            guard request.url.path.hasSuffix(".m3u8") else { return reply }
            let text = String(decoding: reply.exchange.body, as: UTF8.self)
                .replacing("#EXTINF:4.000,\nseg20.ts", with: "#EXT-X-CUE-OUT:24\n#EXTINF:4.000,\nseg20.ts")
                .replacing("#EXTINF:4.000,\nseg26.ts", with: "#EXT-X-CUE-IN\n#EXTINF:4.000,\nseg26.ts")
            reply.exchange.body = Array(text.utf8)
            return reply
        }
        let session = try Self.run(origin)
        let breaks = session.state.snapshotForTests(at: session.now).breaks
        #expect(breaks.map(\.source).sorted() == ["metadata", "metadata+marker"])
    }

    /// In an ad, metadata follows by some polls later: until then the ad keeps its place in the media.
    @Test(arguments: shifts) func metadataFollowsLater(by shift: Int64) throws {
        _ = try Self.run(Self.origin(by: shift, playlist: 97_000, metadata: 103_000))
    }

    /// Metadata is right already, or never follows: in an ad the dates of the playlist alone change nothing.
    @Test(arguments: [Int64(-5_000), 5_000]) func whatNobodyElseFollowsChangesNoAd(by shift: Int64) throws {
        let origin = Self.origin(by: shift, playlist: 97_000, metadata: .max)
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 130_000)
        #expect(Set(session.urls).count == session.urls.count)
        #expect(session.urls.count == 12)
    }

    /// Every other playlist is dated 200 ms later: what is due between both dates does not wait for the next reload. The places of the ad are
    /// those of two reloads.
    @Test func smallCorrectionsDelayNothing() throws {
        for place in stride(from: Int64(80_000), to: 88_000, by: 190) {
            var origin = FakeOrigin(breaks: [.init(id: "b", ads: [.init("a", start: place, duration: 16_000)])])
            var later = origin
            later.dateStep = (0, 200)
            origin.override = { [later] request, now, count in
                let isMedia = ["/low.m3u8", "/high.m3u8"].contains { request.url.path.hasSuffix($0) }
                guard isMedia, !count.isMultiple(of: 2) else { return nil }
                return FakeOrigin.text(later.playlist(at: now), type: "application/vnd.apple.mpegurl", of: request)
            }
            var session = try MonitorHarness(origin)
            session.start()
            session.run(for: .seconds(2))
            let latency = try #require(session.snapshot().playhead.latency)
            session.run(untilEdge: place + 40_000)
            for receipt in session.receipts {
                let media = try #require(Self.mediaTime(of: receipt.url, origin.breaks))
                let late = receipt.at.wall - (FakeOrigin.start + .milliseconds(media) + latency)
                #expect(late.magnitude <= .milliseconds(450), "\(place) \(receipt.url): \(late)")
            }
            #expect(session.urls.sorted() == origin.plan, "\(place)")
        }
    }
}
