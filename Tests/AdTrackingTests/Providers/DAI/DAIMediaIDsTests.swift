import Ports
import Testing

@testable import AdTracking

/// Ids in the media, joined with metadata that has no times (PRV-45).
@Suite struct DAIMediaIDsTests {
    private static func metadata(_ texts: String...) throws -> DAIMetadata {
        var metadata = DAIMetadata()
        for text in texts { try metadata.add(try MetadataProblem.json(Array(text.utf8))) }
        return metadata
    }

    private static func tag(_ ad: String, _ type: String, in adBreak: String = "b") -> String {
        #"{"ad":"\#(ad)","ad_break_id":"\#(adBreak)","type":"\#(type)"}"#
    }

    private static let two =
        #"{"tags":{"g_1":\#(tag("x", "start")),"g_2":\#(tag("x", "midpoint")),"g_3":\#(tag("x", "progress")),"g_4":\#(tag("y", "thirdquartile"))},"#
        + #""ads":{"x":{"duration":10,"ad_break_id":"b"},"y":{"duration":20,"slate":true}},"ad_breaks":{"b":{"duration":30,"expected_duration":45,"ads":3}}}"#

    private static func ids(_ entries: (String, Int32)...) throws -> DAIMediaIDs {
        var ids = DAIMediaIDs(verification: try WebURL("https://dai.example/media/"))
        for (id, second) in entries { ids.add(id, at: MediaMoment(seconds: ExactDecimal(second))) }
        return ids
    }

    private static func ads(_ placed: DAIMediaIDs.Placed) -> [String] {
        placed.answer.breaks.flatMap { adBreak in
            adBreak.ads.map { ad in
                "\(adBreak.node(of: ad)) \(ad.start) \(ad.events.map { "\($0.name)+\($0.offset(inLength: ad.length) ?? .zero)" })"
            }
        }
    }

