import HLS
import Ports

@testable import Session

/// Playlists of the session of the mock-ups: the window that the playhead is in.
enum PlaylistSamples {
    static let url = "https://cdn.example.net/live/ch7/v1080.m3u8?sid=7f3a91c2"

    /// In the middle of B2: two date ranges, a marker, a gap, new key and map at a discontinuity, and one segment that is too long.
    static let midBreak = """
        #EXTM3U
        #EXT-X-VERSION:6
        #EXT-X-TARGETDURATION:6
        #EXT-X-MEDIA-SEQUENCE:4711
        #EXT-X-DISCONTINUITY-SEQUENCE:3
        #EXT-X-DATERANGE:ID="b2",START-DATE="2026-11-21T12:40:31.200Z",PLANNED-DURATION=60.0,\
        SCTE35-OUT=0xFC3034000000000000FFFFF00506FE72BD0050001E021C435545494800008E7FCF0001A599B00808000000002CA0A18A3402009AC9D17E
        #EXT-X-MAP:URI="a2/init.mp4"
        #EXT-X-PROGRAM-DATE-TIME:2026-11-21T12:40:54.400Z
        #EXTINF:6.000,
        a2/seg_4711.m4s?sid=7f3a91c2
        #EXTINF:6.000,
        a2/seg_4712.m4s
        #EXT-X-GAP
        #EXTINF:6.000,
        a2/seg_4713.m4s
        #EXT-X-DISCONTINUITY
        #EXT-X-KEY:METHOD=AES-128,URI="https://keys.example.net/k7?token=s3cret"
        #EXT-X-MAP:URI="a3/init.mp4"
        #EXT-X-PROGRAM-DATE-TIME:2026-11-21T12:41:12.400Z
        #EXT-X-CUE-OUT-CONT:ElapsedTime=41.2,Duration=60,\
        SCTE35=/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg==
        #EXTINF:6.600,
        a3/seg_4714.m4s
        #EXTINF:5.400,
        a3/seg_4715.m4s
        #EXTINF:6.000,
        a3/seg_4716.m4s
        #EXT-X-DATERANGE:ID="promo-8",CLASS="com.apple.hls.interstitial",\
        START-DATE="2026-11-21T12:41:24.400Z",DURATION=15.0,X-RESUME-OFFSET=0,\
        X-ASSET-LIST="https://ads.example.net/list?id=8&token=s3cret"

        """

    /// The same encoder with parts of a second.
    static let lowLatency = """
        #EXTM3U
        #EXT-X-VERSION:9
        #EXT-X-TARGETDURATION:4
        #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=24,PART-HOLD-BACK=3.0
        #EXT-X-PART-INF:PART-TARGET=1.0
        #EXT-X-MEDIA-SEQUENCE:900
        #EXT-X-PROGRAM-DATE-TIME:2026-11-21T12:40:54.400Z
        #EXTINF:4.000,
        seg_900.m4s
        #EXTINF:4.000,
        seg_901.m4s
        #EXTINF:4.000,
        seg_902.m4s
        #EXT-X-PART:DURATION=1.0,URI="seg_903.0.m4s",INDEPENDENT=YES
        #EXT-X-PART:DURATION=1.0,URI="seg_903.1.m4s"
        #EXT-X-PART:DURATION=1.0,URI="seg_903.2.m4s"
        #EXT-X-PART:DURATION=1.0,URI="seg_903.3.m4s"
        #EXTINF:4.000,
        seg_903.m4s
        #EXT-X-PART:DURATION=1.0,URI="seg_904.0.m4s",INDEPENDENT=YES
        #EXT-X-PART:DURATION=1.0,URI="seg_904.1.m4s",GAP=YES
        #EXT-X-PART:DURATION=1.0,URI="seg_904.2.m4s"
        #EXT-X-PRELOAD-HINT:TYPE=PART,URI="seg_904.3.m4s"
        #EXT-X-RENDITION-REPORT:URI="../v720.m3u8",LAST-MSN=904,LAST-PART=2

        """

    /// The texts, read one after the other as reloads; the last is what is shown.
    static func detail(_ texts: String..., prefersLowLatency: Bool = false) -> PlaylistDetail {
        var timeline = Timeline(prefersLowLatency: prefersLowLatency)
        var text = PlaylistText(
            number: 0, url: url, bytes: [], findings: [], firstSequence: 0, readAt: SnapshotSamples.moment(12, 41, 10))
        for (index, source) in texts.enumerated() {
            let bytes = Array(source.utf8)
            let parsed = PlaylistParser.parse(bytes, uri: url)
            guard let media = parsed.media else { continue }
            _ = timeline.fold(media)
            text = PlaylistText(
                number: index + 1, url: url, bytes: bytes, findings: parsed.findings,
                firstSequence: media.firstListedSequence, isDelta: media.skip != nil,
                // Different texts are read at different moments.
                readAt: SnapshotSamples.moment(12, 41, 10).advanced(by: .microseconds(bytes.count)))
        }
        return PlaylistDetail(text: text, timeline: timeline)
    }

    /// A window of that many segments of 4 s, every hundredth after a discontinuity and with a marker.
    static func long(segments: Int, first: Int = 0) -> String {
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        for number in first..<first + segments {
            if number % 100 == 50 { text += "#EXT-X-DISCONTINUITY\n#EXT-X-CUE-OUT:30\n" }
            if number % 100 == 58 { text += "#EXT-X-CUE-IN\n" }
            let date = SnapshotSamples.at(6, 0, 0) + .seconds(4 * number)
            text += "#EXT-X-PROGRAM-DATE-TIME:\(date.iso8601)\n#EXTINF:4.000,\nseg_\(number).ts\n"
        }
        return text
    }
}
