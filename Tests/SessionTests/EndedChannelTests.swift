import AdTracking
import HLS
import Ports
import Session
import TestSupport
import Testing

/// A channel that ended and returns (HLS-32).
@Suite struct EndedChannelTests {
    private static let type = "application/vnd.apple.mpegurl"

    /// What the playlist is after the end.
    enum Return: Sendable, CaseIterable {
        /// The numbers continue, the media as well.
        case continuing
        /// The numbers begin at 0, the media continues by date.
        case anew
        /// The same, under numbers that the list before the end had.
        case sameNumbers
    }

    /// Two breaks; ENDLIST from `end` on, in milliseconds, and at `back` the channel returns. `status` is the answer between.
    private static func origin(
        end: Int64 = 100_000, back: Int64 = .max, _ kind: Return = .continuing, status: Int = 200
    ) -> FakeOrigin {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("high.m3u8") else { return nil }
            let time = (now.wall - FakeOrigin.start).inMilliseconds
            if time < end { return nil }
            if time < back {
                guard status == 200 else { return FakeOrigin.status(status, request) }
                let at = Moment(wall: FakeOrigin.start + .milliseconds(end), uptime: .zero)
                return FakeOrigin.text(stream.playlist(at: at) + "#EXT-X-ENDLIST\n", type: Self.type, of: request)
            }
            return FakeOrigin.text(returned(stream, at: now, from: back, kind), type: Self.type, of: request)
        }
        return origin
    }

    /// The playlist after the return, whose media began then.
    private static func returned(_ stream: FakeOrigin, at now: Moment, from back: Int64, _ kind: Return) -> String {
        guard kind != .continuing else { return stream.playlist(at: now) }
        let first = back / FakeOrigin.segment - 3
        let made = (now.wall - FakeOrigin.start).inMilliseconds / FakeOrigin.segment
        let number = kind == .anew ? 0 : 20
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(number)\n"
        for segment in first..<max(first + 1, made) {
            let date = FakeOrigin.start + .milliseconds(segment * FakeOrigin.segment)
            text += "#EXT-X-PROGRAM-DATE-TIME:\(date.iso8601)\n#EXTINF:4.000,\nnew\(segment).ts\n"
        }
        return text
    }

    /// The times of the answers with ENDLIST, in seconds of media time at the edge.
    private static func looks(_ session: MonitorHarness) -> [Double] {
        session.inputs.compactMap { recorded in
            guard case .fetched(_, let exchange) = recorded.input,
                String(decoding: exchange.body, as: UTF8.self).contains("#EXT-X-ENDLIST")
            else { return nil }
            return (recorded.at.wall - FakeOrigin.start).inSeconds
        }
    }

    @Test func theEndedPlaylistIsLookedAtWithGrowingPauses() throws {
        var session = try MonitorHarness(Self.origin())
        session.start()
        session.run(untilEdge: 2_000_000)
        #expect(session.snapshot().session.phase == .ended)
        let times = Self.looks(session)
        let pauses = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(pauses.count >= 8)
        for (pause, expected) in zip(pauses, [10.0, 20, 40, 80, 160, 300, 300, 300]) {
            #expect(abs(pause - expected) <= expected * 0.06, "\(pauses)")
        }
        #expect(session.snapshot().playlist.nextReloadAt != nil)
        #expect(
            session.snapshot().findings.allSatisfy { !["http-error", "channel-returned"].contains($0.finding.rule) })
        // The seed determines the pauses.
        var again = try MonitorHarness(Self.origin())
        again.start()
        again.run(untilEdge: 2_000_000)
        #expect(Self.looks(again) == times)
    }

    @Test(arguments: Return.allCases) func aChannelThatReturnsIsFollowedAgain(_ kind: Return) throws {
        var session = try MonitorHarness(Self.origin(back: 125_000, kind))
        session.start()
        session.run(untilEdge: 120_000)
        let ended = session.snapshot()
        #expect(ended.session.phase == .ended && ended.playhead.state == .ended)
        session.run(untilEdge: 260_000)
        let snapshot = session.snapshot()
        #expect(snapshot.session.phase == .running && snapshot.playhead.state == .playing)
        let finding = try #require(snapshot.findings.first { $0.finding.rule == "channel-returned" })
        #expect(finding.count == 1 && finding.finding.section == "HLS-32")
        #expect(finding.finding.message.hasSuffix(kind == .continuing ? "numbers continue" : "numbers begin again"))
        #expect(session.log.contains { $0.hasPrefix("info: channel returned after ") })
        #expect(snapshot.findings.contains { $0.finding.rule == "timeline-reset" } == (kind != .continuing))
        // The break after the return is played, and nothing is sent twice.
        #expect(session.urls.count == Set(session.urls).count)
        let second = session.origin.plan.filter { $0.contains("ad=a3") }
        #expect(Set(session.urls).isSuperset(of: second))
        var replay = Replay(try session.recorded(.standard))
        replay.move(to: replay.count)
        #expect(replay.snapshot(at: session.now).playhead.stream == snapshot.playhead.stream)
    }

    /// A service is asked until the viewer has seen the end, and again once the channel has returned (PRV-29).
    @Test func adsOfTheReturnAreAskedFor() throws {
        var origin = Self.origin(back: 125_000)
        let ending = origin
        origin.override = { request, now, count in
            guard request.url.path == "/programme/vmap" else { return ending.override?(request, now, count) }
            let text = """
                <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" xmlns:uo="urn:uo" version="1.0">
                <vmap:Extensions><uo:unicornOnce contenturi="/live/index.m3u8"/></vmap:Extensions></vmap:VMAP>
                """
            return FakeOrigin.text(text, type: "text/xml", of: request)
        }
        let url = try WebURL(FakeOrigin.base + "/programme/vmap")
        var session = try MonitorHarness(origin) { $0.mediaURL = url }
        session.start()
        let polls = ([104_000, 114_000, 123_000, 127_000, 180_000] as [Int64]).map { edge in
            session.run(untilEdge: edge)
            return session.requests(for: .metadata).count
        }
        #expect(polls[1] >= polls[0] + 2, "\(polls)")
        #expect(polls[2] == polls[3], "\(polls)")
        #expect(polls[4] >= polls[3] + 8, "\(polls)")
    }

    @Test(arguments: [404, 503]) func whatFailsAfterTheEndIsNoError(_ status: Int) throws {
        // The end itself is seen before the server stops to answer.
        var origin = Self.origin(end: 100_000, back: 150_000)
        let ending = origin
        origin.override = { request, now, count in
            let time = (now.wall - FakeOrigin.start).inMilliseconds
            let isGone = (108_000..<150_000).contains(time) && request.url.path.hasSuffix("high.m3u8")
            return isGone ? FakeOrigin.status(status, request) : ending.override?(request, now, count)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 145_000)
        #expect(session.snapshot().session.phase == .ended && session.snapshot().session.renewals == 0)
        #expect(session.snapshot().findings.allSatisfy { !["http-error", "L53"].contains($0.finding.rule) })
        #expect(session.snapshot().errors.latest == nil)
        // After a refusal the multivariant playlist is asked, since the addresses of its variants may have changed.
        let manifests = session.requested.filter { $0.contains("/s/index.m3u8") }.count
        #expect(status == 404 ? manifests > 1 : manifests == 1)
        session.run(untilEdge: 300_000)
        #expect(session.snapshot().session.phase == .running && session.snapshot().playhead.state == .playing)
    }

    @Test func timeAfterTheEndIsNotLost() throws {
        var session = try MonitorHarness(Self.origin(back: 125_000))
        session.start()
        session.run(untilEdge: 116_000)
        let ended = session.snapshot()
        #expect(ended.playhead.state == .ended)
        session.run(untilEdge: 124_000)
        #expect(session.snapshot().playhead.drift == ended.playhead.drift)
        session.run(untilEdge: 220_000)
        let drift = try #require(session.snapshot().playhead.drift)
        #expect(drift < .seconds(20), "what is between end and return does not count: \(drift)")
    }

    /// A recording is complete when it is first seen, and is read once, as before.
    @Test func aFinishedStreamIsNotLookedAtAgain() throws {
        var origin = MainPathTests.twoBreaks
        origin.vodDuration = 200_000
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(1_000))
        #expect(session.requests(for: .mediaPlaylist).count == 1)
        #expect(session.snapshot().session.phase == .ended)
        #expect(session.snapshot().playlist.nextReloadAt == nil)
        let drift = session.snapshot().playhead.drift
        session.run(for: .seconds(60))
        #expect(session.snapshot().playhead.drift == drift)
    }

    @Test func anEarlierRecordingIsNotLookedAtAgain() throws {
        var session = try MonitorHarness.ran(Self.origin(back: 125_000), until: 300_000) {
            $0.following.isLenient = false
        }
        #expect(Self.looks(session).count == 1)
        #expect(session.snapshot().session.phase == .ended)
    }

    /// A list that had ENDLIST and comes from a cache without it is no return.
    @Test func anOldCopyIsNoReturn() throws {
        var origin = Self.origin()
        let ending = origin
        origin.override = { request, now, count in
            let time = (now.wall - FakeOrigin.start).inMilliseconds
            guard time > 105_000, request.url.path.hasSuffix("high.m3u8") else {
                return ending.override?(request, now, count)
            }
            let before = Moment(wall: FakeOrigin.start + .milliseconds(96_000), uptime: .zero)
            return FakeOrigin.text(MainPathTests.twoBreaks.playlist(at: before), type: Self.type, of: request)
        }
        var session = try MonitorHarness.ran(origin, until: 400_000)
        #expect(session.snapshot().session.phase == .ended)
        #expect(session.snapshot().findings.allSatisfy { $0.finding.rule != "channel-returned" })
    }
}
