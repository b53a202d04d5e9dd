import HLS
import Ports
import Testing

/// Merging date ranges by rfc8216bis-22 section 4.4.5.1.
struct DateRangeTrackTests {
    private static let start = UnixTime(milliseconds: 1_798_761_600_000)

    private static func ranges(_ lines: String...) -> [DateRange] {
        let tags = lines.map { "#EXT-X-DATERANGE:\($0)\n" }.joined()
        return InlinePlaylist.media(InlinePlaylist.head + InlinePlaylist.dated + tags)?.dateRanges ?? []
    }

    @Test func tagsOfOneIDMergeAndTheFirstValueStays() throws {
        let ranges = Self.ranges(
            "ID=\"a\",START-DATE=\"2027-01-01T00:00:00Z\",PLANNED-DURATION=30,X-A=1", "ID=\"b\"",
            "ID=\"a\",DURATION=28.5,PLANNED-DURATION=31,X-B=\"two\",X-A=2")
        #expect(ranges.map(\.id) == ["a", "b"])
        #expect(ranges[0].plannedDuration == .seconds(30))
        #expect(ranges[0].duration == .milliseconds(28_500))
        #expect(ranges[0].end == Self.start + .milliseconds(28_500))
        #expect(
            ranges[0].extensions == [
                ExtensionAttribute(name: "X-A", value: .decimal("1")),
                ExtensionAttribute(name: "X-B", value: .string("two")),
            ])
        #expect(ranges[0].line == 11)
    }

    @Test func endDateWinsOverDuration() {
        let range = Self.ranges(
            "ID=\"a\",START-DATE=\"2027-01-01T00:00:00Z\",DURATION=5,END-DATE=\"2027-01-01T00:00:09Z\"")
        #expect(range.first?.end == Self.start + .seconds(9))
        #expect(range.first?.duration == .seconds(5))
    }

    /// The following range is the next of the class by date, not by line; a range with the same start does not count.
    @Test func endOnNextFindsTheFollowingRange() {
        func range(_ id: String, _ second: String, _ rangeClass: String = "c") -> String {
            "ID=\"\(id)\",CLASS=\"\(rangeClass)\",START-DATE=\"2027-01-01T00:00:\(second)Z\",END-ON-NEXT=YES"
        }
        let ranges = Self.ranges(
            range("1", "00"), range("2", "20"), range("3", "10"), range("4", "00"), range("5", "05", "d"))
        #expect(
            ranges.map { $0.end?.milliseconds }.map { $0.map { $0 - Self.start.milliseconds } } == [
                10_000, nil, 20_000, 10_000, nil,
            ])
    }

    @Test func formsOfExtensionValues() {
        let range = Self.ranges("ID=\"a\",X-S=\"a,b=c\",X-N=-1.25,X-H=0x0A0B,X-W=word,X-BIG=99999999999999999999")
        #expect(
            range.first?.extensions.map(\.value) == [
                .string("a,b=c"), .decimal("-1.25"), .hexadecimal("0x0A0B"), .string("word"),
                .decimal("99999999999999999999"),
            ])
    }

    @Test func quotedSpliceIsUsedAndAnUnreadableOneStillMarksABreak() throws {
        let ranges = Self.ranges(
            "ID=\"a\",SCTE35-IN=\"0xFC3011000000000000FFFFF000000000761DD3B6\"", "ID=\"b\",SCTE35-OUT=0xFC30")
        #expect(ranges[0].scte35In?.count == 20)
        #expect(ranges.map(\.hasBreakEnd) == [true, false] && ranges.map(\.hasBreakStart) == [false, true])
        #expect(ranges.map(\.isAdBreak) == [false, true], "an end alone is where a break ends")
        #expect(ranges[1].scte35Out == nil)
    }

    /// Some packagers write the return as START-DATE of the tag with SCTE35-IN. A length counts before that.
    @Test(arguments: [("", 6), (",DURATION=5", 5)]) func theTagOfAnEndMayHaveItsDate(length: String, seconds: Int) {
        let start = "ID=\"a\",START-DATE=\"2027-01-01T00:00:00Z\",SCTE35-OUT=0xFC\(length)"
        let end = "ID=\"a\",START-DATE=\"2027-01-01T00:00:06Z\",SCTE35-IN=0xFC"
        let ranges = Self.ranges(start, end, start)
        #expect(ranges.map(\.start) == [Self.start] && ranges.map(\.end) == [Self.start + .seconds(seconds)])
        #expect(ranges.map(\.isAdBreak) == [true])
    }

    /// The message of a start may announce a length, which counts while no attribute does (HLS-25). It is 307 s here.
    @Test(
        arguments: [
            ("", 307), (",PLANNED-DURATION=0", 307), (",PLANNED-DURATION=30", 30), (",DURATION=30", nil),
            (",END-DATE=\"2027-01-01T00:00:30Z\"", nil),
        ] as [(String, Int?)])
    func theMessageOfAStartMayAnnounceALength(attributes: String, seconds: Int?) {
        let text =
            InlinePlaylist.head + InlinePlaylist.dated
            + "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2027-01-01T00:00:00Z\",SCTE35-OUT="
            + "0xFC3034000000000000FFFFF00506FE72BD0050001E021C435545494800008E7FCF0001A599B00808000000002CA0A18A3402009AC9D17E"
            + "\(attributes)\n"
        #expect(InlinePlaylist.media(text)?.adBreaks.map(\.plannedDuration) == [seconds.map { .seconds($0) }])
    }

    @Test func cueListIgnoresUnknownMembers() {
        #expect(Self.ranges("ID=\"a\",CUE=\"PRE,LATER,ONCE\"").first?.cue == [.pre, .once])
    }
}
