import HLS
import Ports
import Testing

/// Breaks of one playlist (HLS-23).
struct AdBreakTrackTests {
    /// Segments of 6 s from number 0; each string precedes one of them, an empty one adds nothing.
    private static func breaks(_ markers: [String], end: String = "") -> [String] {
        let segments = markers.enumerated().map { index, marker in
            (marker.isEmpty ? "" : "#EXT-X-\(marker)\n") + "#EXTINF:6,\n\(index).ts\n"
        }
        let text = InlinePlaylist.head + segments.joined() + (end.isEmpty ? "" : "#EXT-X-\(end)\n")
        return (InlinePlaylist.media(text)?.adBreaks ?? []).map(describe)
    }

    /// `start number–end number, start–end in seconds, reason of the end`
    private static func describe(_ marker: AdBreakMarker) -> String {
        let numbers = [marker.startSequence, marker.endSequence].map { $0.map(String.init) ?? "?" }
        let offsets = [marker.startOffset, marker.endOffset].map { $0.map { "\($0.components.seconds)" } ?? "?" }
        let closing = marker.closedBy?.rawValue ?? "open"
        return numbers.joined(separator: "-") + " " + offsets.joined(separator: "..") + " " + closing
            + (marker.isJoinedMid ? " joined" : "")
    }

    @Test(arguments: [
        (["", "CUE-OUT:12", "", "CUE-IN"], ["1-3 6..18 in"]),
        // Without IN the break closes where the announced end is reached.
        (["CUE-OUT:10", "", "", ""], ["0-2 0..10 duration"]), (["CUE-OUT:18", "", ""], ["0-3 0..18 duration"]),
        (["CUE-OUT:19", "", ""], ["0-? 0..? open"]), (["CUE-OUT", "", ""], ["0-? 0..? open"]),
        // The next OUT ends a break that is over, and is nested in one that is not.
        (["CUE-OUT:6", "", "CUE-OUT:6", ""], ["0-1 0..6 duration", "2-3 12..18 duration"]),
        (["CUE-OUT:30", "", "CUE-OUT:6", ""], ["0-? 0..? open"]),
        // CONT keeps a break open past its end, supplies its duration, or shows that it began before.
        (["CUE-OUT", "CUE-OUT-CONT:6/12", ""], ["0-2 0..12 duration"]),
        (["CUE-OUT-CONT:20/32", "CUE-OUT-CONT:26/32", "CUE-IN"], ["?-2 -20..12 in joined"]),
        (["", "", "CUE-OUT-CONT:6/12", "CUE-IN"], ["1-3 6..18 in joined"]),
        (["CUE-OUT:6", "", "", "CUE-IN"], ["0-3 0..18 in"]),
        (["CUE-OUT:12", "CUE-OUT-CONT:6/12", "CUE-OUT-CONT:12/12", ""], ["0-? 0..? open"]),
        // An OUT ends a break of unknown length after the last segment that continued it.
        (
            ["CUE-OUT", "CUE-OUT-CONT", "CUE-OUT-CONT", "", "", "CUE-OUT", "", ""],
            ["0-3 0..18 duration", "5-? 30..? open"]
        ),
        (["CUE-OUT", "CUE-OUT-CONT", "CUE-OUT", ""], ["0-? 0..? open"]),
        // A length of 0 is not known; without anything that tells more, the break is a point.
        (["CUE-OUT:0", "CUE-OUT-CONT:6/0", "CUE-IN"], ["0-2 0..12 in"]),
        (["CUE-OUT:0", "", "CUE-IN"], ["0-2 0..12 in"]),
        (
            ["CUE-OUT:0", "CUE-OUT-CONT:6/0", "", "CUE-OUT:6", ""],
            ["0-2 0..12 duration", "3-4 18..24 duration"]
        ),
        (["CUE-OUT:0", "", "CUE-OUT:6", ""], ["0-0 0..0 duration", "2-3 12..18 duration"]),
        (["CUE-OUT:0", "CUE-OUT-CONT:6/12", ""], ["0-2 0..12 duration"]),
        // Two dialects mark one break at one segment.
        (["CUE-OUT:12\n#EXT-X-CUE:TYPE=SpliceOut,ID=7", "", "CUE-IN"], ["0-2 0..12 in"]),
        (["CUE-OUT:0\n#EXT-X-CUE:TYPE=SpliceOut,ID=7,DURATION=12", "", "", ""], ["0-2 0..12 duration"]),
    ]) func breaks(_ markers: [String], _ expected: [String]) {
        #expect(Self.breaks(markers) == expected)
    }

    /// Nothing differs from a length that is not known.
    @Test func aLengthOfZeroIsNoneToDifferFrom() {
        let text =
            InlinePlaylist.head + "#EXT-X-CUE-OUT:0\n" + InlinePlaylist.segments + "#EXT-X-CUE-IN\n#EXTINF:6,\n3.ts\n"
        #expect(InlinePlaylist.findings(InlinePlaylist.parse(text)) == [])
    }

