import HLS
import Ports
import Testing

/// Which markers of a reload count (HLS-22), and what becomes of one that changes (HLS-23).
struct ReadMarkersTests {
    /// A stream whose playlists are read one after another.
    private struct Stream {
        var follower: PlaylistFollower
        private var reloads = 0.0

        init(prefersLowLatency: Bool = false) {
            follower = PlaylistFollower(prefersLowLatency: prefersLowLatency)
        }

        /// Reads a playlist of these lines behind its head.
        mutating func read(_ lines: String, first: Int = 0) {
            let date = "#EXT-X-PROGRAM-DATE-TIME:\(UnixTime.second(Double(first) * 6).iso8601)\n"
            let text =
                InlinePlaylist.head + "#EXT-X-PART-INF:PART-TARGET=2\n#EXT-X-MEDIA-SEQUENCE:\(first)\n" + date + lines
            let moment = Moment(wall: .second(reloads), uptime: .seconds(reloads))
            _ = follower.noteParsed(InlinePlaylist.parse(text), ReloadExchange(requested: moment))
            reloads += 6
        }

        var breaks: [TrackedBreak] { follower.breaks.breaks }
    }

    private static func segments(_ numbers: Range<Int>) -> String { numbers.map { "#EXTINF:6,\n\($0).ts\n" }.joined() }

    private static let part = "#EXT-X-PART:DURATION=2,URI=\"part.ts\"\n"

    /// Such a segment may take seconds until it is complete.
    @Test(arguments: [false, true]) func markersAheadOfPartsCountAtOnce(isLowLatency: Bool) throws {
        var stream = Stream(prefersLowLatency: isLowLatency)
        let start = "#EXT-X-CUE-OUT:12\n#EXT-X-PROGRAM-DATE-TIME:\(UnixTime.second(500).iso8601)\n" + Self.part
        stream.read(Self.segments(0..<2) + start)
        let found = try #require(stream.breaks.first)
        #expect(found.isOpen && found.startSequence == 2 && found.startStream == .second(12))
        #expect(found.start == .second(500), "the date comes before the parts, too")
        stream.read(Self.segments(0..<2) + start + Self.segments(2..<3) + Self.part)
        #expect(stream.breaks == [found], "the same marker again")
        stream.read(Self.segments(0..<2) + start + Self.segments(2..<3) + "#EXT-X-CUE-IN\n" + Self.part)
        #expect(stream.breaks.map(\.endStream) == [.second(18)] && stream.breaks.map(\.end) == [.second(506)])
        #expect(stream.breaks.map(\.endSequence) == [3] && stream.breaks.map(\.closedBy) == [.in])
    }

    /// A marker behind parts may be that of the segment after theirs.
    @Test(arguments: ["", part]) func otherMarkersCountWithTheirSegment(ahead: String) {
        var stream = Stream()
        stream.read(Self.segments(0..<2) + ahead + "#EXT-X-CUE-OUT:12\n")
        #expect(stream.breaks.isEmpty)
        stream.read(Self.segments(0..<2) + ahead + "#EXT-X-CUE-OUT:12\n" + Self.segments(2..<3))
        #expect(stream.breaks.map(\.startStream) == [.second(12)])
    }

    /// The segment that continues a break does so to its end, of which only a part was listed when its marker was read.
    @Test func aContinuationGrowsWithItsParts() {
        var stream = Stream()
        let ahead =
            Self.segments(0..<1) + "#EXT-X-CUE-OUT:12\n" + Self.segments(1..<2) + "#EXT-X-CUE-OUT-CONT:6/12\n"
            + Self.segments(2..<3) + "#EXT-X-CUE-OUT-CONT:12/12\n" + Self.part
        stream.read(ahead)
        stream.read(ahead + Self.segments(3..<5))
        stream.read(Self.segments(4..<8), first: 4)
        #expect(stream.breaks.map(\.startStream) == [.second(6)] && stream.breaks.map(\.endStream) == [.second(24)])
    }

