import Ports
import Testing

@testable import AdTracking

/// Sessions and recorded programmes (PRV-44, PRV-46).
@Suite struct DAISessionTests {
    private static func session(_ text: String) throws -> DAISession {
        let asked = try WebURL("https://dai.example/linear/v1/hls/event/KEY/stream")
        return try DAISession(try MetadataProblem.json(Array(text.utf8)), asked: asked)
    }

    @Test func aLiveStreamHasMetadata() throws {
        let session = try Self.session(
            #"{"stream_id":"u:ATL","stream_manifest":"https://h/m.m3u8","metadata_url":"https://h/metadata","media_verification_url":"https://h/media/","polling_frequency":4}"#
        )
        #expect(
            session.id == "u:ATL" && session.metadata?.text == "https://h/metadata"
                && session.interval == ExactDecimal(4))
        #expect(session.verification?.text == "https://h/media/" && !session.isReportedByService)
    }

    /// Where ids are verified, the manifest shows what the answer leaves out.
    @Test(arguments: ["", #","metadata_url":null"#, #","metadata_url":7"#]) func itsManifestShowsWhereMetadataIs(
        _ rest: String
    ) throws {
        func metadata(_ manifest: String, _ more: String) throws -> String? {
            try Self.session(#"{"stream_manifest":"\#(manifest)"\#(more)\#(rest)}"#).metadata?.text
        }
        let manifest = "https://h/linear/hls/pa/event/KEY/stream/u:ATL/master.m3u8"
        let verified = #","media_verification_url":"https://h/media/""#
        #expect(
            try metadata(manifest, verified) == "https://h/linear/v1/pa/event/KEY/stream/u:ATL/metadata")
        #expect(try metadata(manifest, "") == nil)
        #expect(try metadata("https://h/m.m3u8", verified) == nil)
        #expect(try metadata(manifest, verified + #","ad_breaks":[]"#) == nil)
    }

    /// A live stream may have the member of recorded programmes.
    @Test(arguments: ["null", "[]", #""""#]) func aLiveStreamHasNoBreaksOfAProgramme(_ breaks: String) throws {
        let session = try Self.session(
            #"{"stream_manifest":"https://h/m","metadata_url":"https://h/metadata","ad_breaks":\#(breaks)}"#)
        #expect(session.metadata?.text == "https://h/metadata" && session.programme == nil)
    }

    @Test(arguments: ["0", "-1", #""soon""#, "null"]) func withoutAnIntervalItIsTenSeconds(_ stated: String) throws {
        let session = try Self.session(#"{"stream_manifest":"https://h/m","polling_frequency":\#(stated)}"#)
        #expect(session.interval == ExactDecimal(10) && session.isReportedByService)
    }

    /// A service that counts in milliseconds would be asked after hours.
    @Test func anIntervalIsAMinuteAtMost() throws {
        let session = try Self.session(#"{"stream_manifest":"https://h/m","polling_frequency":10000}"#)
        #expect(session.interval == ExactDecimal(60))
    }

    @Test(arguments: ["null", "\"\"", "7"]) func theManifestMayHaveItsOlderName(_ newer: String) throws {
        let session = try Self.session(#"{"stream_manifest":\#(newer),"hls_master_playlist":"https://h/m"}"#)
        #expect(session.manifest.text == "https://h/m")
    }

    @Test(arguments: ["[]", "{}", #"{"stream_manifest":7}"#, #"{"stream_manifest":"http://["}"#])
    func withoutAManifestThereIsNoSession(_ text: String) {
        #expect(throws: MetadataProblem.self) { try Self.session(text) }
    }

    private static func programme(_ events: String) throws -> ListedAnswer {
        let ads =
            #"[{"seq":"2","duration":5,"ad_id":"y"},{"seq":1,"duration":"10","ad_id":"x","events":[\#(events)]}]"#
        let session = try session(
            #"{"hls_master_playlist":"/m","metadata_url":"/unused","ad_breaks":[{"type":"mid","start":60,"duration":15,"ads":\#(ads)},{"ads":[]},7]}"#
        )
        #expect(session.metadata == nil)
        return try #require(session.programme)
    }

    /// Times count from the stream if none is earlier than the ad, with half a second of tolerance.
    @Test(arguments: [
        (#"{"type":"start","time":60},{"type":"midpoint","time":65}"#, ["start+0", "midpoint+5"]),
        (#"{"type":"start","time":59.5},{"type":"midpoint","time":65}"#, ["start+-0.5", "midpoint+5"]),
        (
            #"{"type":"start","time":0},{"type":"progress","time":1},{"type":"complete","time":10}"#,
            ["start+0", "complete+10"]
        ),
        (#"{"type":"mute"},{"type":"midpoint","time":65},{"time":66}"#, ["mute+0", "midpoint+5"]),
    ]) func aProgrammeHasItsBreaks(_ events: String, _ expected: [String]) throws {
        let answer = try Self.programme(events)
        #expect(answer.findings.map(\.rule).sorted() == ["L03", "P01"])
        let adBreak = try #require(answer.breaks.first)
        #expect(
            adBreak.ads.map(\.id) == ["x", "y"] && adBreak.ads.map(\.start) == [ExactDecimal(60), ExactDecimal(70)])
        #expect(adBreak.ads.first?.events.map { "\($0.name)+\($0.statedOffset ?? .zero)" } == expected)
        #expect(adBreak.ads.first?.events.allSatisfy { $0.urls.isEmpty } == true)
    }
}
