import HLS
import Ports
import Testing

struct MediaPlaylistBuilderTests {
    private static let head = InlinePlaylist.head

    @Test func headerTags() throws {
        let playlist = try #require(
            InlinePlaylist.media(
                """
                #EXTM3U
                #EXT-X-VERSION:10
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-TARGETDURATION:4
                #EXT-X-MEDIA-SEQUENCE:100
                #EXT-X-DISCONTINUITY-SEQUENCE:7
                #EXT-X-PLAYLIST-TYPE:EVENT
                #EXT-X-START:TIME-OFFSET=-12.5,PRECISE=YES
                #EXT-X-PART-INF:PART-TARGET=1.004
                #EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24,CAN-SKIP-DATERANGES=YES,HOLD-BACK=12,\
                PART-HOLD-BACK=3.012,CAN-BLOCK-RELOAD=YES
                #EXT-X-ENDLIST
                """))
        #expect(playlist.version == 10)
        #expect(playlist.hasIndependentSegments)
        #expect(playlist.targetDuration == .seconds(4))
        #expect(playlist.mediaSequence == 100)
        #expect(playlist.discontinuitySequence == 7)
        #expect(playlist.playlistType == .event)
        #expect(playlist.start == StartPoint(timeOffset: .milliseconds(-12_500), isPrecise: true))
        #expect(playlist.partTarget == .milliseconds(1_004))
        #expect(
            playlist.serverControl
                == ServerControl(
                    canSkipUntil: .seconds(24), canSkipDateRanges: true, holdBack: .seconds(12),
                    partHoldBack: .milliseconds(3_012), canBlockReload: true))
        #expect(playlist.hasEndList)
        #expect(playlist.segments.isEmpty && playlist.duration == .zero)
    }

    @Test func numbersStartsAndDatesOfSegments() throws {
        let playlist = try #require(
            InlinePlaylist.media(
                Self.head + """
                    #EXT-X-MEDIA-SEQUENCE:5
                    #EXTINF:6.006,first
                    a.ts
                    #EXT-X-DISCONTINUITY
                    #EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:06.006Z
                    #EXTINF:5.994,
                    b.ts
                    #EXTINF:6,
                    c.ts
                    """))
        let start = try #require(CivilTime(year: 2027, month: 1, day: 1).unixTime)
        #expect(playlist.segments.map(\.sequence) == [5, 6, 7])
        #expect(playlist.segments.map(\.discontinuitySequence) == [0, 1, 1])
        #expect(playlist.segments.map(\.isDiscontinuity) == [false, true, false])
        #expect(playlist.segments.map(\.start) == [.zero, .milliseconds(6_006), .seconds(12)])
        #expect(playlist.segments.map(\.date) == [start, start + .milliseconds(6_006), start + .seconds(12)])
        #expect(playlist.segments.map(\.dateSource) == [.backward, .explicit, .forward])
        #expect(playlist.segments.map(\.title) == ["first", nil, nil])
        #expect(playlist.segments.map(\.line) == [6, 10, 12])
        #expect(playlist.duration == .seconds(18))
    }

    /// A date behind the last segment is that of the next one, which may be in parts (rfc8216bis-22 section 4.4.4.6).
    @Test func aDateBehindTheLastSegmentDatesBackwards() throws {
        let parsed = InlinePlaylist.parse(
            Self.head + """
                #EXTINF:4,
                a.ts
                #EXTINF:2,
                b.ts
                #EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:06Z
                #EXT-X-PART:DURATION=1,URI="c.0.ts"
                """)
        let playlist = try #require(parsed.media)
        let start = try #require(CivilTime(year: 2027, month: 1, day: 1).unixTime)
        #expect(playlist.segments.map(\.date) == [start, start + .seconds(4)])
        #expect(playlist.segments.map(\.dateSource) == [.backward, .backward])
    }

    /// A date between the segments counts before the one behind the last.
    @Test func aDateBehindTheLastSegmentDatesNothingThatHasADate() throws {
        let playlist = try #require(
            InlinePlaylist.media(
                Self.head + InlinePlaylist.dated + "#EXT-X-PROGRAM-DATE-TIME:2028-01-01T00:00:00Z\n"))
        let start = try #require(CivilTime(year: 2027, month: 1, day: 1).unixTime)
        #expect(playlist.segments.map(\.date) == [start, start + .seconds(6), start + .seconds(12)])
        #expect(playlist.segments.map(\.dateSource) == [.explicit, .forward, .forward])
    }

    /// Fractions below a microsecond do not add up.
    @Test func datesOfALongRunAreExact() throws {
        let segments = (0..<3_000).map { "#EXTINF:5.0050050,\n\($0).ts\n" }.joined()
        let playlist = try #require(
            InlinePlaylist.media(Self.head + "#EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:00Z\n" + segments))
        let last = try #require(playlist.segments.last)
        #expect(last.start == .nanoseconds(2_999 * 5_005_005_000))
        let distance = try #require(last.date) - #require(playlist.segments[0].date)
        #expect(distance == .microseconds(15_010_009_995))
    }

    @Test func unreadableDurationIsTheTargetStatedLater() throws {
        let playlist = try #require(
            InlinePlaylist.media("#EXTM3U\n#EXTINF:?,\na.ts\n#EXTINF:4,\nb.ts\n#EXT-X-TARGETDURATION:6"))
        #expect(playlist.segments.map(\.duration) == [.seconds(6), .seconds(4)])
        #expect(playlist.segments.map(\.start) == [.zero, .seconds(6)])
    }

    /// The title is the rest of the line (rfc8216bis-22 section 4.4.4.1), which has no blanks at its end.
    @Test(
        arguments: [
            ("#EXTINF:6,News", "News"), ("#EXTINF:6, News, late", " News, late"), ("#EXTINF:6,\tNews \t", "\tNews"),
            ("#EXTINF:6,", nil), ("#EXTINF:6, \t", nil), ("#EXTINF:6", nil), ("#EXTINF: 6 , News", " News"),
        ] as [(String, String?)])
    func aTitleIsTheRestOfTheLine(line: String, title: String?) throws {
        let playlist = try #require(InlinePlaylist.media(Self.head + line + "\na.ts\n"))
        #expect(playlist.segments.map(\.title) == [title])
        #expect(playlist.segments.map(\.duration) == [.seconds(6)])
    }

    /// A dropped URI discards what the tags state about its segment, except for the discontinuity.
    @Test func droppedURITakesItsDate() throws {
        let playlist = try #require(
            InlinePlaylist.media(
                Self.head + "#EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:00Z\n#EXT-X-GAP\n#EXT-X-DISCONTINUITY\nx.ts\n"
                    + InlinePlaylist.segments))
        #expect(playlist.segments.count == 3)
        #expect(playlist.segments[0].date == nil)
        #expect(!playlist.segments[0].isGap)
        #expect(playlist.segments[0].isDiscontinuity)
    }

    @Test func keysMapsAndBitratesHoldOn() throws {
        let playlist = try #require(
            InlinePlaylist.media(
                Self.head + """
                    #EXT-X-KEY:METHOD=AES-128,URI="k1"
                    #EXT-X-KEY:METHOD=SAMPLE-AES,URI="k2",KEYFORMAT="f",IV=0x0a
                    #EXT-X-MAP:URI="i.mp4",BYTERANGE="10@5"
                    #EXT-X-BITRATE:900
                    #EXTINF:6,
                    a.ts
                    #EXT-X-KEY:METHOD=AES-128,URI="k3"
                    #EXTINF:6,
                    #EXT-X-BYTERANGE:7@1
                    b.ts
                    #EXT-X-KEY:METHOD=NONE
                    #EXT-X-KEY:METHOD=ROT13,URI="k4"
                    #EXTINF:6,
                    c.ts
                    """))
        let folder = "https://cdn.example.com/live/ch1/"
        #expect(
            playlist.segments.map { $0.keys.map(\.uri) } == [
                [folder + "k1", folder + "k2"], [folder + "k3", folder + "k2"], [],
            ])
        #expect(playlist.segments[0].keys.map(\.keyFormat) == ["identity", "f"])
        #expect(playlist.segments[0].keys[1].initializationVector == "0x0a")
        #expect(playlist.segments.map(\.bitrate) == [900, nil, 900])
        let map = MediaInitialization(uri: folder + "i.mp4", byteRange: ByteRange(length: 10, offset: 5))
        #expect(playlist.segments.allSatisfy { $0.map == map })
        #expect(playlist.segments[1].byteRange == ByteRange(length: 7, offset: 1))
    }

    @Test func partsBelongToTheirParents() throws {
        let playlist = try #require(
            InlinePlaylist.media(
                Self.head + """
                    #EXT-X-MEDIA-SEQUENCE:9
                    #EXT-X-PART-INF:PART-TARGET=3
                    #EXT-X-SERVER-CONTROL:PART-HOLD-BACK=9
                    #EXT-X-PART:URI="p0",DURATION=3,INDEPENDENT=YES,BYTERANGE="5@10"
                    #EXT-X-PART:URI="p0",DURATION=3,BYTERANGE="6"
                    #EXTINF:6,
                    a.ts
                    #EXT-X-PART:URI="p2",DURATION=3,GAP=YES
                    #EXT-X-PRELOAD-HINT:TYPE=PART,URI="p3",BYTERANGE-START=4,BYTERANGE-LENGTH=5
                    #EXT-X-RENDITION-REPORT:URI="../b/m.m3u8",LAST-MSN=10,LAST-PART=2
                    """))
        #expect(
            playlist.segments[0].parts.map(\.byteRange) == [
                ByteRange(length: 5, offset: 10), ByteRange(length: 6, offset: 15),
            ])
        #expect(playlist.parts.map(\.sequence) == [9, 9, 10])
        #expect(playlist.parts.map(\.index) == [0, 1, 0])
        #expect(playlist.parts.map(\.isIndependent) == [true, false, false])
        #expect(playlist.trailingParts.map(\.isGap) == [true])
        #expect(playlist.preloadHints.map(\.byteRangeStart) == [4])
        #expect(playlist.preloadHints.map(\.byteRangeLength) == [5])
        let report = RenditionReport(uri: "https://cdn.example.com/live/b/m.m3u8", lastSequence: 10, lastPart: 2)
        #expect(playlist.renditionReports == [report])
    }

    /// rfc8216bis-22 section 6.3.1: a tag with an unknown REQ- attribute is ignored.
    @Test func unknownRequirementIgnoresTheTag() throws {
        let text = "#EXTM3U\n#EXT-X-VERSION:12\n#EXT-X-TARGETDURATION:6\n#EXT-X-MAP:URI=\"i\",REQ-NEW=\"x\"\n"
        #expect(InlinePlaylist.media(text + InlinePlaylist.segments)?.segments[0].map == nil)
    }

    @Test func lastDuplicateCountsUnlessLate() {
        let early = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-TARGETDURATION:6\n#EXTINF:4,\n0.ts\n"
        #expect(InlinePlaylist.media(early)?.targetDuration == .seconds(6))
        #expect(InlinePlaylist.media(early + "#EXT-X-TARGETDURATION:9\n")?.targetDuration == .seconds(6))
    }

    @Test func firstLineMayHaveMore() {
        let parsed = InlinePlaylist.parse("#EXTM3U x-tvg-url=\"u\"\n#EXT-X-TARGETDURATION:6\n#EXT-X-ENDLIST")
        #expect(InlinePlaylist.findings(parsed) == ["stray-whitespace@1"])
        #expect(parsed.media?.targetDuration == .seconds(6))
    }
}
