import HLS
import Ports

extension GrowthCase {
    /// An envelope with one ad and one event, as in an attribute.
    private static func signaling(_ number: Int) -> String {
        Base64.encode(
            Array(
                "{\"version\":2,\"type\":\"slot\",\"payload\":[{\"tracking\":[{\"type\":\"start\",\"urls\":[\"https://t/\(number)\"]}]}]}"
                    .utf8))
    }

    /// Media playlists of a session, each twice; multivariant playlists and steering manifests.
    package static let playlists: [GrowthCase] = [
        playlist("segments", from: 8_000) { "#EXTINF:4,\ns\($0).ts\n" },
        playlist("parts", from: 8_000) { "#EXT-X-PART:DURATION=0.01,URI=\"p\($0).ts\"\n" },
        playlist("date ranges", from: 1_000) {
            "#EXT-X-DATERANGE:ID=\"d\($0)\",START-DATE=\"\(date($0))\",PLANNED-DURATION=30,SCTE35-OUT=0xFC302500000000000000FFF01405000012347FEFFE0034BC00FE00293C7D0001010000A7C6D5E4\n"
        },
        playlist("date ranges of one time", from: 1_000) {
            "#EXT-X-DATERANGE:ID=\"d\($0)\",START-DATE=\"\(date(1))\",PLANNED-DURATION=3000,SCTE35-OUT=0xFC302500000000000000FFF01405000012347FEFFE0034BC00FE00293C7D0001010000A7C6D5E4\n"
        },
        playlist("date ranges of one id", from: 1_000) {
            "#EXT-X-DATERANGE:ID=\"d\",START-DATE=\"\(date(1))\",X-A\($0 % 100)=\"\($0)\"\n"
        },
        playlist("interstitials", from: 1_000) {
            "#EXT-X-DATERANGE:ID=\"i\($0)\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"\(date($0))\",DURATION=10,X-ASSET-LIST=\"a\($0).json\",X-RESUME-OFFSET=0\n"
        },
        placed("interstitials, and dates that go back", from: 1_000) {
            "#EXT-X-DATERANGE:ID=\"i\($0)\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"\(date($0))\",DURATION=10,X-ASSET-LIST=\"a\($0).json\"\n#EXT-X-PROGRAM-DATE-TIME:\(date(-$0))\n#EXTINF:4,\ns\($0).ts\n"
        },
        placed("date ranges, and dates that go back", from: 1_000) {
            "#EXT-X-DATERANGE:ID=\"d\($0)\",START-DATE=\"\(date($0))\",PLANNED-DURATION=30,SCTE35-OUT=0xFC302500000000000000FFF01405000012347FEFFE0034BC00FE00293C7D0001010000A7C6D5E4\n#EXT-X-PROGRAM-DATE-TIME:\(date(-$0))\n#EXTINF:4,\ns\($0).ts\n"
        },
        playlist("date ranges with signaling", from: 120) {
            "#EXT-X-DATERANGE:ID=\"d\($0)\",CLASS=\"urn:svta:advertising-wg:ad-creative-signaling\",START-DATE=\"\(date($0))\",DURATION=1,X-AD-CREATIVE-SIGNALING=\"\(signaling($0))\"\n"
        },
        playlist(
            "interstitials and metadata of one time", from: 400,
            metadata: { count in
                MetadataText(breaks: count, breakStep: 10)
            }
        ) {
            "#EXT-X-DATERANGE:ID=\"i\($0)\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"\(date(15))\",DURATION=10,X-ASSET-LIST=\"a\($0).json\"\n"
        },
        playlist(
            "date ranges and metadata of one time", from: 400,
            metadata: { count in
                MetadataText(breaks: count, breakStep: 1, duration: 900_000)
            }
        ) {
            "#EXT-X-DATERANGE:ID=\"d\($0)\",START-DATE=\"\(date(15))\",PLANNED-DURATION=\($0),SCTE35-OUT=0xFC302500000000000000FFF01405000012347FEFFE0034BC00FE00293C7D0001010000A7C6D5E4\n"
        },
        playlist("cue tags", from: 2_000) {
            "#EXT-X-CUE-OUT:10\n#EXTINF:4,\ns\($0).ts\n#EXT-X-CUE-IN\n#EXTINF:4,\nt\($0).ts\n"
        },
        playlist("cue tags of breaks without a length", from: 2_000) {
            "#EXT-X-CUE-OUT\n#EXT-X-CUE-OUT-CONT\n#EXTINF:4,\ns\($0).ts\n#EXTINF:4,\nt\($0).ts\n#EXTINF:4,\nu\($0).ts\n"
        },
        following("cue tags, numbered from the start again", from: 2_000) { _ in
            "#EXT-X-MEDIA-SEQUENCE:1000000\n#EXT-X-CUE-OUT:4\n#EXT-X-PROGRAM-DATE-TIME:\(date(0))\n#EXTINF:4,\nf.ts\n"
        } next: { size in
            "#EXT-X-PROGRAM-DATE-TIME:\(date(9))\n"
                + (0..<size).map { "#EXT-X-CUE-OUT:4\n#EXTINF:4,\ns\($0).ts\n" }.joined()
        },
        following("segments of one name under other numbers", from: 4_000) { size in
            String(repeating: "#EXTINF:4,\ns.ts\n", count: size) + "#EXTINF:4,\ny.ts\n"
        } next: { size in
            "#EXT-X-MEDIA-SEQUENCE:1000000\n" + String(repeating: "#EXTINF:4,\ns.ts\n", count: size / 2)
                + "#EXTINF:4,\nx.ts\n"
        },
        placed("date ranges that end those before them", from: 1_000) {
            "#EXT-X-DATERANGE:ID=\"d\($0)\",START-DATE=\"\(date($0))\",SCTE35-OUT=0xFC\n#EXT-X-DATERANGE:ID=\"e\($0)\",START-DATE=\"\(date($0 + 1))\",SCTE35-IN=0xFC\n#EXT-X-PROGRAM-DATE-TIME:\(date($0))\n#EXTINF:5,\ns\($0).ts\n"
        },
        shortSegments("short segments whose media is not read", tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"),
        shortSegments("short segments whose media is read", tags: ""),
        playlist("cue tags of one segment", from: 2_000) { "#EXT-X-CUE-OUT:\($0)\n" },
        playlist("discontinuities, maps and keys", from: 4_000) {
            "#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"m\($0)\"\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\($0)\",KEYFORMAT=\"f\($0)\"\n#EXTINF:4,\ns\($0).ts\n"
        },
        playlist("definitions and their use", from: 1_000) {
            "#EXT-X-DEFINE:NAME=\"v\($0)\",VALUE=\"x\"\n#EXTINF:4,\ns{$v\($0)}.ts\n"
        },
        playlist("rendition reports and hints", from: 2_000) {
            "#EXT-X-RENDITION-REPORT:URI=\"r\($0).m3u8\",LAST-MSN=\($0)\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"h\($0)\"\n"
        },
        playlist("unknown tags", from: 8_000) { "#EXT-X-UNKNOWN-\($0):\($0)\n" },
        playlist("faults", from: 8_000) { "#EXTINF:x\($0),\n#EXT-X-BYTERANGE:y\ns\($0).ts\n" },
        playlist("attributes of a tag", from: 8_000, head: "#EXT-X-DATERANGE:ID=\"d\",START-DATE=\"\(date(1))\"") {
            ",X-A\($0)=\"\($0)\""
        },
        multivariant("variants", from: 1_000) {
            "#EXT-X-STREAM-INF:BANDWIDTH=\(100_000 + $0),PATHWAY-ID=\"p\($0)\",AUDIO=\"g\($0)\"\nv\($0).m3u8\n"
        },
        multivariant("variants of one bandwidth", from: 1_000) {
            "#EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS=\"avc1.\($0)\"\nv\($0).m3u8\n"
        },
        multivariant("renditions", from: 1_000) {
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\($0)\",NAME=\"n\",URI=\"r\($0).m3u8\"\n#EXT-X-STREAM-INF:BANDWIDTH=100000,AUDIO=\"g\($0)\"\nv\($0).m3u8\n"
        },
        multivariant("session data and keys", from: 1_000) {
            "#EXT-X-SESSION-DATA:DATA-ID=\"d\($0)\",VALUE=\"v\"\n#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"k\($0)\"\n"
        },
    ]

    private static func date(_ number: Int) -> String {
        (FedSession.start + .milliseconds(60_000 + number * 5_000)).iso8601
    }

    private static func playlist(
        _ name: String, from size: Int, head: String = "", metadata: (@Sendable (Int) -> MetadataText)? = nil,
        _ unit: @escaping @Sendable (Int) -> String
    ) -> GrowthCase {
        let tags: @Sendable (Int) -> String = { head + (0..<$0).map(unit).joined() + (head.isEmpty ? "" : "\n") }
        var growing = GrowthCase("playlist: \(name)", from: size) { size in
            var session = started()
            if let metadata {
                session.metadata = metadata(size).bytes
                session.advance(by: .seconds(5))
            }
            session.tags = tags(size)
            return {
                session.advance(by: .seconds(4))
                session.advance(by: .seconds(4))
            }
        }
        // With metadata, that document is read again too.
        let target = metadata == nil ? 0.15 : 0.15 + largestMetadataTarget
        growing.largest = Largest(limit: Limits.playlistBytes, target: target, readings: 2) { tags($0).utf8.count }
        return growing
    }

    /// The places of interstitials and breaks alone.
    private static func placed(
        _ name: String, from size: Int, _ unit: @escaping @Sendable (Int) -> String
    ) -> GrowthCase {
        GrowthCase("playlist: \(name)", from: size) { size in
            let text = Array(("#EXTM3U\n#EXT-X-TARGETDURATION:4\n" + (0..<size).map(unit).joined()).utf8)
            guard case .media(let playlist) = PlaylistParser.parse(text, uri: "https://h/m.m3u8").kind
            else { preconditionFailure("not a media playlist") }
            var timeline = Timeline()
            _ = timeline.fold(playlist)
            return {
                var interstitials = InterstitialTrack()
                var breaks = BreakTrack()
                for reload in 1...2 {
                    interstitials.fold(timeline, playhead: nil)
                    breaks.fold(timeline, reload: reload)
                }
            }
        }
    }

    /// A playlist behind another one.
    private static func following(
        _ name: String, from size: Int, _ first: @escaping @Sendable (Int) -> String,
        next: @escaping @Sendable (Int) -> String
    ) -> GrowthCase {
        GrowthCase("playlist: \(name)", from: size) { size in
            let playlists = [first(size), next(size)].map { text in
                let bytes = Array(("#EXTM3U\n#EXT-X-TARGETDURATION:4\n" + text).utf8)
                guard case .media(let playlist) = PlaylistParser.parse(bytes, uri: "https://h/m.m3u8").kind
                else { preconditionFailure("not a media playlist") }
                return playlist
            }
            var timeline = Timeline()
            var breaks = BreakTrack()
            _ = timeline.fold(playlists[0])
            breaks.fold(timeline, reload: 0)
            return {
                _ = timeline.fold(playlists[1])
                breaks.fold(timeline, reload: 1)
            }
        }
    }

    /// Segments of a session whose provider places ads by ids in the media: many in what is read ahead of the viewer.
    private static func shortSegments(_ name: String, tags: String) -> GrowthCase {
        GrowthCase("playlist: \(name)", from: 4_000) { size in
            var session = FedSession(path: FedSession.daiPath)
            session.metadata = Array(#"{"tags":{},"ads":{},"ad_breaks":{}}"#.utf8)
            session.tags = tags
            session.advance(by: .zero)
            session.advance(by: .seconds(5))
            session.tail = (0..<size).map { "#EXTINF:0.001,\nshort\($0).ts\n" }.joined()
            return {
                session.advance(by: .seconds(4))
                session.advance(by: .seconds(4))
            }
        }
    }

    private static func multivariant(
        _ name: String, from size: Int, _ unit: @escaping @Sendable (Int) -> String
    ) -> GrowthCase {
        GrowthCase("multivariant: \(name)", from: size) { size in
            let text = Array(("#EXTM3U\n" + (0..<size).map(unit).joined()).utf8)
            return {
                guard case .multivariant(let playlist) = PlaylistParser.parse(text, uri: "https://h/m.m3u8").kind
                else { preconditionFailure("not a multivariant playlist") }
                _ = VariantChoice(playlist)
            }
        }
    }
}
