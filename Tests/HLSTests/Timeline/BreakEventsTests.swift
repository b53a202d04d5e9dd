import HLS
import Ports
import Testing

/// Which markers end a break (HLS-23): in a playlist alone, and across the reloads of one that grows.
struct BreakEventsTests {
    /// Segments of 6 s, each with the markers before it; several are joined by a bar.
    private static func playlist(_ markers: some Sequence<String>, first: Int, isOver: Bool = false) -> ParsedPlaylist {
        let segments = markers.enumerated().map { index, markers in
            markers.split(separator: "|").map { "#EXT-\($0.hasPrefix("OATCLS") ? "" : "X-")\($0)\n" }.joined()
                + "#EXTINF:6,\n\(index).ts\n"
        }
        return InlinePlaylist.parse(
            InlinePlaylist.head + "#EXT-X-MEDIA-SEQUENCE:\(first)\n" + segments.joined()
                + (isOver ? "#EXT-X-ENDLIST\n" : ""))
    }

    /// `start..end reason` of each break, in seconds.
    private static func alone(_ markers: [String], first: Int, isOver: Bool = false) -> [String] {
        (playlist(markers, first: first, isOver: isOver).media?.adBreaks ?? []).map { marker in
            describe(marker.startOffset, marker.endOffset, marker.closedBy)
        }
    }

    /// The same of a playlist that grows by one segment with each reload.
    private static func growing(_ markers: [String], first: Int) -> [String] {
        var (timeline, track) = (Timeline(), BreakTrack())
        for count in 1...markers.count {
            guard let playlist = playlist(markers.prefix(count), first: first).media else { continue }
            _ = timeline.fold(playlist)
            track.fold(timeline, reload: count)
        }
        return track.breaks.map { found in
            describe(found.startStream.map { $0 - .zero }, found.endStream.map { $0 - .zero }, found.closedBy)
        }
    }

    private static func describe(_ start: Duration?, _ end: Duration?, _ closing: AdBreakMarker.Closing?) -> String {
        let places = [start, end].map { $0.map { "\($0.components.seconds)" } ?? "" }.joined(separator: "..")
        return "\(places) \(closing?.rawValue ?? "open")"
    }

    private static func splice(_ event: UInt64, _ type: UInt64) -> String {
        "SPLICEPOINT-SCTE35:" + SpliceSectionWriter.timeSignal(event, type)
    }

    private static func tag(_ meaning: String, _ event: UInt64, _ type: UInt64) -> String {
        "SCTE35:CUE=\"\(SpliceSectionWriter.timeSignal(event, type))\",\(meaning)=YES"
    }

    private func expect(_ markers: [String], _ expected: [String], first: Int = 0) {
        #expect(Self.alone(markers, first: first) == expected, "alone")
        #expect(Self.growing(markers, first: first) == expected, "growing")
    }

    /// Packagers write the start of the next break also ahead of the end of the last.
    @Test(arguments: [
        ["CUE-OUT:18", "", "", "CUE-OUT:12|CUE-IN", "", "CUE-IN", ""],
        ["CUE-OUT:18", "", "", "CUE-IN|CUE-OUT:12", "", "CUE-IN", ""],
        ["CUE-OUT", "", "", "CUE-OUT|CUE-IN", "", "CUE-IN", ""],
        ["CUE-OUT:30", "", "", "CUE-OUT:12|CUE-IN", "", "CUE-IN", ""],
        // The announced length ends within the segment before.
        ["CUE-OUT:14", "", "", "CUE-OUT:12|CUE-IN", "", "CUE-IN", ""],
        ["CUE-OUT:DURATION=18,ID=1", "", "", "CUE-OUT:DURATION=9,ID=2|CUE-IN:ID=1", "", "CUE-IN:ID=2", ""],
        ["CUE-OUT:18", "CUE-OUT-CONT:6/18", "", "CUE-OUT:12|CUE-OUT-CONT:0/12|CUE-IN", "", "CUE-IN", ""],
        // Both dialects mark both.
        [
            "CUE-OUT|CUE:TYPE=SpliceOut,ID=7", "", "", "CUE-IN|CUE-OUT|CUE:TYPE=SpliceIn|CUE:TYPE=SpliceOut", "",
            "CUE-IN",
        ],
        [splice(1, 0x34), "", "", splice(2, 0x34) + "|" + splice(1, 0x35), "", splice(2, 0x35), ""],
        // The first is longer than announced: what continues it says so.
        ["CUE-OUT:12", "CUE-OUT-CONT:6/12", "CUE-OUT-CONT:12/12", "CUE-OUT:12|CUE-IN", "", "CUE-IN", ""],
    ]) func aBreakMayFollowAnotherAtOneSegment(_ markers: [String]) {
        expect(markers, ["0..18 in", "18..30 in"])
    }

