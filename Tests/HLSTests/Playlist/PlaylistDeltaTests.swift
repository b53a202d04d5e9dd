import HLS
import Ports
import Testing

/// How a delta update is completed (HLS-2).
struct PlaylistDeltaTests {
    private static let head = "#EXTM3U\n#EXT-X-VERSION:10\n#EXT-X-TARGETDURATION:6\n"

    private static let held = """
        #EXT-X-MEDIA-SEQUENCE:10
        #EXT-X-DISCONTINUITY-SEQUENCE:3
        #EXT-X-MAP:URI="i.mp4"
        #EXT-X-KEY:METHOD=AES-128,URI="k"
        #EXT-X-KEY:METHOD=AES-128,URI="l",KEYFORMAT="f"
        #EXT-X-BITRATE:800
        #EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:00Z
        #EXT-X-DATERANGE:ID="a",START-DATE="2027-01-01T00:00:00Z",PLANNED-DURATION=9
        #EXT-X-DATERANGE:ID="b",START-DATE="2027-01-01T00:00:00Z"
        #EXTINF:6,
        10.ts
        #EXT-X-CUE-OUT:12
        #EXTINF:6,
        11.ts
        #EXT-X-DISCONTINUITY
        #EXTINF:6,
        12.ts
        #EXTINF:6,
        13.ts

        """

