import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// A session of Google DAI whose metadata has tags only after the media was read (PRV-45, PRV-47).
@Suite struct LateTagTests {
    private static let prefix = "\(FakeOrigin.base)/dai/media/"
    /// Ids by their places in milliseconds: two events of an ad, one that keeps the connection alive, one without a tag.
    private static let ids: [(id: String, at: Int64)] = [
        ("google_s_9", 80_000), ("google_p_9", 82_000), ("google_m_9", 90_000), ("google_u_9", 94_500),
    ]

    private static let metadata = #"""
        {"tags":{"google_s":{"ad":"a0","ad_break_id":"b0","type":"start"},
        "google_p":{"ad":"a0","ad_break_id":"b0","type":"progress"},
        "google_m":{"ad":"a0","ad_break_id":"b0","type":"midpoint"}},
        "ads":{"a0":{"duration":20,"ad_break_id":"b0"}},
        "ad_breaks":{"b0":{"duration":20,"expected_duration":20,"ads":1}}}
        """#

    private static func range(_ id: String, _ place: Int64) -> String {
        "#EXT-X-DATERANGE:ID=\"\(id)\",START-DATE=\"\((FakeOrigin.start + .milliseconds(place)).iso8601)\",X-COM-ID=\"\(id)\""
    }

    /// - Parameter tagged: second of the stream at its edge from which on the metadata has tags; nil where each request for it fails.
    private static func session(taggedFrom tagged: Int64?) throws -> MonitorHarness {
        var origin = FakeOrigin(tags: ids.map { range($0.id, $0.at) })
        origin.override = { request, now, _ in
            let path = request.url.path
            if path.hasSuffix("/stream") {
                let body =
                    #"{"stream_id":"S:ATL","stream_manifest":"/s/index.m3u8","polling_frequency":4,"#
                    + #""media_verification_url":"\#(prefix)","metadata_url":"/dai/metadata"}"#
                return FakeOrigin.text(body, type: "application/json", of: request, status: 201)
            }
            if path == "/dai/metadata" {
                guard let tagged else { return FakeOrigin.status(500, request) }
                let isTagged = now.wall >= FakeOrigin.start + .seconds(tagged)
                return FakeOrigin.text(
                    isTagged ? metadata : #"{"tags":{},"ads":{},"ad_breaks":{}}"#, type: "application/json", of: request
                )
            }
            return path.hasPrefix("/dai/media/") ? FakeOrigin.status(204, request) : nil
        }
        let url = try WebURL("\(FakeOrigin.base)/linear/v1/hls/event/KEY/stream")
        var session = try MonitorHarness(origin) { configuration in
            configuration.mediaURL = url
            configuration.mode = .fire
        }
        session.start()
        session.run(untilEdge: 130_000)
        return session
    }

    /// The viewer is about 12 s behind the edge.
    @Test func tagsThatComeBeforeTheViewerPlaceTheirIds() throws {
        var session = try Self.session(taggedFrom: 82)
        #expect(session.urls == ["google_s_9", "google_m_9", "google_u_9"].map { Self.prefix + $0 })
        // The one without a tag is verified where the viewer reaches it.
        let first = try #require(session.receipts.first?.at.uptime)
        let last = try #require(session.receipts.last?.at.uptime)
        #expect((last - first - .milliseconds(14_500)).magnitude < .milliseconds(50))
        let snapshot = session.snapshot()
        let found = snapshot.findings.map(\.finding).filter { ["L66", "L36", "P03", "L23"].contains($0.rule) }
        #expect(found.map(\.message) == ["no metadata has the media id 'google_u_9'"])
        #expect(snapshot.breaks.map(\.name) == ["b0"] && snapshot.breaks.flatMap(\.ads).map(\.name) == ["a0"])
        #expect(snapshot.events.map(\.state) == [.done, .done, .done] && snapshot.counters.late == 0)
    }

    /// What the viewer reached without a tag was verified there; a tag that comes later does not make it another beacon.
    @Test func tagsThatComeAfterTheViewerChangeNothing() throws {
        Self.expectEachAtItsPlace(try Self.session(taggedFrom: 115))
    }

    /// Nothing is known of the ids, and each is an impression that would be lost.
    @Test func idsAreVerifiedWhileMetadataFails() throws {
        var session = try Self.session(taggedFrom: nil)
        Self.expectEachAtItsPlace(session)
        #expect(session.snapshot().findings.contains { $0.finding.rule == "L66" })
    }

    private static func expectEachAtItsPlace(_ session: MonitorHarness) {
        #expect(session.urls == ids.map { prefix + $0.id })
        let times = session.receipts.map(\.at.uptime)
        for (time, id) in zip(times, ids) {
            let distance = time - (times.first ?? .zero) - .milliseconds(id.at - 80_000)
            #expect(distance.magnitude < .milliseconds(50))
        }
    }
}