    /// The window has lost the start of the first.
    @Test func theEndOfALostBreakIsNotThatOfTheNext() {
        expect(["CUE-OUT:12|CUE-IN", "", "CUE-IN", ""], ["0..12 in"], first: 7)
    }

    /// Without a break that may end there, the end is that of what begins there: it has no media.
    @Test(arguments: [
        (["CUE-OUT:12|CUE-IN", "", ""], ["0..0 in"]),
        (["CUE-OUT:6", "", "", "", "CUE-OUT:6|CUE-IN", ""], ["0..6 duration", "24..24 in"]),
    ]) func aBreakMayEndWhereItBegins(_ markers: [String], _ expected: [String]) {
        expect(markers, expected)
    }

    /// Frames do not fit into whole seconds: a break that begins 50 ms ahead of the announced end is the next.
    @Test func theNextBreakMayBeginAtAnEndThatIsRounded() {
        expect(["CUE-OUT:12.05", "", "CUE-OUT:6", "", ""], ["0..12 duration", "12..18 duration"])
    }

    /// The end of an ad is none of its break, however many dialects mark it.
    @Test(arguments: [
        [splice(1, 0x34), splice(2, 0x30), splice(2, 0x31) + "|" + tag("CUE-IN", 2, 0x31), splice(1, 0x35), ""],
        [splice(1, 0x30), splice(2, 0x30), splice(2, 0x31) + "|" + tag("CUE-IN", 2, 0x31), splice(1, 0x31), ""],
        [splice(1, 0x30), splice(2, 0x30), tag("CUE-IN", 2, 0x31) + "|" + splice(2, 0x31), splice(1, 0x31), ""],
        ["CUE-OUT|" + tag("CUE-OUT", 2, 0x30), tag("CUE-IN", 2, 0x31), "", "CUE-IN", ""],
        [tag("CUE-OUT", 2, 0x30) + "|CUE-OUT", tag("CUE-IN", 2, 0x31) + "|" + splice(2, 0x31), "", "CUE-IN", ""],
        // Without a message, the dialect shows which start it ends.
        [splice(1, 0x34), "CUE-OUT:6", "CUE-IN|" + splice(2, 0x31), splice(1, 0x35), ""],
    ]) func theEndOfAnAdMayBeMarkedTwice(_ markers: [String]) {
        expect(markers, ["0..18 in"])
    }

    /// An ad that its own dialect marks as a break is one.
    @Test func aDialectEndsWhatItBegan() {
        expect([Self.tag("CUE-OUT", 2, 0x30), "", Self.tag("CUE-IN", 2, 0x31), ""], ["0..12 in"])
    }

    @Test func theLengthOfANestedBreakIsNotThatOfTheOuter() {
        expect(["CUE-OUT", "CUE-OUT:6", "", "", "CUE-IN", ""], ["0..24 in"])
    }

    /// Nothing but the ends of its ads tells the end of the break: it is over where none follows.
    @Test func theLastAdMayEndABreakOfUnknownLength() {
        let splice = Self.splice
        let pause = Array(repeating: "", count: 11)
        expect(["CUE-OUT", "", splice(9, 0x31)] + pause.dropLast(3), ["0.. open"])
        expect(["CUE-OUT", "", splice(9, 0x31)] + pause, ["0..12 duration"])
        expect(
            ["CUE-OUT|" + splice(2, 0x30), splice(2, 0x31), "", splice(3, 0x30), splice(3, 0x31)] + pause,
            ["0..24 duration"])
        // A continuation, an end and the next start tell more.
        expect(["CUE-OUT", "", splice(9, 0x31), "", "CUE-IN", ""], ["0..24 in"])
        expect(["CUE-OUT", "", splice(9, 0x31)] + pause + ["CUE-IN"], ["0..84 in"])
        expect(["CUE-OUT", "", splice(9, 0x31), "", "CUE-OUT:6", "", ""], ["0..12 duration", "24..30 duration"])
        expect(["CUE-OUT", "", splice(9, 0x31), "CUE-OUT-CONT:18"] + pause, ["0.. open"])
        // A known length tells the end itself.
        expect(["CUE-OUT:90", "", splice(9, 0x31)] + pause, ["0.. open"])
    }