    private static func message(_ type: UInt64, seconds: Int) -> String {
        "SCTE35:CUE=\"\(SpliceSectionWriter.timeSignal(7, type))\",CUE-OUT=YES,DURATION=\(seconds)"
    }

    /// The markers ahead of one segment in two playlists that are the same otherwise, and the length of the break after the second.
    @Test(
        arguments: [
            (["CUE-OUT"], ["CUE-OUT:DURATION=30"], 30), (["CUE-OUT:30"], ["CUE-OUT:45"], 45),
            (["CUE-OUT:30"], ["CUE-OUT"], 30),
            (["CUE-OUT:45"], ["CUE-OUT:18"], 18),
            // The length of one dialect is not that of another one.
            (["CUE-OUT:30", "CUE:TYPE=SpliceOut,DURATION=31"], ["CUE-OUT:30", "CUE:TYPE=SpliceOut,DURATION=46"], 30),
            (["CUE-OUT", "CUE:TYPE=SpliceOut,DURATION=31"], ["CUE-OUT", "CUE:TYPE=SpliceOut,DURATION=46"], 46),
            // The length of a start counts before that of a marker inside.
            (
                ["CUE-OUT", "CUE:TYPE=SpliceInsert,DURATION=31"], ["CUE-OUT:60", "CUE:TYPE=SpliceInsert,DURATION=31"],
                60
            ),
            ([message(0x34, seconds: 30)], [message(0x36, seconds: 45)], 45),
        ] as [([String], [String], Int)])
    func theLengthOfABreakFollowsItsMarker(_ test: (first: [String], second: [String], length: Int)) {
        var stream = Stream()
        for tags in [test.first, test.second, test.second] {
            stream.read(Self.segments(0..<1) + tags.map { "#EXT-X-\($0)\n" }.joined() + Self.segments(1..<4))
        }
        #expect(stream.breaks.map(\.plannedDuration) == [.seconds(test.length)])
        #expect(stream.breaks.map(\.startStream) == [.second(6)])
    }

    /// A break whose length was over goes on, and is over with the new one. The start may be far behind by then.
    @Test(arguments: [1, 12]) func aBreakIsLongerThanAnnounced(_ segments: Int) {
        var stream = Stream()
        func list(_ seconds: Int, through last: Int) -> String {
            "#EXT-X-CUE-OUT:\(seconds)\n" + Self.segments(0..<last)
        }
        stream.read(list(segments * 6, through: segments))
        #expect(stream.breaks.map(\.isOpen) == [false])
        stream.read(list(segments * 6 + 12, through: segments))
        #expect(stream.breaks.map(\.isOpen) == [true] && stream.breaks.map(\.end) == [nil])
        stream.read(list(segments * 6 + 12, through: segments + 2))
        #expect(stream.breaks.map(\.endStream) == [.second(Double(segments) * 6 + 12)])
        #expect(stream.breaks.map(\.closedBy) == [.duration])
    }

    /// What a break inside another one announces is not the length of that.
    @Test func aMarkerInsideCorrectsNoLength() {
        var stream = Stream()
        for seconds in [12, 18] {
            stream.read(
                "#EXT-X-CUE-OUT:60\n" + Self.segments(0..<2) + "#EXT-X-CUE-OUT:\(seconds)\n" + Self.segments(2..<4))
        }
        #expect(stream.breaks.map(\.plannedDuration) == [.seconds(60)])
    }

    /// Another dialect may add its marker to the start when the announced length is over.
    @Test func aLateMarkerOfTheStartOpensNoOtherBreak() {
        var stream = Stream()
        for added in ["", "#EXT-X-CUE:TYPE=SpliceOut,DURATION=18\n"] {
            stream.read("#EXT-X-CUE-OUT:12\n" + added + Self.segments(0..<3))
        }
        #expect(stream.breaks.map(\.startStream) == [.zero] && stream.breaks.map(\.endStream) == [.second(12)])
    }
}