    private static func merge(_ delta: String, held: String = held) throws -> PlaylistDelta.Outcome {
        PlaylistDelta.merge(
            held: try #require(InlinePlaylist.media(head + held)),
            delta: try #require(InlinePlaylist.media(head + delta)))
    }

    private static func merged(_ delta: String, held: String = held) throws -> MediaPlaylist {
        guard case .merged(let playlist) = try merge(delta, held: held) else {
            throw Failure.incomplete
        }
        return playlist
    }

    private enum Failure: Error { case incomplete }

    private static let delta =
        "#EXT-X-MEDIA-SEQUENCE:11\n#EXT-X-DISCONTINUITY-SEQUENCE:3\n#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n"

    @Test func heldSegmentsComeFirst() throws {
        let playlist = try Self.merged(Self.delta + "#EXTINF:6,\n13.ts\n#EXTINF:4,\n14.ts\n")
        #expect(playlist.skip == nil)
        #expect(playlist.segments.map(\.sequence) == [11, 12, 13, 14])
        #expect(playlist.segments.map(\.start) == [.zero, .seconds(6), .seconds(12), .seconds(18)])
        #expect(playlist.segments.map(\.discontinuitySequence) == [3, 4, 4, 4])
        #expect(playlist.duration == .seconds(22))
    }

    /// A timeline moves its segments into the merge; a delta that cannot be merged, or is old, leaves them in place.
    @Test func timelinesStayWholeWhateverTheDelta() throws {
        var timeline = Timeline()
        func fold(_ text: String) throws -> ReloadOutcome {
            timeline.fold(try #require(InlinePlaylist.media(Self.head + text))).outcome
        }
        #expect(try fold(Self.held) == .changed)
        let first = timeline.playlist
        #expect(try fold(Self.delta + "#EXTINF:6,\n13.ts\n#EXTINF:4,\n14.ts\n") == .changed)
        let second = timeline.playlist
        #expect(second?.segments.map(\.sequence) == [11, 12, 13, 14])
        #expect(first?.segments.map(\.sequence) == [10, 11, 12, 13])
        #expect(
            try fold("#EXT-X-MEDIA-SEQUENCE:40\n#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n#EXTINF:6,\n42.ts\n")
                == .deltaIncomplete)
        #expect(timeline.playlist == second)
        #expect(
            try fold("#EXT-X-MEDIA-SEQUENCE:11\n#EXT-X-SKIP:SKIPPED-SEGMENTS=two\n#EXTINF:6,\n13.ts\n")
                == .deltaIncomplete)
        #expect(timeline.playlist == second)
        #expect(try fold(Self.delta + "#EXTINF:6,\n13.ts\n") == .unchanged)
        #expect(timeline.playlist == second)
        #expect(
            try fold(
                "#EXT-X-MEDIA-SEQUENCE:12\n#EXT-X-DISCONTINUITY-SEQUENCE:3\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n#EXTINF:6,\n15.ts\n"
            )
                == .changed)
        #expect(timeline.playlist?.segments.map(\.sequence) == [12, 13, 14, 15])
        #expect(timeline.segments.map(\.sequence) == [10, 11, 12, 13, 14, 15])
    }

    /// Segments are missing, whatever is wrong with the tag that tells how many.
    @Test(arguments: [
        "", "SKIPPED-SEGMENTS", "SKIPPED-SEGMENTS=two", "SKIPPED-SEGMENTS=-1", "SKIPPED-SEGMENTS=99999999999999999999",
        #"RECENTLY-REMOVED-DATERANGES="b""#, #"SKIPPED-SEGMENTS=2,REQ-NEW="x""#,
    ]) func anUnreadableNumberIsNoWholePlaylist(_ attributes: String) throws {
        let text = "#EXT-X-MEDIA-SEQUENCE:11\n#EXT-X-SKIP:\(attributes)\n#EXT-X-DATERANGE:ID=\"a\",DURATION=9\n"
        let media = "#EXTINF:6,\n#EXT-X-BYTERANGE:4\n13.ts\n"
        let parsed = InlinePlaylist.parse(Self.head + text + media)
        let delta = try #require(parsed.media)
        #expect(delta.isDelta && delta.skip == nil)
        // A whole playlist would have these.
        let whole = ["live-window-too-short", "daterange-missing-start", "daterange-without-pdt"]
        #expect(!parsed.findings.contains { whole.contains($0.rule) })
        #expect(try Self.merge(text + media) == .incomplete)
        var (fresh, timeline) = (Timeline(), Timeline())
        _ = timeline.fold(try #require(InlinePlaylist.media(Self.head + Self.held)))
        let held = timeline
        for fold in [fresh.fold(delta), timeline.fold(delta)] {
            #expect(fold.outcome == .deltaIncomplete)
            #expect(
                fold.findings.map { "\($0.rule): \($0.message)" } == [
                    "delta-update-incomplete: the number of segments that the delta update skips cannot be read"
                ])
        }
        #expect(fresh == Timeline() && timeline == held)
    }

    @Test func datesContinueFromTheHeldOnesUpToTheFirstDate() throws {
        let start = UnixTime(milliseconds: 1_798_761_600_000)
        let playlist = try Self.merged(
            Self.delta
                + "#EXTINF:6,\n13.ts\n#EXTINF:4,\n14.ts\n"
                + "#EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:01:00Z\n#EXTINF:6,\n15.ts\n"
        )
        #expect(playlist.segments.map(\.date) == [6, 12, 18, 24, 60].map { start + .seconds($0) })
        #expect(playlist.segments.map(\.dateSource) == [.forward, .forward, .forward, .forward, .explicit])
    }

    @Test func stateOfTheSkippedTagsHoldsOn() throws {
        let playlist = try Self.merged(
            Self.delta + "#EXTINF:6,\n13.ts\n#EXT-X-KEY:METHOD=AES-128,URI=\"m\"\n#EXTINF:6,\n14.ts\n"
                + "#EXT-X-KEY:METHOD=NONE\n#EXTINF:6,\n15.ts\n")
        func names(_ segment: MediaSegment) -> [String] { segment.keys.map { String($0.uri?.last ?? "?") } }
        #expect(playlist.segments.map(names) == [["k", "l"], ["k", "l"], ["k", "l"], ["l", "m"], []])
        #expect(playlist.segments.allSatisfy { $0.map?.uri.hasSuffix("i.mp4") == true && $0.bitrate == 800 })
    }

    @Test func discontinuitiesOfTheDeltaCountOn() throws {
        let playlist = try Self.merged(Self.delta + "#EXT-X-DISCONTINUITY\n#EXTINF:6,\n13.ts\n")
        #expect(playlist.segments.map(\.discontinuitySequence) == [3, 4, 5])
    }

    @Test func dateRangesMergeByID() throws {
        let skip = "#EXT-X-MEDIA-SEQUENCE:11\n#EXT-X-SKIP:SKIPPED-SEGMENTS=2,RECENTLY-REMOVED-DATERANGES=\"b\"\n"
        let playlist = try Self.merged(
            skip + "#EXTINF:6,\n13.ts\n#EXT-X-DATERANGE:ID=\"a\",DURATION=8\n#EXT-X-DATERANGE:ID=\"c\"\n")
        #expect(playlist.dateRanges.map(\.id) == ["a", "c"])
        #expect(playlist.dateRanges[0].duration == .seconds(8))
        #expect(playlist.dateRanges[0].plannedDuration == .seconds(9))
    }

    @Test func markersOfSkippedSegmentsStay() throws {
        let playlist = try Self.merged(Self.delta + "#EXT-X-CUE-IN\n#EXTINF:6,\n13.ts\n")
        #expect(playlist.cuePoints.map(\.sequence) == [11, 13])
        #expect(playlist.cuePoints.map(\.offset) == [.zero, .seconds(12)])
        #expect(playlist.adBreaks.map(\.closedBy) == [.in])
        #expect(playlist.adBreaks.map(\.endSequence) == [13])
    }

    @Test func byteRangesContinueTheSkippedOne() throws {
        let held = "#EXTINF:6,\n#EXT-X-BYTERANGE:10@5\na.mp4\n#EXTINF:6,\n#EXT-X-BYTERANGE:10\na.mp4\n"
        let delta =
            "#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n#EXTINF:6,\n#EXT-X-BYTERANGE:4\na.mp4\n"
            + "#EXTINF:6,\n#EXT-X-BYTERANGE:3\na.mp4\n"
            + "#EXTINF:6,\n#EXT-X-BYTERANGE:3@90\na.mp4\n"
        #expect(try Self.merged(delta, held: held).segments.map(\.byteRange?.offset) == [5, 15, 25, 29, 90])
        #expect(try Self.merge(delta, held: "#EXTINF:6,\na.mp4\n#EXTINF:6,\na.mp4\n") == .incomplete)
    }

    @Test(arguments: [
        "#EXT-X-MEDIA-SEQUENCE:9\n#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n",
        "#EXT-X-MEDIA-SEQUENCE:12\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n",
        "#EXT-X-MEDIA-SEQUENCE:90\n#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n",
        "#EXT-X-MEDIA-SEQUENCE:10\n#EXT-X-SKIP:SKIPPED-SEGMENTS=2305843009213693952\n",
    ]) func missingSegmentsMakeItIncomplete(_ delta: String) throws {
        #expect(try Self.merge(delta) == .incomplete)
    }

    @Test func playlistWithoutSkipStays() throws {
        let playlist = try #require(InlinePlaylist.media(Self.head + Self.held))
        #expect(PlaylistDelta.merge(held: MediaPlaylist(uri: ""), delta: playlist) == .merged(playlist))
    }

    /// Merging a delta restores the segments that were cut out of it.
    @Test func mergeRestoresTheWhole() throws {
        let segments = (0..<40).map { "\($0 % 7 == 3 ? "#EXT-X-DISCONTINUITY\n" : "")#EXTINF:6,\n\($0).ts\n" }
        let dated = "#EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:00Z\n"
        let whole = try #require(InlinePlaylist.media(Self.head + dated + segments.joined()))
        for count in 1..<40 {
            let delta = Self.head + "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(count)\n" + segments[count...].joined()
            let outcome = PlaylistDelta.merge(held: whole, delta: try #require(InlinePlaylist.media(delta)))
            guard case .merged(let merged) = outcome else { throw Failure.incomplete }
            #expect(merged.segments.map(\.withoutLine) == whole.segments.map(\.withoutLine), "skipped \(count)")
        }
    }
}

extension MediaSegment {
    fileprivate var withoutLine: MediaSegment {
        var segment = self
        segment.line = 0
        return segment
    }
}