    @Test func idsPlaceAdsAndEvents() throws {
        let placed = try Self.ids(("g_1aa", 100), ("g_3aa", 102), ("g_2aa", 105), ("g_4aa", 125)).placed(
            by: Self.metadata(Self.two))
        #expect(Self.ads(placed) == [#"b/x 100 ["start+0", "midpoint+5"]"#, #"b/y 110 ["thirdQuartile+15"]"#])
        let adBreak = try #require(placed.answer.breaks.first)
        #expect(
            adBreak.start == ExactDecimal(100) && adBreak.length == ExactDecimal(30)
                && adBreak.planned == ExactDecimal(45))
        #expect(adBreak.ads.map(\.isSlate) == [false, true])
        #expect(adBreak.ads.first?.events.first?.urls == ["https://dai.example/media/g_1aa"])
        #expect(
            placed.answer.findings.map(\.rule) == ["P03"] && placed.fewer.map(\.rule) == ["P07"] && placed.loose == [])
    }

    /// A session that replaces others carries their ids again, at other addresses and maybe at other moments (TRK-32): they place ads, and are
    /// verified no more. What those sessions did not verify is.
    @Test func idsOfFormerSessionsAreNotVerifiedAgain() throws {
        let first = try Self.ids(("g_1aa", 100), ("u", 101))
        var second = DAIMediaIDs(verification: try WebURL("https://dai.example/s2/media/"))
        second.replaces(
            first, thatVerified: ["https://dai.example/media/g_1aa", "https://dai.example/media/u", "https://h/x"])
        var third = DAIMediaIDs(verification: try WebURL("https://dai.example/s3/media/"))
        third.replaces(second, thatVerified: ["https://dai.example/s2/media/g_2aa"])
        for (id, moment) in [("g_1aa", 103), ("u", 104), ("v", 105), ("g_2aa", 108)] as [(String, Int32)] {
            second.add(id, at: MediaMoment(seconds: ExactDecimal(moment)))
            third.add(id, at: MediaMoment(seconds: ExactDecimal(moment)))
        }
        let metadata = try Self.metadata(Self.two)
        #expect(Self.ads(second.placed(by: metadata)) == [#"b/x 103 ["midpoint+5"]"#])
        #expect(Self.ads(third.placed(by: metadata)) == ["b/x 103 []"])
        for placed in [second, third].map({ $0.placed(by: metadata) }) { #expect(placed.loose.map(\.id) == ["v"]) }
    }

    /// Another process that continues the session may read them in the same media (FLT-15). With too many, the newest are handed on.
    @Test(arguments: [0, 5_000]) func idsOfFormerSessionsAreHandedOn(older: Int) throws {
        let prefix = "https://dai.example/media/"
        let urls = (0..<older).map { "\(prefix)google_older_\($0)" } + ["\(prefix)g_1aa", "\(prefix)u"]
        var session = DAIMediaIDs(verification: try WebURL("https://dai.example/s2/media/"))
        session.replaces(DAIMediaIDs(verification: try WebURL(prefix)), thatVerified: urls)
        let memory = try #require(session.memory)
        #expect(memory.text().utf8.count < 32_768)
        var continued = DAIMediaIDs(verification: try WebURL("https://dai.example/s2/media/"))
        continued.recall(memory)
        for (id, moment) in [("g_1aa", 103), ("u", 104), ("v", 105)] as [(String, Int32)] {
            continued.add(id, at: MediaMoment(seconds: ExactDecimal(moment)))
        }
        let placed = continued.placed(by: try Self.metadata(Self.two))
        #expect(placed.answer.breaks.flatMap(\.ads).map(\.events.count) == [0] && placed.loose.map(\.id) == ["v"])
        #expect(DAIMediaIDs(verification: nil).memory == nil)
    }

    /// Ids come in the order in which segments are answered.
    @Test func theAdOnAirAtTheJoinIsKnown() throws {
        let placed = try Self.ids(("g_4aa", 125), ("g_2aa", 105)).placed(by: Self.metadata(Self.two))
        #expect(Self.ads(placed).first == #"b/x 100 ["midpoint+5"]"#)
        #expect(placed.answer.findings.map(\.rule) == ["P03", "P03"] && placed.joined == "b/x")
    }

    /// The first ad seen began at 100 s, by its midpoint at 105 s; three are announced. What was before the join is not missing.
    @Test(arguments: [(60.0, ["P07"]), (98.0, []), (103.0, [])] as [(Double, [String])])
    func adsBeforeTheJoinAreNotMissing(readFrom: Double, rules: [String]) throws {
        var ids = DAIMediaIDs(verification: nil)
        ids.add("g_2aa", at: MediaMoment(.second(105)), readFrom: .second(readFrom))
        #expect(try ids.placed(by: Self.metadata(Self.two)).fewer.map(\.rule) == rules)
    }

    @Test func theLongestKeyCounts() throws {
        let metadata = try Self.metadata(
            #"{"tags":{"g":\#(Self.tag("x", "start")),"g_12":\#(Self.tag("y", "start")),"g_1":\#(Self.tag("z", "start"))}}"#
        )
        let placed = try Self.ids(("g_1234", 10)).placed(by: metadata)
        #expect(Self.ads(placed) == [#"b/y 10 ["start+0"]"#])
    }

    /// Other renditions, and segments that overlap, carry it again.
    @Test func theFirstTimeOfAnIdCounts() throws {
        let placed = try Self.ids(("g_1a", 10), ("g_1a", 14), ("g_2a", 15)).placed(by: Self.metadata(Self.two))
        #expect(Self.ads(placed) == [#"b/x 10 ["start+0", "midpoint+5"]"#])
    }

    @Test func anIdThatComesBeforeItsMetadataIsPlacedLater() throws {
        let ids = try Self.ids(("g_1a", 10))
        let loose = ids.placed(by: DAIMetadata()).loose
        #expect(loose.map(\.url) == ["https://dai.example/media/g_1a"] && loose.map(\.finding.rule) == ["L66"])
        #expect(ids.placed(by: try Self.metadata(Self.two)).loose == [])
    }

    @Test func theNewestEntryOfAKeyCounts() throws {
        let metadata = try Self.metadata(Self.two, #"{"ads":{"x":{"duration":12}}}"#, #"{"tags":{"g_2":{"type":7}}}"#)
        let placed = try Self.ids(("g_1a", 10), ("g_2a", 16)).placed(by: metadata)
        #expect(
            placed.answer.breaks.first?.ads.map(\.length) == [ExactDecimal(12)] && placed.loose.map(\.id) == ["g_2a"])
    }

    /// The ad has its break, too, and numbers may be texts.
    @Test func aTagWithoutABreakHasThatOfItsAd() throws {
        let metadata = try Self.metadata(
            #"{"tags":{"g_1":{"ad":"x","type":"start"}},"ads":{"x":{"duration":"10","ad_break_id":"b"}},"#
                + #""ad_breaks":{"b":{"duration":"PT30S","ads":"2"}}}"#)
        let placed = try Self.ids(("g_1a", 10)).placed(by: metadata)
        #expect(Self.ads(placed) == [#"b/x 10 ["start+0"]"#] && placed.loose == [])
        #expect(placed.answer.breaks.first?.length == ExactDecimal(30) && placed.fewer.map(\.rule) == ["P07"])
    }

    /// Some languages write an object without members as an array, and what they do not have as null.
    @Test(arguments: [
        #"{"tags":[],"ads":[],"ad_breaks":[]}"#, #"{"tags":null,"ads":[]}"#, #"{"tags":[],"ad_breaks":{}}"#,
    ])
    func aStreamMayHaveNoBreaksYet(_ text: String) throws {
        #expect(try Self.metadata(text) == DAIMetadata())
        #expect(try DAIProvider.saved(Array(text.utf8)) == SavedAnswer(ListedAnswer()))
    }

    @Test(arguments: ["[]", "7", "{}", #"{"tags":[],"ads":7}"#, #"{"tags":[1]}"#])
    func whatIsNoMetadataIsRefused(_ text: String) {
        #expect(throws: MetadataProblem.self) { try Self.metadata(text) }
    }

    @Test func whatIsRememberedIsBounded() throws {
        var ids = try Self.ids()
        var metadata = DAIMetadata()
        for number in 0..<Int32(DAIMediaIDs.limit * 2) {
            ids.add("g\(number)", at: MediaMoment(seconds: ExactDecimal(number)))
        }
        ids.add(String(repeating: "g", count: DAIMediaIDs.longestID + 1), at: MediaMoment(seconds: .zero))
        let loose = ids.placed(by: metadata).loose
        #expect((DAIMediaIDs.limit...DAIMediaIDs.limit * 5 / 4).contains(loose.count) && loose.last?.id == "g9999")
        let breaks = (0..<DAIMetadata.breakLimit * 2).map { #""\#($0)":{"duration":1}"# }.joined(separator: ",")
        try metadata.add(try MetadataProblem.json(Array(#"{"ad_breaks":{\#(breaks)}}"#.utf8)))
        #expect(metadata.withoutPlaces.breaks.count <= DAIMetadata.breakLimit * 5 / 4)
        #expect(metadata.withoutPlaces.breaks.last?.id == "1999")
    }
}
