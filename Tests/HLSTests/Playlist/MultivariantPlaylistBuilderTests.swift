import HLS
import Ports
import Testing

/// Multivariant playlists by rfc8216bis-22 section 4.4.6.
struct MultivariantPlaylistBuilderTests {
    private static func read(_ lines: String) throws -> MultivariantPlaylist {
        try #require(InlinePlaylist.parse("#EXTM3U\n#EXT-X-VERSION:13\n" + lines).multivariant)
    }

    @Test(arguments: [
        ("p.m3u8", true), ("p.m3u8\n", false), ("p.m3u8\r", false), ("p.m3u8\r\n", false), ("p.m3u8\n#x", false),
    ])
    func theLastAddressMayBeCutWithoutALineEnd(_ end: String, _ mayBeCut: Bool) throws {
        let variants = try Self.read("#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\n" + end)
            .variants
        #expect(variants.map(\.mayBeCut) == [false, mayBeCut])
    }

    @Test func variantAttributes() throws {
        let variant = try #require(
            Self.read(
                "#EXT-X-STREAM-INF:BANDWIDTH=5000000,AVERAGE-BANDWIDTH=4000000,CODECS=\"avc1,mp4a\","
                    + "SUPPLEMENTAL-CODECS=\"dvh1\",RESOLUTION=1920x1080,FRAME-RATE=59.94,HDCP-LEVEL=TYPE-1,"
                    + "VIDEO-RANGE=PQ,"
                    + "SCORE=2.5,AUDIO=\"a\",VIDEO=\"v\",SUBTITLES=\"s\",CLOSED-CAPTIONS=NONE,PATHWAY-ID=\"p\","
                    + "STABLE-VARIANT-ID=\"i\",REQ-VIDEO-LAYOUT=\"CH-STEREO\"\n\n# between\nv/p.m3u8\n"
            ).variants.first)
        var expected = Variant(uri: "https://cdn.example.com/live/ch1/v/p.m3u8")
        expected.bandwidth = 5_000_000
        expected.averageBandwidth = 4_000_000
        expected.codecs = "avc1,mp4a"
        expected.supplementalCodecs = "dvh1"
        expected.resolution = Resolution(width: 1_920, height: 1_080)
        expected.frameRate = 59.94
        expected.hdcpLevel = "TYPE-1"
        expected.videoRange = "PQ"
        expected.score = 2.5
        expected.audio = "a"
        expected.video = "v"
        expected.subtitles = "s"
        expected.hasNoClosedCaptions = true
        expected.pathwayID = "p"
        expected.stableVariantID = "i"
        expected.requiredVideoLayout = "CH-STEREO"
        expected.line = 3
        #expect(variant == expected)
    }

    /// rfc8216bis-22 section 4.4.6.2: NONE states that there are no captions; without the attribute there may be some.
    @Test func theJSONShowsThatThereAreNoClosedCaptions() throws {
        let parsed = InlinePlaylist.parse(
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CLOSED-CAPTIONS=NONE\na.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\nb.m3u8\n"
        )
        let variants = try #require(parsed.json["variants"]?.arrayValue)
        #expect(variants.map { $0["closed_captions"] } == ["NONE", .null])
    }

    /// Real packagers write fractions in BANDWIDTH: the finding remains, and the number is used.
    @Test(arguments: ["1280000.0", "1280000.", "1280000.75"])
    func aBandwidthWithAFractionIsUsed(_ text: String) throws {
        let parsed = InlinePlaylist.parse(
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=\(text),AVERAGE-BANDWIDTH=\(text)\na.m3u8\n")
        let variant = try #require(parsed.multivariant?.variants.first)
        #expect(variant.bandwidth == 1_280_000 && variant.averageBandwidth == 1_280_000)
        #expect(InlinePlaylist.findings(parsed) == ["number-invalid@2", "number-invalid@2"])
    }

    @Test(arguments: ["", ".5", "-1.0", "1.2.3", "1.0e3", "9999999999999999999.0", "1.x"])
    func otherBandwidthsAreInvalid(_ text: String) throws {
        let parsed = InlinePlaylist.parse("#EXTM3U\n#EXT-X-STREAM-INF:CODECS=\"a\",BANDWIDTH=\(text)\na.m3u8\n")
        let variant = try #require(parsed.multivariant?.variants.first)
        #expect(variant.bandwidth == nil)
    }

    /// rfc8216bis-22 section 6.3.1: an unknown enumerated value or REQ- attribute drops the tag and its URI.
    @Test(arguments: ["HDCP-LEVEL=TYPE-9", "VIDEO-RANGE=HDR10000", "REQ-NEW=\"x\""])
    func ignoredVariantTakesItsURI(_ attribute: String) throws {
        let playlist = try Self.read(
            "#EXT-X-STREAM-INF:BANDWIDTH=1,\(attribute)\nx.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\ny.m3u8\n")
        #expect(playlist.variants.map(\.bandwidth) == [2])
    }

    @Test func renditions() throws {
        let playlist = try Self.read(
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",LANGUAGE=\"en\",ASSOC-LANGUAGE=\"de\","
                + "DEFAULT=YES,AUTOSELECT=YES,"
                + "FORCED=NO,CHANNELS=\"2\",CHARACTERISTICS=\"c\",STABLE-RENDITION-ID=\"i\","
                + "BIT-DEPTH=16,SAMPLE-RATE=48000,URI=\"a.m3u8\"\n"
                + "#EXT-X-MEDIA:TYPE=HOLOGRAM,GROUP-ID=\"a\",NAME=\"n\"\n"
                + "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"n\",INSTREAM-ID=\"SERVICE1\"\n")
        #expect(playlist.renditions.map(\.kind) == [.audio, .closedCaptions])
        let audio = try #require(playlist.renditions.first)
        #expect(audio.isDefault && audio.isAutoselect && !audio.isForced)
        #expect(audio.bitDepth == 16 && audio.sampleRate == 48_000 && audio.associatedLanguage == "de")
        #expect(audio.uri == "https://cdn.example.com/live/ch1/a.m3u8")
        #expect(playlist.renditions.last?.instreamID == "SERVICE1")
    }

    /// Reported but used (HLS-5), like a variant without BANDWIDTH.
    @Test func renditionsWithoutGroupOrNameAreKept() throws {
        let parsed = InlinePlaylist.parse(
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n#EXT-X-MEDIA:TYPE=AUDIO,NAME=\"n\"\n"
                + "#EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID=\"g\"\n#EXT-X-MEDIA:GROUP-ID=\"g\",NAME=\"n\"\n")
        #expect(InlinePlaylist.findings(parsed) == (4...6).map { "rendition-missing-attribute@\($0)" })
        let renditions = try #require(parsed.json["renditions"]?.arrayValue)
        #expect(renditions.map { $0["type"] } == ["AUDIO", "VIDEO"])
        #expect(renditions.map { $0["group_id"] } == [.null, "g"])
        #expect(renditions.map { $0["name"] } == ["n", .null])
    }

    @Test func incompleteSessionDataIsKept() throws {
        let parsed = InlinePlaylist.parse(
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n#EXT-X-SESSION-DATA:VALUE=\"x\"\n"
                + "#EXT-X-SESSION-DATA:DATA-ID=\"d\"\n#EXT-X-SESSION-DATA:VALUE=\"y\"\n")
        #expect(InlinePlaylist.findings(parsed) == (4...6).map { "session-data-invalid@\($0)" })
        let entries = try #require(parsed.json["session_data"]?.arrayValue)
        #expect(entries.map { $0["data_id"] } == [.null, "d", .null])
        #expect(entries.map { $0["value"] } == ["x", .null, "y"])
    }

    @Test func sessionDataKeysAndSteering() throws {
        let playlist = try Self.read(
            "#EXT-X-SESSION-DATA:DATA-ID=\"d\",VALUE=\"v\",LANGUAGE=\"en\"\n"
                + "#EXT-X-SESSION-DATA:DATA-ID=\"e\",URI=\"e.bin\",FORMAT=RAW\n"
                + "#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"f\"\n"
                + "#EXT-X-CONTENT-STEERING:SERVER-URI=\"data:application/json,{}\",PATHWAY-ID=\".\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=1\nv"
        )
        #expect(playlist.sessionData.map(\.format) == [nil, "RAW"])
        #expect(playlist.sessionData.map(\.value) == ["v", nil])
        #expect(playlist.sessionKeys.map(\.uri) == ["skd://k"])
        #expect(playlist.contentSteering == ContentSteering(serverURI: "data:application/json,{}", pathwayID: "."))
    }
}