    /// A pause ends the break also where an ad follows in the same list.
    @Test func anAdBehindALongPauseIsAnother() {
        let pause = Array(repeating: "", count: 10)
        let ad = [Self.splice(3, 0x30), Self.splice(3, 0x31)]
        expect(["CUE-OUT", "", Self.splice(9, 0x31)] + pause + ad, ["0..12 duration", "78..84 in"])
        expect(["CUE-OUT", "", Self.splice(9, 0x31)] + pause.dropLast(2) + ad + pause, ["0..72 duration"])
    }

    /// The message of a continuation is that of the start, with ads that have ended.
    @Test func aContinuationDoesNotBeginAdsAgain() {
        let message = SpliceSectionWriter.timeSignal(2, 0x30)
        // An ad that begins where the last continuation ends is inside.
        let markers = [
            "CUE-OUT|SCTE35:CUE=\"\(message)\",CUE-OUT=YES", Self.splice(2, 0x31),
            "CUE-OUT-CONT:ElapsedTime=12,SCTE35=\(message)",
            Self.splice(3, 0x30), Self.splice(3, 0x31),
        ]
        expect(markers + Array(repeating: "", count: 10), ["0..24 duration"])
    }

    @Test func theLastAdEndsABreakAtTheEndOfTheStream() {
        let markers = ["CUE-OUT", "", Self.splice(9, 0x31), ""]
        #expect(Self.alone(markers, first: 0, isOver: true) == ["0..12 duration"])
        #expect(InlinePlaylist.findings(Self.playlist(markers, first: 0, isOver: true)) == [])
    }

    /// A pod of more ads than are distinguished: those on the air still are.
    @Test func manyAdsDoNotEndTheirBreak() {
        var markers = [Self.splice(1, 0x34), Self.splice(2, 0x30)]
        for ad in 3..<100 as Range<UInt64> { markers.append(Self.splice(ad, 0x30) + "|" + Self.splice(ad - 1, 0x31)) }
        markers += [Self.splice(99, 0x31) + "|" + Self.tag("CUE-IN", 99, 0x31), Self.splice(1, 0x35)]
        expect(markers, ["0..600 in"])
    }

    /// The splice is inside a segment, and CUE-OUT marks the one behind it: the break is the same, and CUE-IN its end.
    @Test(arguments: [
        [splice(1, 0x34), "CUE-OUT", "", "CUE-IN", ""],
        [splice(1, 0x34), "CUE-OUT:12", "", "CUE-IN", ""],
        [splice(1, 0x34), "CUE-OUT:DURATION=30,ID=1", "", "CUE-IN", ""],
        [splice(1, 0x34), "", tag("CUE-OUT", 1, 0x34), "SCTE35:CUE-IN=YES", ""],
        [splice(1, 0x34), "CUE-OUT", "", splice(1, 0x35), "CUE-IN"],
    ]) func anotherDialectMayAnnounceABreakLate(_ markers: [String]) {
        expect(markers, ["0..18 in"])
    }

    @Test func aLateDialectMayBeLateAtTheEnd() {
        let markers = [Self.splice(1, 0x34), "CUE-OUT", "", Self.splice(1, 0x35), "CUE-IN", ""]
        #expect(InlinePlaylist.findings(Self.playlist(markers, first: 0, isOver: true)) == [])
    }

    /// A marker that announces no length has that of its event, in its own message or that of a payload beside it: 18 s of a placement
    /// opportunity, or of a splice_insert. The event of a payload inside the break is another one.
    @Test(arguments: [timeSignal(1, 0x34, seconds: 18), "/DAlAAAAAAAA///wFAUAAAAIf+/+AAxcEP4AGLggAAEAAAAANfn0iQ=="])
    func theLengthMayBeThatOfTheMessage(_ message: String) {
        let pause = ["", "", "", ""]
        expect(["CUE-OUT|OATCLS-SCTE35:\(message)"] + pause, ["0..18 duration"])
        expect(["OATCLS-SCTE35:\(message)|CUE-OUT:0"] + pause, ["0..18 duration"])
        expect(["SCTE35:CUE=\"\(message)\",CUE-OUT=YES"] + pause, ["0..18 duration"])
        expect(["CUE-OUT:12|OATCLS-SCTE35:\(message)"] + pause, ["0..12 duration"])
        expect(["CUE-OUT", "OATCLS-SCTE35:\(message)"] + pause, ["0.. open"])
    }

