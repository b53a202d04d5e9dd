import HLS
import Testing

/// A date range about an advertisement inside the break of another range is no break of its own (HLS-25).
struct BreakStretchesTests {
    /// Segments of 6 s from 2027-01-01T00:00:00Z, and date ranges.
    private static func playlist(_ ranges: [String], segments: Int = 8) -> MediaPlaylist? {
        let media = (0..<segments).map { "#EXTINF:6,\n\($0).ts\n" }.joined()
        return InlinePlaylist.media(
            InlinePlaylist.head + ranges.joined() + "#EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:00Z\n" + media)
    }

    /// A range that starts at this second and has a message of this type: SCTE35-IN for an end, else SCTE35-OUT.
    private static func range(_ id: String, _ second: Int, _ event: UInt64, _ type: UInt64, _ length: String = "")
        -> String
    {
        let name = type % 2 == 0 ? "SCTE35-OUT" : "SCTE35-IN"
        let time = (second < 10 ? "0" : "") + "\(second)"
        return "#EXT-X-DATERANGE:ID=\"\(id)\",START-DATE=\"2027-01-01T00:00:\(time)Z\",\(length)"
            + "\(name)=\(SpliceSectionWriter.timeSignal(event, type))\n"
    }

    /// IDs of the breaks after each of these lists of ranges, while the media grows.
    private static func tracked(_ lists: [[String]]) -> [String] {
        var (timeline, track) = (Timeline(), BreakTrack())
        for (index, ranges) in lists.enumerated() {
            guard let playlist = playlist(ranges, segments: 8 + index) else { continue }
            _ = timeline.fold(playlist)
            track.fold(timeline, reload: index)
        }
        return track.breaks.map { "\($0.markerID ?? "?")\($0.isOpen ? "" : " over")" }
    }

    @Test(arguments: [
        // Ads at the start of a placement opportunity and in it, in any order.
        ([range("a", 6, 2, 0x30), range("p", 6, 1, 0x34, "PLANNED-DURATION=30,"), range("b", 12, 3, 0x32)], ["p"]),
        ([range("p", 6, 1, 0x34, "DURATION=30,"), range("a", 6, 2, 0x3C, "DURATION=6,")], ["p"]),
        ([range("p", 6, 1, 0x34), range("a", 12, 2, 0x30)], ["p"]),
        // One behind it, or alone, is a break.
        ([range("p", 6, 1, 0x34, "DURATION=6,"), range("a", 12, 2, 0x30)], ["p", "a"]),
        ([range("a", 6, 2, 0x30), range("b", 12, 3, 0x30)], ["a", "b"]),
        ([range("p", 6, 1, 0x34), range("end", 18, 1, 0x35), range("a", 24, 2, 0x30)], ["p", "a"]),
        // The end of an ad under an ID of its own leaves the break open.
        ([range("p", 6, 1, 0x34), range("end", 18, 2, 0x31), range("a", 24, 3, 0x30)], ["p"]),
        // Another opportunity is a break of its own.
        ([range("p", 6, 1, 0x34, "DURATION=30,"), range("d", 12, 2, 0x36)], ["p", "d"]),
    ]) func anAdInABreakIsNone(_ ranges: [String], _ expected: [String]) {
        #expect(Self.playlist(ranges)?.adBreaks.compactMap(\.id) == expected)
        #expect(Self.tracked([ranges, ranges]).map { $0.replacing(" over", with: "") } == expected)
    }

    @Test func theEndOfAnAdLeavesItsBreakOpen() {
        let start = Self.range("p", 6, 1, 0x34)
        #expect(Self.tracked([[start], [start, Self.range("end", 18, 2, 0x31)]]) == ["p"])
        #expect(Self.tracked([[start], [start, Self.range("end", 18, 1, 0x35)]]) == ["p over"])
    }

    /// The break may leave the playlist before an ad in it does, and the first tag of the ad before its last.
    @Test func theBreakMayHaveLeftThePlaylist() {
        let ad = Self.range("a", 12, 2, 0x30)
        let lists = [[Self.range("p", 6, 1, 0x34, "PLANNED-DURATION=40,")], [ad]]
        #expect(Self.tracked(lists) == ["p"])
        #expect(Self.tracked(lists + [[Self.range("a", 12, 2, 0x35, "DURATION=6,")]]) == ["p"])
    }

    @Test func theBreakMayBeListedLaterThanItsAd() {
        let ad = Self.range("a", 12, 2, 0x30)
        #expect(Self.tracked([[ad]]) == ["a"])
        #expect(Self.tracked([[ad], [Self.range("p", 12, 1, 0x34), ad]]) == ["p"])
    }
}
