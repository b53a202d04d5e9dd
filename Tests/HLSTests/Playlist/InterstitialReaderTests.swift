import HLS
import Ports
import Testing

/// Interstitials (rfc8216bis-22 appendix D.2, HLS-16).
struct InterstitialReaderTests {
    private static let start = UnixTime(milliseconds: 1_798_761_600_000)

    /// The interstitial starts at second 8, in a window of three segments of 6 s.
    private static func read(_ attributes: String) throws -> Interstitial {
        let tag =
            "#EXT-X-DATERANGE:ID=\"i\",CLASS=\"com.apple.hls.interstitial\","
            + "START-DATE=\"2027-01-01T00:00:08Z\",\(attributes)\n"
        let playlist = try #require(InlinePlaylist.media(InlinePlaylist.head + InlinePlaylist.dated + tag))
        return try #require(playlist.interstitials.first)
    }

    @Test func defaults() throws {
        let interstitial = try Self.read("X-ASSET-LIST=\"../l.json?a=b\"")
        #expect(interstitial.assetList == "https://cdn.example.com/live/l.json?a=b")
        #expect(interstitial.assetURI == nil)
        #expect(interstitial.expectedDuration == nil && interstitial.effectiveResumeOffset == nil)
        #expect(interstitial.contentMayVary)
        #expect(interstitial.timelineOccupies == .point && interstitial.timelineStyle == .highlight)
        #expect(interstitial.skipControl == nil && interstitial.snap.isEmpty && interstitial.restrict.isEmpty)
    }

    @Test func everyAttribute() throws {
        let interstitial = try Self.read(
            "DURATION=30,X-ASSET-URI=\"https://a.example/x.m3u8\",X-RESUME-OFFSET=-1.5,X-PLAYOUT-LIMIT=20,"
                + "X-SNAP=\"IN,OUT\",X-RESTRICT=\"JUMP,SKIP\",X-CONTENT-MAY-VARY=\"NO\",X-TIMELINE-OCCUPIES=\"RANGE\","
                + "X-TIMELINE-STYLE=\"PRIMARY\",X-SKIP-CONTROL-OFFSET=5,"
                + "X-SKIP-CONTROL-DURATION=7,X-SKIP-CONTROL-LABEL-ID=\"go\""
        )
        #expect(interstitial.assetURI == "https://a.example/x.m3u8")
        #expect(interstitial.expectedDuration == .seconds(20))
        #expect(interstitial.resumeOffset == .milliseconds(-1_500))
        #expect(interstitial.playoutLimit == .seconds(20))
        #expect(interstitial.snap == [.in, .out] && interstitial.restrict == [.jump, .skip])
        #expect(!interstitial.contentMayVary)
        #expect(interstitial.timelineOccupies == .range && interstitial.timelineStyle == .primary)
        #expect(interstitial.skipControl == SkipControl(offset: .seconds(5), duration: .seconds(7), labelID: "go"))
    }

    @Test(arguments: [
        ("DURATION=30,PLANNED-DURATION=40", 30), ("PLANNED-DURATION=40", 40),
        ("END-DATE=\"2027-01-01T00:00:20Z\",PLANNED-DURATION=40", 12), ("PLANNED-DURATION=40,X-PLAYOUT-LIMIT=18", 18),
        ("DURATION=10,X-PLAYOUT-LIMIT=18", 10),
    ]) func expectedDuration(_ attributes: String, _ seconds: Int) throws {
        #expect(try Self.read("X-ASSET-LIST=\"l\",\(attributes)").expectedDuration == .seconds(seconds))
    }

    @Test func snapsToTheNearestBoundary() throws {
        let both = try Self.read("X-ASSET-LIST=\"l\",DURATION=7,X-SNAP=\"OUT,IN\"")
        #expect(both.snapOut == Self.start + .seconds(6))
        // 15 s is midway between 12 and 18: the earlier boundary is used.
        #expect(both.snapIn == Self.start + .seconds(12))
        #expect(try Self.read("X-ASSET-LIST=\"l\",DURATION=60,X-SNAP=\"IN\"").snapIn == nil)
        #expect(try Self.read("X-ASSET-LIST=\"l\",CUE=\"PRE\",X-SNAP=\"OUT\"").snapOut == nil)
    }

    @Test func classIsComparedExactly() throws {
        let tag = "#EXT-X-DATERANGE:ID=\"i\",CLASS=\"com.apple.hls.Interstitial\",START-DATE=\"2027-01-01T00:00:08Z\"\n"
        let playlist = try #require(InlinePlaylist.media(InlinePlaylist.head + InlinePlaylist.dated + tag))
        #expect(playlist.interstitials.isEmpty)
    }
}