    /// The length of the first ad is not that of the break.
    @Test func theLengthOfAnAdIsNotThatOfTheBreak() {
        expect(["CUE-OUT|OATCLS-SCTE35:" + Self.timeSignal(1, 0x30, seconds: 18), "", "", "", ""], ["0.. open"])
    }

    /// A time_signal without a time about one segment of this event, type and length, in hexadecimal.
    private static func timeSignal(_ event: UInt64, _ type: UInt64, seconds: UInt64) -> String {
        let fields: [(UInt64, Int)] = [
            (event, 32), (0x7F, 8), (0xFF, 8), (seconds * 90_000, 40), (0, 8), (0, 8), (type, 8), (1, 8), (1, 8),
        ]
        let descriptors = SpliceSectionWriter.descriptor(2, SpliceSectionWriter(fields).bytes)
        return "0x" + SpliceSectionWriter.section(command: 6, body: [0x7F], descriptors: descriptors).upperHexadecimal
    }

    /// A message beside the start names the event of the break.
    @Test func thePayloadOfABreakNamesItsEvent() {
        let payload = "SCTE35:CUE=\"\(SpliceSectionWriter.timeSignal(1, 0x34))\""
        expect(["CUE-OUT|" + payload, Self.splice(1, 0x34), Self.splice(1, 0x35), ""], ["0..12 in"])
    }

    @Test func aRepeatedStartMayTellTheLength() {
        expect(["CUE-OUT:ID=7", "CUE-OUT:DURATION=18,ID=7", "", "", ""], ["0..18 duration"])
    }

    /// A length of 0 is unknown, so that the last ad tells the end, and at the end of the stream a point was meant.
    @Test func aLengthOfZeroTellsNoEnd() {
        expect(
            ["CUE-OUT:0", "", Self.splice(9, 0x31), "", "CUE-OUT:6", "", ""], ["0..12 duration", "24..30 duration"])
        expect(["CUE-OUT:0", "", ""], ["0.. open"])
        #expect(Self.alone(["CUE-OUT:0", "", ""], first: 0, isOver: true) == ["0..0 duration"])
    }

    /// The segment behind a continuation tells whether the break is over, unless none will follow.
    @Test func anEndBehindTheLastContinuationAwaitsTheNextSegment() {
        expect(["CUE-OUT:12", "CUE-OUT-CONT:6/12"], ["0.. open"])
        #expect(Self.alone(["CUE-OUT:12", "CUE-OUT-CONT:6/12"], first: 0, isOver: true) == ["0..12 duration"])
    }

    /// A continuation behind the announced length is of the same break where it counts from its start, else of another one.
    @Test func aContinuationBehindTheLengthContinuesItsBreak() {
        expect(["CUE-OUT:12", "", "CUE-OUT-CONT:12/12", "CUE-IN", ""], ["0..18 in"])
        expect(["CUE-OUT:12", "", "", "CUE-OUT-CONT:6/12", ""], ["0..12 duration", "12..24 duration"])
    }

    /// What was continued behind the announced length is of the break, also where the next one begins and where it ends late.
    @Test func aBreakEndsWithWhatContinuedItBehindItsLength() {
        let start = ["CUE-OUT:12", "CUE-OUT-CONT:6/12", "CUE-OUT-CONT:12/12"]
        expect(start + ["", "CUE-OUT:6", "", ""], ["0..18 duration", "24..30 duration"])
        expect(start + ["CUE-OUT:6", "", ""], ["0..18 duration", "18..24 duration"])
        expect(start + ["", "CUE-IN", ""], ["0..24 in"])
        // Another break, of which the window has no start, is not this one.
        expect(start + ["", "", "CUE-OUT-CONT:6/12", "", ""], ["0..18 duration", "24..36 duration"])
        expect(start + ["", "", "CUE-OUT-CONT", "", ""], ["0..18 duration", "30.. open"])
    }

    @Test func anUnknownLengthIsGivenUpAfterHalfAnHour() {
        #expect(Self.alone(["CUE-OUT"] + Array(repeating: "", count: 300), first: 0) == ["0..1800 duration"])
    }
}
