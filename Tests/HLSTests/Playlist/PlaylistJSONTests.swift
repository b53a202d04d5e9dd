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

    /// A range ends with one of another ID, or with cue tags, as it does where the playlist is followed.
    @Test(
        arguments: [
            ("", [1_798_761_613_000, nil], ["daterange", nil]),
            ("#EXT-X-CUE-OUT\n", [nil, 1_798_761_613_000, nil], [nil, "daterange", nil]),
            ("CUES", [1_798_761_612_000, 1_798_761_612_000], ["in", "in"]),
        ] as [(String, [Int64?], [String?])])
    func aRangeHasTheEndThatItHasWhereItIsFollowed(_ cue: String, _ ends: [Int64?], _ closedBy: [String?]) throws {
        func range(_ id: String, _ second: String, _ name: String) -> String {
            "#EXT-X-DATERANGE:ID=\"\(id)\",START-DATE=\"2027-01-01T00:00:\(second)Z\",\(name)=0xFC\n"
        }
        let hasEnd = cue == "CUES"
        let text =
            InlinePlaylist.head + range("a", "06", "SCTE35-OUT") + (hasEnd ? "" : range("e", "13", "SCTE35-IN"))
            + "#EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:00Z\n#EXTINF:6,\n0.ts\n"
            + (hasEnd ? "#EXT-X-CUE-OUT\n#EXTINF:6,\n1.ts\n#EXT-X-CUE-IN\n" : cue + "#EXTINF:6,\n1.ts\n")
            + "#EXTINF:6,\n2.ts\n"
        let parsed = InlinePlaylist.parse(text)
        let breaks = parsed.json["ad_breaks"]?.arrayValue ?? []
        #expect(breaks.map { $0["end_ms"]?.integerValue } == ends)
        #expect(breaks.map { $0["closed_by"]?.stringValue } == closedBy)
        var track = BreakTrack()
        track.fold(folded(try #require(parsed.media)), reload: 0)
        let followed = track.breaks.first { $0.source == .dateRange }
        let alone = breaks.first { $0["id"]?.stringValue == "a" }
        #expect(followed?.end.map(\.milliseconds) == alone?["end_ms"]?.integerValue)
    }
}