    /// A break may be longer than half an hour if it announces that.
    @Test(arguments: ["CUE-OUT:2400", "CUE-OUT"]) func theEndOfALongBreakIsItsOwn(start: String) {
        let tags = ["#EXT-X-\(start)\n", "", "", "", "#EXT-X-CUE-IN\n"]
        let segments = tags.map { $0 + "#EXTINF:600,\na.ts\n" }
        let parsed = InlinePlaylist.parse(
            "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:600\n" + segments.joined())
        let isAnnounced = start != "CUE-OUT"
        let expected = isAnnounced ? "0-4 0..2400 in" : "0-3 0..1800 duration"
        #expect(parsed.media?.adBreaks.map(Self.describe) == [expected])
        #expect(InlinePlaylist.findings(parsed) == (isAnnounced ? [] : ["cue-in-without-out@13"]))
    }

    @Test func inAfterTheLastSegmentCloses() {
        #expect(Self.breaks(["CUE-OUT:12", ""], end: "CUE-IN") == ["0-2 0..12 in"])
    }

    @Test func repeatedOutTeachesTheID() throws {
        let text =
            InlinePlaylist.head + "#EXT-X-CUE-OUT\n#EXT-X-CUE:TYPE=SpliceOut,ID=7,DURATION=12\n"
            + InlinePlaylist.segments
        let marker = try #require(InlinePlaylist.media(text)?.adBreaks.first)
        #expect(marker.id == "7")
        #expect(marker.plannedDuration == .seconds(12))
        #expect(InlinePlaylist.findings(InlinePlaylist.parse(text)).isEmpty)
    }

    /// Segmentation types 0x34 and 0x35 around 0x30 and 0x31: an ad in the pod of a break is no break.
    @Test func anAdInsideABreakIsNoFinding() {
        func message(_ event: Int, _ type: String, _ crc: String) -> String {
            "SPLICEPOINT-SCTE35:0xFC302700000000000000FFF00506FE000000000011020F435545490000000"
                + "\(event)7FBF0000\(type)0101\(crc)"
        }
        let markers = [
            message(1, "34", "14DBD918"), message(2, "30", "FF5B0E5A"), message(2, "31", "FE83A2DD"),
            message(1, "35", "1503759F"),
        ]
        #expect(Self.breaks(markers) == ["0-3 0..18 in"])
        let segments = markers.map { "#EXT-X-\($0)\n#EXTINF:6,\na.ts\n" }
        #expect(InlinePlaylist.findings(InlinePlaylist.parse(InlinePlaylist.head + segments.joined())) == [])
        // A break of CUE-OUT has no event; what begins in it later is a part of it, too.
        let inside = ["CUE-OUT:24", message(1, "34", "14DBD918"), message(1, "35", "1503759F"), "", "CUE-IN"]
        #expect(Self.breaks(inside) == ["0-4 0..24 in"])
        let listed = inside.map { ($0.isEmpty ? "" : "#EXT-X-\($0)\n") + "#EXTINF:6,\na.ts\n" }
        #expect(InlinePlaylist.findings(InlinePlaylist.parse(InlinePlaylist.head + listed.joined())) == [])
    }

    /// CUE-OUT announces the break of which a message begins the first ad, its own or that of another marker, in either order.
    @Test(arguments: 0..<3) func theEndOfTheFirstAdIsNotThatOfTheBreak(order: Int) {
        func message(_ type: String, _ crc: String) -> String {
            "0xFC302700000000000000FFF00506FE000000000011020F43554549000000027FBF0000\(type)0101\(crc)"
        }
        let start = message("30", "FF5B0E5A")
        let starts = [
            "CUE-OUT:18\n#EXT-X-SPLICEPOINT-SCTE35:\(start)", "SPLICEPOINT-SCTE35:\(start)\n#EXT-X-CUE-OUT:18",
            "CUE-OUT:DURATION=18,CUE=\"\(start)\"",
        ]
        let markers = [starts[order], "SPLICEPOINT-SCTE35:" + message("31", "FE83A2DD"), "", "CUE-IN"]
        #expect(Self.breaks(markers) == ["0-3 0..18 in"])
        let segments = markers.map { ($0.isEmpty ? "" : "#EXT-X-\($0)\n") + "#EXTINF:6,\na.ts\n" }
        #expect(InlinePlaylist.findings(InlinePlaylist.parse(InlinePlaylist.head + segments.joined())) == [])
    }

    @Test func dateRangesFollowTheCues() throws {
        let range =
            "#EXT-X-DATERANGE:ID=\"r\",START-DATE=\"2027-01-01T00:00:06Z\",DURATION=6,"
            + "SCTE35-IN=0xFC3011000000000000FFFFF000000000761DD3B6\n"
        let text = InlinePlaylist.head + range + "#EXT-X-CUE-OUT:6\n" + InlinePlaylist.dated
        let breaks = try #require(InlinePlaylist.media(text)?.adBreaks)
        #expect(breaks.map(\.source) == [.cue, .dateRange])
        #expect(breaks[1].id == "r")
        #expect(breaks[1].closedBy == .dateRange)
        #expect(breaks[1].startSequence == nil)
    }

    /// A range whose END-DATE is before its start, which is a finding, has no end.
    @Test func anEndBeforeTheStartIsNone() throws {
        let range =
            "#EXT-X-DATERANGE:ID=\"r\",START-DATE=\"2027-01-01T00:00:06Z\",END-DATE=\"2027-01-01T00:00:02Z\","
            + "SCTE35-OUT=0xFC3011000000000000FFFFF000000000761DD3B6\n"
        let text = InlinePlaylist.head + range + InlinePlaylist.dated
        let marker = try #require(InlinePlaylist.media(text)?.adBreaks.first)
        #expect(marker.id == "r" && marker.end == nil && marker.closedBy == nil)
    }
}
