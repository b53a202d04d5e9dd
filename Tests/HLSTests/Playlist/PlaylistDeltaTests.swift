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

    /// A range that is listed with its start is listed as it is now: a corrected length counts. A later tag alone changes nothing.
    @Test(arguments: [("START-DATE=\"2027-01-01T00:00:00Z\",", 15.0), ("", 9)])
    func aRangeListedAgainHasItsNewestValues(start: String, planned: Double) throws {
        let control = "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=36,CAN-SKIP-DATERANGES=YES\n"
        let range = "#EXT-X-DATERANGE:ID=\"a\",\(start)PLANNED-DURATION=15,X-B=1\n"
        let ranges = try Self.merged(Self.delta + control + range + "#EXTINF:6,\n13.ts\n").dateRanges
        #expect(ranges.map(\.id) == ["a", "b"])
        #expect(ranges[0].plannedDuration == .seconds(planned) && ranges[0].extensions.map(\.name) == ["X-B"])
        #expect(ranges[0].start == UnixTime(milliseconds: 1_798_761_600_000))
    }

    /// Only a server that can skip date ranges leaves some out of an update: what another one does not list was removed.
    @Test(arguments: [("", ["c"]), (",CAN-SKIP-DATERANGES=YES", ["a", "b", "c"])])
    func anUpdateHasAllDateRangesUnlessTheyCanBeSkipped(attribute: String, ids: [String]) throws {
        let control = "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=36\(attribute)\n"
        let delta = Self.delta + control + "#EXTINF:6,\n13.ts\n#EXT-X-DATERANGE:ID=\"c\"\n"
        #expect(try Self.merged(delta).dateRanges.map(\.id) == ids)
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

    // MARK: Limits

    /// What comes of a playlist that is filled with all but one of `limit` things, and of an update that adds one or two.
    private static func filled(to limit: Int, _ fill: (inout MediaPlaylist, Range<Int>) -> Void) -> [String] {
        var held = MediaPlaylist(uri: InlinePlaylist.uri)
        held.segments = [MediaSegment(sequence: 0, uri: "0.ts", duration: .seconds(1))]
        fill(&held, 0..<limit - 1)
        return [limit, limit + 1].map { end in
            var delta = MediaPlaylist(uri: InlinePlaylist.uri)
            delta.skip = SkippedSegments(count: held.segments.count)
            delta.serverControl = ServerControl(canSkipDateRanges: true)
            fill(&delta, limit - 1..<end)
            switch PlaylistDelta.merge(held: held, delta: delta) {
            case .merged: return "merged"
            case .incomplete: return "incomplete"
            case .tooLarge: return "too large"
            }
        }
    }

    private static func segment(_ sequence: Int, uri: String = "s.ts") -> MediaSegment {
        MediaSegment(sequence: sequence, uri: uri, duration: .seconds(1))
    }

    /// Each update is within the limits; what a server adds with one after the other must be, too.
    @Test func updatesDoNotAddUpBeyondTheLimits() {
        let expected = ["merged", "too large"]
        let segments = Self.filled(to: PlaylistLimits.segments - 1) { playlist, numbers in
            playlist.segments += numbers.map { Self.segment($0 + 1) }
        }
        #expect(segments == expected)
        let parts = Self.filled(to: PlaylistLimits.parts) { playlist, numbers in
            let parts = numbers.map { PartialSegment(sequence: 0, index: $0, uri: "p", duration: .seconds(1)) }
            if playlist.isDelta { playlist.trailingParts = parts } else { playlist.segments[0].parts = parts }
        }
        #expect(parts == expected)
        let ranges = Self.filled(to: PlaylistLimits.dateRanges) { playlist, numbers in
            playlist.dateRanges = numbers.map { DateRange(id: "r\($0)") }
        }
        #expect(ranges == expected)
        let cues = Self.filled(to: PlaylistLimits.cuePoints) { playlist, numbers in
            playlist.cuePoints = numbers.map { _ in CuePoint(kind: .cont, tag: "EXT-X-CUE-OUT-CONT", sequence: 0) }
        }
        #expect(cues == expected)
    }

    /// A few long lines are as much as many short ones.
    @Test func textsDoNotAddUpBeyondTheirLimit() {
        let long = String(repeating: "a", count: PlaylistLimits.lineBytes)
        let fills: [(inout MediaPlaylist, Range<Int>) -> Void] = [
            { playlist, numbers in playlist.segments += numbers.map { Self.segment($0 + 1, uri: long) } },
            { playlist, numbers in
                playlist.dateRanges = numbers.map { number in
                    var range = DateRange(id: "r\(number)")
                    range.extensions = [ExtensionAttribute(name: "X-A", value: .string(long))]
                    return range
                }
            },
            { playlist, numbers in
                playlist.cuePoints = numbers.map { _ in CuePoint(kind: .cont, tag: "CUE", sequence: 0, id: long) }
            },
        ]
        for fill in fills {
            let most = PlaylistLimits.mergedBytes / PlaylistLimits.lineBytes
            #expect(Self.filled(to: most - 1, fill) == ["merged", "too large"])
        }
    }

    /// The held playlist stays as it is, and one that is loaded in full takes its place.
    @Test func aPlaylistThatBecomesTooLargeIsLoadedInFull() throws {
        var timeline = Timeline()
        func fold(_ first: Int, ranges: Range<Int>, skipping count: Int? = nil) -> TimelineFold {
            timeline.fold(
                listing(first, [6, 6, 6, 6], date: Double(first) * 6) { playlist in
                    playlist.dateRanges = ranges.map { DateRange(id: "r\($0)") }
                    playlist.serverControl = ServerControl(canSkipDateRanges: true)
                    guard let count else { return }
                    playlist.skip = SkippedSegments(count: count)
                    playlist.segments.removeFirst(count)
                })
        }
        let limit = PlaylistLimits.dateRanges
        #expect(fold(0, ranges: 0..<limit - 1_000).outcome == .changed)
        #expect(fold(1, ranges: limit - 1_000..<limit, skipping: 3).outcome == .changed)
        let held = timeline
        let incomplete = fold(2, ranges: limit..<limit + 1, skipping: 3)
        #expect(incomplete.outcome == .deltaIncomplete)
        #expect(
            incomplete.findings.map { "\($0.rule): \($0.message)" } == [
                "delta-update-incomplete: the playlist that the delta update completes is larger than a playlist may be"
            ])
        #expect(timeline == held)
        #expect(fold(2, ranges: limit..<limit + 1).outcome == .changed)
        #expect(fold(3, ranges: limit + 1..<limit + 2, skipping: 3).outcome == .changed)
        #expect(timeline.playlist?.dateRanges.map(\.id) == ["r\(limit)", "r\(limit + 1)"])
    }

    /// Updates with other key formats each do not add up either.
    @Test func keyFormatsAreBounded() throws {
        func keys(_ name: String) -> [EncryptionKey] {
            (0..<PlaylistLimits.keyFormats).map {
                EncryptionKey(method: "AES-128", uri: "k", keyFormat: "\(name)\($0)")
            }
        }
        var (held, delta) = (MediaPlaylist(uri: ""), MediaPlaylist(uri: ""))
        held.segments = [Self.segment(0)]
        held.segments[0].keys = keys("a")
        delta.skip = SkippedSegments(count: 1)
        delta.segments = [Self.segment(1), Self.segment(2)]
        delta.segments[0].keys = keys("b")
        guard case .merged(let merged) = PlaylistDelta.merge(held: held, delta: delta) else { throw Failure.incomplete }
        #expect(merged.segments.map(\.keys) == [keys("a"), keys("a"), keys("a")])
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
