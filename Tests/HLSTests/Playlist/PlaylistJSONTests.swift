import HLS
import Ports
import Testing

/// The view of one playlist by itself in schema `adtop-hls-golden/1`.
struct PlaylistJSONTests {
    private func parsed(_ markers: String) -> ParsedPlaylist {
        InlinePlaylist.parse(
            InlinePlaylist.head + "#EXT-X-MEDIA-SEQUENCE:7\n" + markers + InlinePlaylist.dated)
    }

    /// A session reports it only where the start cannot have been before the window.
    @Test func anEndWithoutAStartIsAnIssueOfThePlaylistAlone() {
        let lost = parsed("#EXT-X-CUE-IN\n")
        #expect(lost.findings.isEmpty)
        #expect(lost.json["issues"] == ["cue-in-without-out"])
        #expect(parsed("#EXT-X-CUE-OUT:6\n").json["issues"] == .array([]))
    }

    @Test func everyRangeOfASpliceIsABreak() {
        let ranges = [
            "ID=\"in\",START-DATE=\"2027-01-01T00:00:30Z\",SCTE35-IN=0xFC",
            "ID=\"end\",END-DATE=\"2027-01-01T00:00:40Z\",SCTE35-IN=0xFC",
            "ID=\"cmd\",START-DATE=\"2027-01-01T00:00:50Z\",SCTE35-CMD=0xFC",
            "ID=\"ad\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"2027-01-01T00:00:50Z\",SCTE35-OUT=0xFC",
        ].map { "#EXT-X-DATERANGE:\($0)\n" }.joined()
        let breaks = parsed(ranges).json["ad_breaks"]?.arrayValue ?? []
        #expect(breaks.map { $0["id"]?.stringValue } == ["in", "end"])
        #expect(breaks.map { $0["start_ms"]?.integerValue } == [1_798_761_630_000, nil])
        #expect(breaks.map { $0["end_ms"]?.integerValue } == [nil, 1_798_761_640_000])
    }
}
