import TestSupport
import Testing

@testable import adtop_conformance

/// Each kind detects a difference and reports its path.
@Suite struct KindTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var kind: String
        var file: String
        var text: String
        /// Further files in the folder.
        var others: [String: String] = [:]
        /// Paths of the differences after `good` was replaced by `bad` in `text`.
        var good: String
        var bad: String
        var paths: [String]
        var testDescription: String { "\(kind): \(good) as \(bad)" }
    }

    private static let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n"
    private static let inline = """
        <VAST version="4.2"><Error>https://t/e?[ERRORCODE]</Error><Ad \
        id="in"><InLine><Impression>https://t/i</Impression>
        <Creatives><Creative><Linear><Duration>00:00:05</Duration><MediaFiles><MediaFile>https://c/</MediaFile></MediaFiles>
        </Linear></Creative></Creatives></InLine></Ad></VAST>
        """
    private static let wrapper = """
        <VAST version="4.2"><Ad id="w"><Wrapper><VASTAdTagURI>https://a/i</VASTAdTagURI></Wrapper></Ad></VAST>
        """
    private static let scenario = """
        {"entry": "https://a/w", "files": {"https://a/w": "w.xml", "https://a/i": "i.xml"}, "http_status": {},
         "options": {"max_wrappers": 1}, "expected": {"outcome": "ok", "requests": ["https://a/w", "https://a/i"],
         "ads": [{"id": "in", "chain": ["w"], "impressions": ["https://t/i"]}]}}
        """

    static let vectors: [Vector] = [
        Vector(
            kind: "adtop-hls-schedule/1", file: "s.expected.json",
            text: """
                {"schema": "adtop-hls-schedule/1", "playlist_uri": "https://a/m",
                 "durations": {"primary": 6000, "playout": 6000, "integrated": 6000},
                 "items": [{"id": null, "primary": {"start": 0, "end": 6000}, "playout": {"start": 0, "end": 6000},
                 "integrated": {"start": 0, "end": 6000}}]}
                """, others: ["s.m3u8": playlist], good: #""playout": {"start": 0"#, bad: #""playout": {"start": 1"#,
            paths: ["$.items[0].playout.start"]),
        Vector(
            kind: "adtop-hls-bench/1", file: "b.expected.json",
            text: #"{"schema": "adtop-hls-bench/1", "file": "b.m3u8", "segments": 1, "lines": 5, "issues": []}"#,
            others: ["b.m3u8": playlist], good: #""segments": 1"#, bad: #""segments": 2"#, paths: ["$.segments"]),
        Vector(
            kind: "vast-document", file: "d.expected.json",
            text: #"{"outcome": "ok", "error_code": null, "lint": [], "must_not_fetch": ["file:///x"]}"#,
            others: ["d.xml": inline], good: "file:///x", bad: "https://t/i", paths: ["$.must_not_fetch"]),
        Vector(
            kind: "vast-scenario", file: "scenario.json", text: scenario, others: ["w.xml": wrapper, "i.xml": inline],
            good: #""chain": ["w"]"#, bad: #""chain": []"#, paths: ["$.expected.ads[0].chain"]),
        Vector(
            kind: "vast-scenario", file: "scenario.json", text: scenario, others: ["w.xml": wrapper, "i.xml": inline],
            good: #""requests": ["https://a/w", "https://a/i"]"#, bad: #""must_not_request": ["https://a/i"]"#,
            paths: ["$.expected.must_not_request"]),
        Vector(
            kind: "vast-macros", file: "m.json",
            text: """
                {"vectors": [{"name": "m", "level": "standard", "context": "tracking", "template": "x?[IFA]",
                 "values": {"IFA": "a b"}, "expected": "x?a%20b"}]}
                """, good: "a%20b", bad: "a+b", paths: ["$.vectors[0].expected"]),
        Vector(
            kind: "vast-tracking", file: "t.json",
            text: """
                {"vectors": [{"name": "t", "duration_ms": 4000, "skip_offset_ms": null, "progress": [{"percent": 10}],
                 "actions": [["play", 0], ["tick", 1000]],
                 "expected": ["impression", "creativeView", "start", "progress@10%", "firstQuartile"]}]}
                """, good: #", "firstQuartile""#, bad: "", paths: ["$.vectors[0].expected"]),
        Vector(
            kind: "vast-media-selection", file: "f.json",
            text: """
                {"vectors": [{"name": "f", "player": {"types": ["video/mp4"], "width": 640, "height": 360},
                 "files": [{"id": "a", "type": "video/webm", "url": "https://a"}, {"id": "b", "type": "video/mp4",
                 "url": "https://b", "width": 640, "height": 360}], "pick": "b"}]}
                """, good: #""pick": "b""#, bad: #""pick": "a""#, paths: ["$.vectors[0].pick"]),
        Vector(
            kind: "vast-large-documents", file: "g.json",
            text: """
                {"prefix": "<VAST version='4.2'>", "item": "<Ad id='{n}'><InLine/></Ad>", "suffix": "</VAST>",
                 "documents": [{"name": "g", "count": 2, "ads": 2, "impressions": 0}]}
                """, good: #""ads": 2"#, bad: #""ads": 3"#, paths: ["$.documents[0].ads"]),
        Vector(
            kind: "manifest", file: "MANIFEST.json",
            text: """
                {"files": [{"file": "x/a", "bytes": 3,
                 "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}]}
                """, others: ["x/a": "abc"], good: "ba7816bf", bad: "00000000", paths: ["$.files[0].sha256"]),
        Vector(
            kind: "cross-check", file: "c.json", text: #"{"one": {"p": "agree"}, "two": {"p": ["pdt@1"]}}"#,
            others: ["x/one.expected.json": "{}", "x/two.expected.json": "{}"], good: "two", bad: "three", paths: ["$"]),
        Vector(
            kind: "adtop-hls-sequence/1", file: "meta.json",
            text: """
                {"schema": "adtop-hls-sequence/1", "playlist_uri": "https://a/m", "reloads": [], "ops": [],
                 "sample_at_ms": [], "asset_lists": {}}
                """,
            others: [
                "timeline.json":
                    #"{"schema": "adtop-hls-timeline/1", "reloads": [], "samples": [], "breaks": [], "interstitials": []}"#
            ], good: #""sample_at_ms": []"#, bad: #""sample_at_ms": [5]"#, paths: ["$.samples"]),
    ]

    /// Vectors that an earlier runner passed whatever they expected.
    static let holes: [Vector] = [
        Vector(
            kind: "adtop/targeting-keys/1", file: "k.json", text: targeting, good: #""b2": {}"#, bad: #""b3": {}"#,
            paths: ["$.cases[0].expect.b2"]),
        Vector(
            kind: "adtop/targeting-keys/1", file: "k.json", text: targeting, good: #""b2": {}"#,
            bad: #""b2": {}, "b3": {}"#, paths: ["$.cases[0].expect.b3"]),
        Vector(
            kind: "adtop/targeting-keys/1", file: "k.json", text: targeting, good: #""b2": {}"#, bad: #""b2": null"#,
            paths: ["$.cases[0].expect.b2"]),
        Vector(
            kind: "vast-tracking", file: "t.json", text: tracking, good: #""firstQuartile", "midpoint""#,
            bad: #""midpoint", "firstQuartile""#, paths: ["$.vectors[0].expected"]),
        Vector(
            kind: "adtop-scte35/1", file: "s.json",
            text: #"{"schema": "adtop-scte35/1", "vectors": [{"input": "x", "expect": null, "error": "transport"}]}"#,
            good: "null", bad: "{}", paths: ["$.vectors[0]"]),
        Vector(
            kind: "adtop-scte35/1", file: "s.json",
            text: #"{"schema": "adtop-scte35/1", "vectors": [{"input": "x", "expect": null, "error": "transport"}]}"#,
            good: #""transport""#, bad: "null", paths: ["$.vectors[0]"]),
        Vector(
            kind: "vast-macros", file: "m.json",
            text: """
                {"vectors": [{"name": "m", "level": "standard", "context": "tracking", "template": "x?[IFA]",
                 "values": {"IFA": "a", "om_supported": true}, "expected": "x?a"}]}
                """, good: "om_supported", bad: "om_suported", paths: ["$.vectors[0].values.om_suported"]),
        Vector(
            kind: "adtop/loopback-http/1", file: "l.json", text: loopback, good: #""expired": true"#,
            bad: #""expired": false"#,
            paths: Array(repeating: ["status", "reason", "body"].map { "$.cases[0].expect.\($0)" }, count: 2).flatMap(
                \.self)),
        // The entry is put into the server although it is expired.
        Vector(
            kind: "adtop/loopback-http/1", file: "l.json", text: loopback, good: #""old": {"#, bad: #""o d": {"#,
            paths: ["$.preloaded.creatives.o d", "$.preloaded.creatives.o d"]),
        Vector(
            kind: "adtop/auction-case/1", file: "a.json",
            text: """
                {"schema": "adtop/auction-case/1", "cases": [{"id": "a", "expect": {"winner": null},
                 "input": {"auctionId": "x", "placement": {"id": "p", "format": "banner", "sizes": [[1, 1]]}}}]}
                """, good: #"{"winner": null}"#, bad: "{}", paths: ["$.cases[0].expect"]),
        Vector(
            kind: "vast-scenario", file: "scenario.json", text: scenario, others: ["w.xml": wrapper, "i.xml": inline],
            good: #""outcome": "ok", "requests""#, bad: #""requests""#, paths: ["$.expected.outcome"]),
        Vector(
            kind: "vast-scenario", file: "scenario.json", text: alternative,
            others: ["w.xml": wrapper, "i.xml": inline],
            good: #""requests_max": 2"#, bad: #""requests_max": 1"#,
            paths: ["$.expected.outcome", "$.expected.requests_max"]),
        // An event that the document has and the vector does not list.
        Vector(
            kind: "vast-scenario", file: "scenario.json", text: events, others: ["w.xml": wrapper, "i.xml": tracked],
            good: #", "midpoint": ["https://t/m"]"#, bad: "", paths: ["$.expected.ads[0].tracking.midpoint"]),
        // Two entries that match the same one of ours.
        Vector(
            kind: "vast-scenario", file: "scenario.json", text: events, others: ["w.xml": wrapper, "i.xml": tracked],
            good: #"{"url": "https://t/2", "offset_ms": 2000}"#, bad: #"{"url": "https://t/1", "offset_ms": 1000}"#,
            paths: ["$.expected.ads[0].progress"]),
        // A second outcome is accepted; the code of the first one still counts.
        Vector(
            kind: "vast-document", file: "d.expected.json",
            text: #"{"outcome": "ok", "also_accept": "rejected", "error_code": null, "lint": []}"#,
            others: ["d.xml": inline], good: #""error_code": null"#, bad: #""error_code": 303"#, paths: ["$.error_code"]
        ),
    ]

    private static let tracked = inline.replacing(
        "</Duration>",
        with: """
            </Duration><TrackingEvents><Tracking event="start">https://t/s</Tracking>
            <Tracking event="midpoint">https://t/m</Tracking>
            <Tracking event="progress" offset="00:00:01">https://t/1</Tracking>
            <Tracking event="progress" offset="00:00:02">https://t/2</Tracking></TrackingEvents>
            """)
    private static let events = scenario.replacing(
        #""impressions": ["https://t/i"]"#,
        with: """
            "tracking": {"start": ["https://t/s"], "midpoint": ["https://t/m"]},
            "progress": [{"url": "https://t/1", "offset_ms": 1000}, {"url": "https://t/2", "offset_ms": 2000}]
            """)
    private static let targeting = """
        {"schema": "adtop/targeting-keys/1", "cases": [{"id": "t", "winner": "b1", "options": {"includeBidderKeys": false},
         "bids": [{"id": "b1", "bidder": "k", "price": "1"}, {"id": "b2", "bidder": "l", "price": "1"}],
         "expect": {"b1": {"hb_pb": "1.00", "hb_bidder": "k"}, "b2": {}}}]}
        """
    private static let tracking = """
        {"vectors": [{"name": "t", "duration_ms": 4000, "skip_offset_ms": null, "progress": [],
         "actions": [["play", 0], ["tick", 1000], ["tick", 2000]],
         "expected": ["start", "impression", "creativeView", "firstQuartile", "midpoint"]}]}
        """
    private static let loopback = """
        {"schema": "adtop/loopback-http/1", "port": 16257, "preloaded": {"prebidCache": {}, "creatives":
         {"old": {"contentType": "text/html", "body": "x", "expired": true}}},
         "cases": [{"id": "g", "request": "GET /old HTTP/1.1\\r\\nHost: localhost:16257\\r\\n\\r\\n", "expect":
         {"status": 404, "reason": "Not found", "headers": {}, "body": "Not found"}}]}
        """
    /// Our result is the second one; the number of requests holds for both.
    private static let alternative = """
        {"entry": "https://a/w", "files": {"https://a/w": "w.xml", "https://a/i": "i.xml"}, "http_status": {},
         "expected": {"outcome": "error", "requests_max": 2, "also_accept": {"outcome": "ok"}}}
        """

    @Test(arguments: vectors + holes) func departuresAreNamed(_ vector: Vector) throws {
        let folder = try TemporaryFolder()
        for (name, text) in vector.others { try folder.write(text, to: name) }
        try folder.write(vector.text, to: vector.file)
        let good = try cases(folder, vector)
        #expect(Set(good.map(\.kind)) == [vector.kind])
        #expect(good.flatMap { $0.differences().map(\.description) } == [])
        try folder.write(vector.text.replacing(vector.good, with: vector.bad), to: vector.file)
        #expect(try cases(folder, vector).flatMap { $0.differences().map(\.path) } == vector.paths)
    }

    private func cases(_ folder: TemporaryFolder, _ vector: Vector) throws -> [VectorCase] {
        var search = VectorSearch()
        try search.add(folder.file(vector.file))
        return search.cases
    }

    @Test func aMemberThatNoSchemaHasIsNotPassedOver() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.scenario.replacing("\"chain\"", with: "\"chian\""), to: "scenario.json")
        try folder.write(Self.wrapper, to: "w.xml")
        try folder.write(Self.inline, to: "i.xml")
        var search = VectorSearch()
        try search.add(folder.path)
        #expect(
            search.cases[0].differences().map(\.description) == [
                "$.expected.ads[0].chian: unusable vector: \"unknown list\""
            ])
    }
}
