import HLS
import Ports
import Testing

/// Each rule of the lint table with the smallest playlist that breaks it: exactly these findings, at these lines.
struct PlaylistRuleTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var text: String
        var expected: [String]
        var testDescription: String { expected.joined(separator: ", ") }

        init(_ text: String, _ expected: String...) {
            self.text = text
            self.expected = expected
        }
    }

    private static let head = InlinePlaylist.head
    private static let dated = InlinePlaylist.dated
    private static let segments = InlinePlaylist.segments

    static let cases: [Case] =
        textCases + versionCases + headerCases + segmentCases + lowLatencyCases
        + dateRangeCases + cueCases + multivariantCases

    private static let textCases: [Case] = [
        Case("#EXT-X-VERSION:6", "no-extm3u@1"),
        Case("", "no-extm3u@1"),
        Case("\n#EXTM3U", "no-extm3u@1"),
        Case(head + "#EXT-X-STREAM-INF:BANDWIDTH=1\n", "mixed-playlist@4"),
        Case(head + "#EXTINF:6,\n{$x}.ts", "undefined-variable@5"),
        Case(head + "#EXT-X-DEFINE:VALUE=\"a\"", "define-invalid@4"),
        Case(head + "#EXT-X-DEFINE:NAME=\"a\"", "define-invalid@4"),
        Case(head + "#EXT-X-DEFINE:NAME=\"a b\",VALUE=\"\"", "define-invalid@4"),
        Case("#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"known\"", "define-invalid@2"),
        Case("#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"a\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv", "define-invalid@2"),
        Case("#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"a\"\n#EXT-X-TARGETDURATION:6\n", "define-import-missing@2"),
        Case(
            head + "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\"\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\"", "define-duplicate@5"),
        Case(head + "#EXT-X-DEFINE:IMPORT=\"a\"", "define-import-missing@4"),
        Case(head + "#EXT-X-DEFINE:QUERYPARAM=\"a\"", "define-queryparam-missing@4"),
        Case(head + "#EXTINF:6,\n#EXT-X-BYTERANGE:5\n0.ts", "byterange-without-offset@5"),
        Case(head + "#EXT-X-VERSION:6\n", "duplicate-tag@4"),
        Case(head + "#EXT-X-TARGETDURATION:6\n" + segments, "duplicate-tag@4"),
        Case("\u{FEFF}" + head + segments, "bom-present@1"),
        Case(head + "#\u{1}\u{7F}\n" + segments, "control-characters@4"),
        Case(head + "#\u{85}\n#\u{A0}\u{2080}\n" + segments, "control-characters@4"),
        Case(head + " #EXT-X-ENDLIST\n", "stray-whitespace@4"),
        Case(head + segments + "# EXT-X-CUE-IN\n", "tag-in-comment@10"),
        Case("#EXTM3U\r" + "#EXT-X-TARGETDURATION:6\n" + segments, "bare-carriage-return@1"),
        Case(
            head + "#EXT-X-PART-INF:PART-TARGET=1, X=\"\"\n" + segments, "attribute-whitespace@4",
            "part-hold-back-missing@4"),
        Case(head + "#EXT-X-START:TIME-OFFSET=0,junk\n" + segments, "bad-attribute-list@4"),
        Case(head + "#EXT-X-START:TIME-OFFSET=0,name=1\n" + segments, "bad-attribute-list@4"),
        Case(head + "#EXT-X-START:TIME-OFFSET=0,X=\"open\n" + segments, "bad-attribute-list@4"),
        Case(head + "#EXT-X-START:TIME-OFFSET=0,X=\"a\"b\n" + segments, "bad-attribute-list@4"),
        Case(head + "#EXT-X-START:TIME-OFFSET=9,TIME-OFFSET=0\n" + segments, "duplicate-attribute@4"),
        Case(head + "#EXT-X-START:TIME-OFFSET =0\n" + segments, "attribute-whitespace@4"),
        Case(head + "#EXT-X-START: TIME-OFFSET=0\n" + segments, "attribute-whitespace@4"),
        Case("#EXTM3U\n#EXT-X-STREAM-INF:\tBANDWIDTH=1\nv", "attribute-whitespace@2"),
        Case(head + "#EXT-X-CUE-OUT: 30\n" + segments),
        Case(head + "#EXT-X-MEDIA-SEQUENCE:-1\n" + segments, "number-invalid@4"),
        Case(head + "#EXT-X-MEDIA-SEQUENCE:18446744073709551615\n" + segments, "limit-reached@4"),
        Case(head + "#EXT-X-MEDIA-SEQUENCE:18446744073709551616\n" + segments, "number-invalid@4"),
        Case(head + "#EXT-X-START:TIME-OFFSET=\"0\"\n" + segments, "number-invalid@4"),
        Case("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=\"1\"\nv", "number-invalid@2"),
        Case(head + "#EXTINF:6,\njavascript:alert(1)\n#EXT-X-ENDLIST", "uri-scheme@5"),
        Case(head + "#EXT-X-MAP:URI=\"file:///etc/passwd\"\n" + segments, "uri-scheme@4"),
        Case(head + "#EXTINF:6,\nHTTPS://a.example/a:b\n#EXTINF:6,\n2/a:b.ts\n#EXT-X-ENDLIST"),
        Case(head + dated + interstitial("X-ASSET-URI=\"javascript:1\""), "uri-scheme@11"),
        Case(head + dated + interstitial("X-ASSET-LIST=\"data:application/json,{}\"")),
        Case("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nfile:///v", "uri-scheme@3"),
        Case(head + "#EXT-X-START:TIME-OFFSET=0,PRECISE=MAYBE\n" + segments, "unknown-enum-value@4"),
    ]

    private static let versionCases: [Case] = [
        Case("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6.0,\n0.ts\n#EXT-X-ENDLIST", "float-extinf-version@3"),
        Case("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXT-X-MAP:URI=\"i\"\n", "version-too-low@4"),
        Case("#EXTM3U\n#EXT-X-VERSION:5\n#EXT-X-TARGETDURATION:6\n#EXT-X-MAP:URI=\"i\"\n#EXT-X-I-FRAMES-ONLY\n"),
        Case("#EXTM3U\n#EXT-X-VERSION:14\n#EXT-X-TARGETDURATION:6\n", "unsupported-version"),
        Case(
            multivariant + "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"g\",NAME=\"n\",INSTREAM-ID=\"SERVICE1\"",
            "instream-id-version@4"),
    ]

    private static let headerCases: [Case] = [
        Case(head + "#EXTINF:6,\n0.ts\n#EXT-X-MEDIA-SEQUENCE:4\n#EXT-X-ENDLIST", "tag-after-first-segment@6"),
        Case(
            head + "#EXT-X-DISCONTINUITY\n#EXT-X-DISCONTINUITY-SEQUENCE:4\n#EXTINF:6,\n0.ts\n#EXT-X-ENDLIST",
            "tag-after-first-segment@5"),
        Case("#EXTM3U\n#EXTINF:6,\n0.ts", "missing-target-duration"),
        Case("#EXTM3U\n#EXT-X-TARGETDURATION:0\n#EXTINF:6,\n0.ts", "target-duration-invalid@2"),
        Case(head + "#EXTINF:6.5,\n0.ts\n#EXT-X-ENDLIST", "target-duration-exceeded@4"),
        Case(head + "#EXTINF:6.4999,\n0.ts\n#EXT-X-ENDLIST"),
        Case(head + "#EXT-X-START:PRECISE=YES\n", "start-invalid@4"),
        Case(head + "#EXT-X-START:TIME-OFFSET=-3\n" + segments, "start-near-end@4"),
        Case(head + "#EXT-X-START:TIME-OFFSET=1\n" + segments, "start-near-end@4"),
        Case(head + "#EXT-X-START:TIME-OFFSET=-18\n" + segments),
        Case(head + "#EXT-X-START:TIME-OFFSET=-3\n" + segments + "#EXT-X-ENDLIST"),
        Case(head + "#EXT-X-PLAYLIST-TYPE:LIVE\n", "playlist-type-invalid@4"),
        Case(head + "#EXT-X-PLAYLIST-TYPE:VOD\n" + segments, "vod-without-endlist@4"),
        Case(head + "#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:6,\n0.ts\n", "vod-without-endlist@4"),
        Case(head + "#EXT-X-PLAYLIST-TYPE:VOD\n" + segments + "#EXT-X-ENDLIST"),
        Case(head + "#EXT-X-SERVER-CONTROL:HOLD-BACK=17.9\n", "hold-back-too-small@4"),
        Case(head + "#EXT-X-PART-INF:PART-TARGET=1\n", "part-hold-back-missing@4"),
        Case(
            head + "#EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=1.9\n",
            "part-hold-back-too-small@5"),
        Case(
            head + "#EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=2\n",
            "part-hold-back-below-3x@5"),
        Case(head + "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=35\n", "skip-boundary-too-small@4"),
        Case(head + "#EXT-X-SERVER-CONTROL:CAN-SKIP-DATERANGES=YES\n", "skip-dateranges-without-skip-until@4"),
        Case(head + "#EXTINF:6,\n0.ts", "live-window-too-short"),
    ]

    private static let segmentCases: [Case] = [
        Case(head + "#EXTINF:x,\n0.ts\n#EXT-X-ENDLIST", "extinf-invalid@4"),
        Case(head + "#EXTINF:-6,\n0.ts\n#EXT-X-ENDLIST", "extinf-invalid@4"),
        Case(head + "#EXTINF:6\n0.ts\n#EXT-X-ENDLIST", "extinf-no-comma@4"),
        Case(head + "#EXTINF:6,\n#EXT-X-ENDLIST", "extinf-without-uri@4"),
        Case(head + "#EXTINF:5,\n#EXTINF:6,\n0.ts\n#EXT-X-ENDLIST", "extinf-without-uri@4"),
        Case(head + "0.ts\n#EXT-X-ENDLIST", "segment-without-extinf@4"),
        Case("#EXTM3U\n0.ts\n" + head.dropFirst(8), "segment-without-extinf@2"),
        Case(head + "#EXT-X-PROGRAM-DATE-TIME:noon\n" + segments, "pdt-invalid@4"),
        Case(head + "#EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:00\n" + segments, "pdt-no-timezone@4"),
        Case(head + "#EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:00Z\n" + dated, "pdt-duplicate@5"),
        Case(head + dated + date("00:00:18.101") + segments, "pdt-drift@11"),
        Case(head + dated + date("00:00:18.100") + segments),
        Case(head + dated + date("00:00:17.000") + segments, "pdt-overlap@11"),
        Case(head + dated + date("00:00:11.999") + segments, "pdt-backwards@11"),
        Case(head + dated + "#EXT-X-DISCONTINUITY\n" + date("00:01:00") + segments, "pdt-jump@12"),
        Case(
            head + dated + "#EXT-X-DISCONTINUITY\n" + date("00:00:01") + segments, "pdt-jump@12", "pdt-backwards@12"),
        Case(head + dated + "#EXT-X-DISCONTINUITY\n" + segments, "pdt-missing-at-discontinuity@13"),
        Case(head + "#EXT-X-BYTERANGE:5@\n" + segments, "byterange-invalid@4"),
        Case(head + "#EXT-X-MAP:BYTERANGE=\"1@0\"\n" + segments, "map-missing-uri@4"),
        Case(head + segments + "#EXT-X-MAP:URI=\"i\"\n" + segments, "map-change-without-discontinuity@12"),
        Case(head + segments + "#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"i\"\n" + segments),
        Case(head + "#EXT-X-KEY:METHOD=AES-128\n" + segments, "key-invalid@4"),
        Case(head + "#EXT-X-KEY:URI=\"k\"\n" + segments, "key-invalid@4"),
        Case(head + "#EXT-X-KEY:METHOD=NONE,URI=\"k\"\n" + segments, "key-invalid@4"),
        Case(head + "#EXT-X-KEY:METHOD=NONE\n" + segments),
        Case(head + "#EXT-X-GAP\n" + segments, "gap-segment@6"),
    ]

    private static let lowLatencyHead =
        head + "#EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=3\n"

    private static let lowLatencyCases: [Case] = [
        Case(head + "#EXT-X-PART:URI=\"p\"\n", "part-invalid@4"),
        Case(head + "#EXT-X-PART:DURATION=1\n", "part-invalid@4"),
        Case(head + "#EXT-X-PART:URI=\"p\",DURATION=1\n", "part-inf-missing@4"),
        Case(lowLatencyHead + "#EXT-X-PART:URI=\"p\",DURATION=1.01\n", "part-too-long@6"),
        Case(lowLatencyHead + "#EXT-X-PART:URI=\"p\",DURATION=1\n#EXT-X-DISCONTINUITY\n", "tag-after-part@7"),
        Case(lowLatencyHead + "#EXT-X-PART:URI=\"p\",DURATION=1\n#EXT-X-MAP:URI=\"i\"\n", "tag-after-part@7"),
        Case(
            lowLatencyHead + "#EXT-X-PART:URI=\"p\",DURATION=1\n" + date("00:00:00"), "tag-after-part@7"),
        Case(lowLatencyHead + "#EXT-X-PART:URI=\"p\",DURATION=\"1\"\n", "number-invalid@6"),
        Case(
            lowLatencyHead + "#EXT-X-PART:URI=\"p\",DURATION=0.84\n#EXT-X-PART:URI=\"q\",DURATION=0.84\n",
            "part-too-short@6"),
        Case(
            lowLatencyHead
                + "#EXT-X-PART:URI=\"p\",DURATION=0.84\n#EXT-X-PART:URI=\"q\",DURATION=0.84,GAP=YES\n"
                + "#EXT-X-PART:URI=\"r\",DURATION=0.1,INDEPENDENT=YES\n#EXT-X-PART:URI=\"s\",DURATION=0.85\n"),
        Case(head + "#EXT-X-PRELOAD-HINT:TYPE=PART\n", "preload-hint-invalid@4"),
        Case(head + "#EXT-X-PRELOAD-HINT:TYPE=KEY,URI=\"k\"\n", "preload-hint-unknown-type@4"),
        Case(
            head + "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"k\"\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"l\"\n",
            "preload-hint-duplicate@5"),
        Case(head + "#EXT-X-PRELOAD-HINT:TYPE=MAP,URI=\"k\"\n#EXT-X-ENDLIST\n", "preload-hint-with-endlist@4"),
        Case(head + "#EXT-X-RENDITION-REPORT:LAST-MSN=4\n", "rendition-report-invalid@4"),
        Case("#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:6\n#EXT-X-SKIP:\n", "skip-invalid@4"),
    ]

    private static let dateRangeCases: [Case] = [
        Case(head + dated + range("CLASS=\"c\""), "daterange-missing-id@11"),
        Case(head + dated + range("ID=\"a\",DURATION=1"), "daterange-missing-start@11"),
        Case(
            head + dated + range("ID=\"a\",DURATION=1") + range("ID=\"a\",START-DATE=\"2027-01-01T00:00:00Z\""),
            "daterange-missing-start@11"),
        Case(head + dated + started("DURATION=\"5\""), "number-invalid@11"),
        Case(head + dated + interstitial("X-ASSET-LIST=\"l\",X-RESUME-OFFSET=\"5\""), "number-invalid@11"),
        Case(head + dated + range("ID=\"a\",START-DATE=\"noon\""), "daterange-bad-date@11"),
        Case(head + dated + started("DURATION=-1"), "daterange-negative-duration@11"),
        Case(head + dated + started("END-DATE=\"2026-12-31T00:00:00Z\""), "daterange-end-before-start@11"),
        Case(
            head + dated + started("DURATION=1,END-DATE=\"2027-01-01T00:00:01.002Z\""),
            "daterange-duration-end-mismatch@11"),
        Case(head + dated + started("DURATION=1,END-DATE=\"2027-01-01T00:00:01.001Z\"")),
        Case(head + dated + started("DURATION=1") + range("ID=\"a\",DURATION=2"), "daterange-attr-conflict@12"),
        Case(head + dated + started("DURATION=1") + range("ID=\"a\",DURATION=1.0")),
        Case(head + dated + started("END-ON-NEXT=YES"), "daterange-end-on-next-no-class@11"),
        Case(
            head + dated + started("END-ON-NEXT=YES,CLASS=\"c\",DURATION=1"),
            "daterange-end-on-next-with-duration@11"),
        Case(head + dated + started("CUE=\"PRE,POST\""), "daterange-cue-pre-and-post@11"),
        Case(
            head + dated + started("X-A=1,X-B=0x0A") + range("ID=\"a\",X-A=1.0,X-B=0x0B"), "daterange-attr-conflict@12"),
        Case(head + segments + started("DURATION=1"), "daterange-without-pdt@10"),
        Case(head + segments + date("00:00:00") + started("DURATION=1")),
        Case(
            head + dated + started("SCTE35-CMD=\"0xFC3011000000000000FFFFF000000000761DD3B6\""), "scte35-quoted@11"),
        Case(head + dated + started("SCTE35-CMD=0xFC3011000000000000FFFFF000000000761DD3B7"), "scte35-bad-crc@11"),
        Case(head + dated + started("SCTE35-CMD=0xFC30"), "scte35-undecodable@11"),
        Case(head + dated + interstitial("DURATION=1"), "interstitial-no-asset@11"),
        Case(head + dated + interstitial("X-ASSET-URI=\"\""), "interstitial-no-asset@11"),
        Case(
            head + dated + interstitial("X-ASSET-URI=\"https://a.example\",X-ASSET-LIST=\"l\""),
            "interstitial-both-assets@11"),
        Case(head + dated + interstitial("X-ASSET-URI=\"a.m3u8\""), "interstitial-relative-asset-uri@11"),
        Case(head + dated + interstitial("X-ASSET-LIST=\"l\",X-CUE=\"PRE\""), "interstitial-legacy-x-cue@11"),
        Case(head + dated + interstitial("X-ASSET-LIST=\"l\",X-SNAP=\"UP\""), "interstitial-bad-enum@11"),
        Case(
            head + dated + interstitial("X-ASSET-LIST=\"l\",X-CONTENT-MAY-VARY=\"PERHAPS\""),
            "interstitial-bad-enum@11"),
    ]

    private static let cueCases: [Case] = [
        Case(head + "#EXT-X-CUE-OUT:abc\n" + segments, "cue-malformed@4"),
        Case(head + "#EXT-X-CUE:TYPE=Nothing\n" + segments, "cue-malformed@4"),
        Case(head + "#EXT-X-CUE-IN\n" + segments, "cue-in-without-out@4"),
        // A live window that moved may have lost the start of one break, and of no more than one.
        Case(head + "#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-CUE-IN\n" + segments),
        Case(head + "#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-CUE-IN\n#EXT-X-SCTE35:CUE-IN=YES\n" + segments),
        Case(
            head + "#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-CUE-IN\n" + segments + "#EXT-X-CUE-IN\n" + segments,
            "cue-in-without-out@12"),
        Case(head + "#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-CUE-IN\n" + segments + "#EXT-X-ENDLIST", "cue-in-without-out@5"),
        // A break whose length the window has lost ends with its last continuation.
        Case(
            head + "#EXT-X-CUE-CONT:ID=\"1\",AVAIL-DUR-ELAPSED=6\n" + segments
                + "#EXT-X-CUE:TYPE=\"SpliceOut\",ID=\"2\",TIME=9,DURATION=18\n" + segments),
        Case(
            head + "#EXT-X-CUE-OUT:30\n#EXTINF:6,\n0.ts\n#EXT-X-CUE-OUT:30\n" + segments, "cue-out-nested@7"),
        Case(head + "#EXT-X-CUE-OUT:30\n" + segments + "#EXT-X-ENDLIST", "cue-out-without-in@4"),
        Case(
            head + "#EXT-X-CUE-OUT:18\n" + segments + "#EXT-X-CUE-IN\n#EXT-X-SCTE35:CUE-IN=YES\n" + segments
                + "#EXT-X-CUE-IN\n", "cue-in-without-out@19"),
        Case(head + "#EXT-X-CUE-OUT:\"18\"\n" + segments),
        Case(head + "#EXT-X-CUE-OUT:16.9\n" + segments + "#EXT-X-CUE-IN\n", "cue-out-duration-mismatch@11"),
        Case(head + "#EXT-X-CUE-OUT:17\n" + segments + "#EXT-X-CUE-IN\n"),
        Case(head + "#EXT-X-CUE-OUT:60\n" + segments + "#EXT-X-CUE-OUT-CONT:19.1/60\n", "cue-cont-elapsed-mismatch@11"),
    ]

    private static let multivariant = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"

    private static func captions(_ attributes: String) -> String {
        "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"g\",NAME=\"n\",\(attributes)\n"
    }

    private static func audio(_ name: String, _ attributes: String = "LANGUAGE=\"en\"") -> String {
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"\(name)\",\(attributes)\n"
    }

    private static let multivariantCases: [Case] = [
        Case("#EXTM3U\n", "no-variants"),
        Case("#EXTM3U\n#EXT-X-STREAM-INF:CODECS=\"a\"\nv.m3u8", "variant-missing-bandwidth@2"),
        Case("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1.5\nv.m3u8", "number-invalid@2"),
        Case(
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1.x\nv.m3u8", "number-invalid@2", "variant-missing-bandwidth@2"),
        Case(multivariant + "#EXT-X-STREAM-INF:BANDWIDTH=1", "variant-missing-uri@4"),
        Case(multivariant + "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1", "variant-missing-uri@4"),
        Case(multivariant + "w.m3u8", "uri-without-tag@4"),
        Case(
            multivariant + "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i\",FRAME-RATE=25,AUDIO=\"a\"",
            "i-frame-stream-attribute@4", "i-frame-stream-attribute@4"),
        Case(multivariant + "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i\",VIDEO=\"v\"", "rendition-group-missing@4"),
        Case(
            multivariant + "#EXT-X-STREAM-INF:BANDWIDTH=2,CLOSED-CAPTIONS=NONE\nw.m3u8", "closed-captions-mixed@2"),
        Case(multivariant + captions("INSTREAM-ID=\"CC1\",URI=\"c\""), "rendition-invalid@4"),
        Case(multivariant + captions("INSTREAM-ID=\"CC5\""), "rendition-invalid@4"),
        Case(multivariant + captions("INSTREAM-ID=\"CC4\"")),
        Case(multivariant + captions("INSTREAM-ID=\"CC4\",FORCED=NO"), "rendition-invalid@4"),
        Case(multivariant + audio("n", "DEFAULT=YES,AUTOSELECT=NO"), "rendition-invalid@4"),
        Case(multivariant + audio("n") + audio("n"), "rendition-duplicate@5"),
        Case(
            multivariant + audio("n", "DEFAULT=YES,AUTOSELECT=YES") + audio("o", "DEFAULT=YES"), "rendition-duplicate@5"
        ),
        Case(
            multivariant + "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"k\"\n#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"k\"",
            "session-key-duplicate@5"),
        Case(multivariant + "#EXT-X-MEDIA:TYPE=AUDIO,NAME=\"n\"", "rendition-missing-attribute@4"),
        Case(multivariant + "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"n\"", "rendition-missing-attribute@4"),
        Case(
            multivariant + "#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\nw.m3u8\n"
                + "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"s\",NAME=\"n\"",
            "rendition-group-missing@4"),
        Case(multivariant + "#EXT-X-SESSION-DATA:DATA-ID=\"d\"", "session-data-invalid@4"),
        Case(multivariant + "#EXT-X-SESSION-DATA:DATA-ID=\"d\",VALUE=\"\",URI=\"u\"", "session-data-invalid@4"),
        Case(
            multivariant
                + "#EXT-X-SESSION-DATA:DATA-ID=\"d\",VALUE=\"1\"\n#EXT-X-SESSION-DATA:DATA-ID=\"d\",VALUE=\"2\"",
            "session-data-duplicate@5"),
        Case(
            multivariant + "#EXT-X-CONTENT-STEERING:SERVER-URI=\"s\",PATHWAY-ID=\"p\"",
            "content-steering-unknown-pathway@4"),
        Case(multivariant + "#EXT-X-CONTENT-STEERING:PATHWAY-ID=\"p\"", "content-steering-invalid@4"),
    ]

    private static func date(_ time: String) -> String { "#EXT-X-PROGRAM-DATE-TIME:2027-01-01T\(time)Z\n" }
    private static func range(_ attributes: String) -> String { "#EXT-X-DATERANGE:\(attributes)\n" }
    private static func started(_ attributes: String) -> String {
        range("ID=\"a\",START-DATE=\"2027-01-01T00:00:00Z\",\(attributes)")
    }
    private static func interstitial(_ attributes: String) -> String {
        started("CLASS=\"com.apple.hls.interstitial\",\(attributes)")
    }

    @Test(arguments: cases) func finds(_ example: Case) {
        #expect(
            InlinePlaylist.findings(InlinePlaylist.parse(example.text, variables: ["known": "x"])) == example.expected)
    }

    /// Rules that need bytes or sizes that no table row has are in `HostilePlaylistTests`.
    @Test func everyRuleHasACase() {
        let covered = Set(Self.cases.flatMap(\.expected).map { String($0.prefix { $0 != "@" }) })
        let missing = PlaylistRule.allCases.map(\.rawValue).filter { !covered.contains($0) }
        #expect(missing == ["not-utf8", "playlist-too-long"])
    }

    @Test func severitiesFollowTheSheet() {
        let warnings = ["version-too-low", "pdt-drift", "part-too-short", "scte35-bad-crc", "cue-out-nested"]
        let errors = ["target-duration-exceeded", "pdt-overlap", "part-too-long", "scte35-undecodable", "no-extm3u"]
        #expect(warnings.allSatisfy { PlaylistRule(rawValue: $0)?.severity == .warning })
        #expect(errors.allSatisfy { PlaylistRule(rawValue: $0)?.severity == .error })
        #expect([PlaylistRule.gapSegment, .pdtJump, .scte35Quoted].allSatisfy { $0.severity == .info })
    }

    @Test func findingsNameValueAndSection() throws {
        let parsed = InlinePlaylist.parse(InlinePlaylist.head + "#EXTINF:6.5,\n0.ts\n#EXT-X-ENDLIST")
        let finding = try #require(parsed.findings.first)
        #expect(finding.section == "rfc8216bis-22 4.4.3.1")
        #expect(finding.message == "6.5 s with a target duration of 6 s")
        #expect(PlaylistRule.cueOutNested.section == "HLS-23")
    }
}
