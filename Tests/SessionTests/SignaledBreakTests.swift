import AdTracking
import HLS
import Ports
import TestSupport
import Testing

@testable import Session

/// A stitched stream whose date ranges carry ad creative signaling: breaks, ads and beacons without metadata (TRK-29).
@Suite struct SignaledBreakTests {
    private static let types = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]

    private static func tag(_ id: String, start: Int64, length: Int64, _ more: String = "") -> String {
        let events = types.map { #"{"type":"\#($0)","urls":["\#(FakeOrigin.beacon(id, $0))"]}"# }
        let envelope =
            #"{"version":2,"type":"slot","payload":[{"identifiers":[{"scheme":"ad-id","value":"\#(id)"}],"#
            + #""tracking":[\#(events.joined(separator: ","))]}]}"#
        let text = Base64.encode(Array(envelope.utf8))
        return "#EXT-X-DATERANGE:ID=\"\(id)\",CLASS=\"urn:svta:advertising-wg:ad-creative-signaling\","
            + "START-DATE=\"\((FakeOrigin.start + .milliseconds(start)).iso8601)\",DURATION=\(length / 1_000),"
            + "X-AD-CREATIVE-SIGNALING=\"\(text)\"\(more)"
    }

    private static func plan(_ ids: [String]) -> [String] {
        ids.flatMap { id in types.map { FakeOrigin.beacon(id, $0) } }.sorted()
    }

    /// Lists each range only while its start is in the window, as packagers do that tie a tag to its segment.
    private static func sliding(
        _ ads: [(id: String, start: Int64, length: Int64)], breaks: [FakeOrigin.Break] = [], marks: [String] = []
    ) -> FakeOrigin {
        var origin = FakeOrigin(breaks: breaks)
        origin.hasSession = !breaks.isEmpty
        let plain = origin
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("high.m3u8") || request.url.path.hasSuffix("low.m3u8") else { return nil }
            let edge = (now.wall - FakeOrigin.start).inMilliseconds
            let from = edge - plain.segmentsInWindow * FakeOrigin.segment
            var origin = plain
            origin.tags = marks
            origin.tags += ads.filter { $0.start >= from && $0.start <= edge + 8_000 }
                .map { tag($0.id, start: $0.start, length: $0.length) }
            return FakeOrigin.text(
                origin.playlist(at: now), type: "application/vnd.apple.mpegurl", of: request)
        }
        return origin
    }

    private static let ads: [(id: String, start: Int64, length: Int64)] = [
        ("one", 80_000, 8_000), ("two", 88_000, 20_000), ("three", 140_000, 8_000),
    ]

    @Test func eachBeaconIsDueAndSentOnce() throws {
        var session = try MonitorHarness(Self.sliding(Self.ads)) { $0.writesHistory = true }
        session.start()
        session.run(untilEdge: 106_000)
        let during = session.snapshot()
        let onAir = try #require(during.breaks.first)
        #expect(onAir.source == "signaling" && onAir.name == "one" && onAir.isOnAir)
        #expect(onAir.ads.map(\.name) == ["one", "two"] && onAir.duration == .seconds(28))
        session.run(untilEdge: 260_000)
        #expect(session.urls.sorted() == Self.plan(["one", "two", "three"]))
        #expect(session.snapshot().breaks.map(\.name) == ["one", "three"])
        #expect(session.snapshot().breaks.allSatisfy { !$0.hasVanished && $0.hasEnded })
        // The ranges have left the playlist, and still nothing else describes ads.
        let service = try #require(session.snapshot().session.service)
        #expect(service.mode == "client" && service.reporter == .viewer)
        #expect(session.snapshot().session.provider == "svta")
        let kept = session.notes.compactMap { if case .session(let session) = $0.content { session } else { nil } }.last
        #expect(kept?.provider == "svta" && kept?.serviceMode == "client")
        // 2 s after the start of an ad of 8 s, to within a poll of the playhead.
        let start = try #require(session.receipts.first { $0.url == FakeOrigin.beacon("three", "start") }?.at.uptime)
        let quarter = try #require(
            session.receipts.first { $0.url == FakeOrigin.beacon("three", "firstQuartile") }?.at.uptime)
        #expect((quarter - start - .seconds(2)) < .milliseconds(50) && (quarter - start) > .milliseconds(1_950))
    }

    /// A second process finds in the journal what the first one sent, although the first range is no longer listed.
    @Test func aRestartSendsNothingTwice() throws {
        var first = try MonitorHarness(Self.sliding(Self.ads))
        first.start()
        first.run(untilEdge: 118_000)
        #expect(!first.urls.isEmpty && first.urls.count < 18)
        var second = try MonitorHarness(Self.sliding(Self.ads), joinAt: 118_000)
        second.journal = first.journal
        second.start()
        second.run(untilEdge: 260_000)
        let all = first.urls + second.urls
        #expect(Set(all).count == all.count)
        #expect(Set(Self.plan(["three"])).isSubset(of: all))
    }

    /// Metadata and signaling list the same beacons of two ads, which two parties may report; the third ad is in one of them.
    @Test(arguments: [false, true]) func besideMetadataNothingIsSentThatBothList(anyway: Bool) throws {
        let breaks = [
            FakeOrigin.Break(
                id: "b",
                ads: [.init("one", start: 80_000, duration: 8_000), .init("two", start: 88_000, duration: 20_000)])
        ]
        var session = try MonitorHarness(Self.sliding(Self.ads, breaks: breaks)) {
            $0.sending.reportsAnyway = anyway
        }
        session.start()
        session.run(untilEdge: 128_000)
        let snapshot = session.snapshot()
        let shown = try #require(snapshot.breaks.first)
        #expect(snapshot.breaks.count == 1 && shown.source == "metadata+signaling" && shown.name == "b")
        #expect(shown.ads.map(\.name) == ["one", "two"])
        #expect(shown.evidence.map(\.source) == ["metadata", "signaling"])
        #expect(shown.ads.allSatisfy { $0.extras.contains { $0.name == "dateRange" } })
        let reasons = shown.ads.flatMap(\.events).filter { Self.types.contains($0.event) }.map(\.reason)
        #expect(reasons == Array(repeating: anyway ? nil : .twoParties, count: 12))
        let twice = snapshot.findings.filter { $0.finding.rule == "signaling-twice" }
        #expect(twice.count == 2 && twice.allSatisfy { $0.finding.severity == .error })
        session.run(untilEdge: 260_000)
        #expect(session.urls.sorted() == Self.plan(anyway ? ["one", "two", "three"] : ["three"]))
    }

    /// The ads were reported when the metadata came: it describes what is known, and nothing is sent again.
    @Test(arguments: [false, true]) func metadataThatComesLateSendsNothingAgain(anyway: Bool) throws {
        let breaks = [
            FakeOrigin.Break(
                id: "b",
                ads: [.init("one", start: 80_000, duration: 8_000), .init("two", start: 88_000, duration: 20_000)])
        ]
        var origin = Self.sliding(Self.ads, breaks: breaks)
        let stream = origin
        origin.override = { request, now, count in
            guard request.url.path.hasSuffix("/metadata") else {
                return stream.reply(to: request, at: now, count: count)
            }
            let edge = (now.wall - FakeOrigin.start).inMilliseconds
            let listed = edge < 150_000 ? [] : breaks
            let text = stream.document(listed, from: edge - 600_000, to: edge + 60_000)
            return FakeOrigin.text(text, type: "application/json", of: request)
        }
        var session = try MonitorHarness(origin) { $0.sending.reportsAnyway = anyway }
        session.start()
        session.run(untilEdge: 148_000)
        let before = try #require(session.snapshot().breaks.first)
        #expect(before.source == "signaling" && before.name == "one")
        session.run(untilEdge: 260_000)
        let after = try #require(session.snapshot().breaks.first)
        #expect(after.source == "metadata+signaling" && after.name == "b")
        #expect(after.id == before.id && after.ads.map(\.id) == before.ads.map(\.id))
        #expect(session.urls.sorted() == Self.plan(["one", "two", "three"]))
        #expect(session.snapshot().breaks.map(\.name) == ["b", "three"])
    }

    /// Metadata fails until the first ad is on air: what was due of it by then was sent at once, and is not sent again; what both list
    /// from then on has two parties.
    @Test(arguments: [false, true]) func metadataThatComesInAnAdDoublesNothing(anyway: Bool) throws {
        let breaks = [
            FakeOrigin.Break(
                id: "b",
                ads: [.init("one", start: 80_000, duration: 8_000), .init("two", start: 88_000, duration: 20_000)])
        ]
        let stream = Self.sliding(Self.ads, breaks: breaks)
        var origin = stream
        origin.override = { request, now, count in
            request.url.path.hasSuffix("/metadata")
                ? FakeOrigin.status(503, request) : stream.reply(to: request, at: now, count: count)
        }
        var session = try MonitorHarness(origin) { $0.sending.reportsAnyway = anyway }
        session.start()
        session.run(untilEdge: 84_000)
        for _ in 0..<300 where session.urls.count < 4 { session.run(for: .milliseconds(100)) }
        session.origin = stream
        session.run(untilEdge: 260_000)
        let sent = session.urls.filter { !$0.contains("ad=three") }
        #expect(Set(session.urls).count == session.urls.count)
        #expect(Set(session.urls).isSuperset(of: Self.plan(["three"])))
        #expect(anyway ? sent.count == 12 : (4..<12).contains(sent.count), "\(sent)")
        let twice = session.snapshot().findings.filter { $0.finding.rule == "signaling-twice" }.map(\.finding.message)
        #expect(twice.count == 2)
        let first = try #require(twice.first { $0.contains("'one'") })
        #expect(first.hasSuffix("; each is sent once (--fire-anyway)") == anyway)
        #expect(first.contains(" sent when only one of them was known") != anyway, "\(first)")
    }

    /// The marker is as long as the signaled break, so that one has it; the metadata lists the same break, of which it has one ad.
    @Test func aMarkerOfTheSignaledBreakIsThatOfTheMetadataToo() throws {
        let breaks = [FakeOrigin.Break(id: "b", ads: [.init("one", start: 80_000, duration: 8_000)])]
        let start = (FakeOrigin.start + .milliseconds(80_000)).iso8601
        let mark = #"#EXT-X-DATERANGE:ID="m1",START-DATE="\#(start)",DURATION=28,SCTE35-OUT=0xFC302000"#
        var origin = Self.sliding(Self.ads, breaks: breaks, marks: [mark])
        let stream = origin
        // The metadata is known before the signaling, so that its break is the one on the air.
        origin.override = { request, now, count in
            guard request.url.path.hasSuffix("/metadata") else {
                return stream.reply(to: request, at: now, count: count)
            }
            let edge = (now.wall - FakeOrigin.start).inMilliseconds
            let text = stream.document(breaks, from: edge - 600_000, to: edge + 60_000)
            return FakeOrigin.text(text, type: "application/json", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 130_000)
        #expect(!session.urls.isEmpty)
        #expect(session.snapshot().breaks.map(\.source) == ["metadata+signaling+marker"])
        let growth = session.snapshot().breaks.flatMap(\.growth.steps)
        #expect(growth.contains { $0.poll == nil && $0.newAds == ["two"] })
        #expect(session.snapshot().findings.map(\.finding).filter { $0.rule == "L41" }.map(\.message) == [])
    }

    @Test func aRangeThatIsWithdrawnSendsNothing() throws {
        var origin = Self.sliding(Self.ads)
        let with = origin.override
        origin.override = { request, now, count in
            guard now.wall > FakeOrigin.start + .milliseconds(76_000), request.url.path.hasSuffix(".m3u8"),
                !request.url.path.hasSuffix("index.m3u8")
            else { return with?(request, now, count) }
            return nil
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 76_000)
        #expect(session.snapshot().breaks.map(\.name) == ["one"])
        session.run(untilEdge: 160_000)
        #expect(session.urls.isEmpty)
        #expect(session.snapshot().breaks.map(\.hasVanished) == [true])
    }

    @Test func aBadEnvelopeIsAFinding() throws {
        var origin = FakeOrigin(hasSession: false)
        origin.tags = [
            "#EXT-X-DATERANGE:ID=\"bad\",CLASS=\"urn:svta:advertising-wg:ad-creative-signaling\","
                + "START-DATE=\"\((FakeOrigin.start + .seconds(80)).iso8601)\",X-AD-CREATIVE-SIGNALING=\"***\""
        ]
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 100_000)
        let found = session.snapshot().findings.filter { $0.finding.rule == "signaling-undecodable" }
        #expect(found.count == 1)
        #expect(found.first?.finding.message.contains("date range 'bad'") == true)
    }

    @Test func recordingsReplay() throws {
        var session = try MonitorHarness(Self.sliding(Self.ads))
        session.start()
        session.run(untilEdge: 160_000)
        let recording = try session.recorded(.none)
        var replayed = MonitorState(recording.configuration)
        for input in recording.inputs { _ = replayed.apply(input.input, at: input.at) }
        #expect(session.snapshot().breaks.map(\.name) == ["one", "three"])
        #expect(replayed.snapshotForTests(at: session.now).breaks == session.snapshot().breaks)
    }
}
