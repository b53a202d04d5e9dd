import Ports
import Testing

@testable import AdTracking

/// Answers to preplay requests (PRV-42).
@Suite struct UplynkAnswerTests {
    private static func asked(_ query: String) throws -> WebURL {
        try WebURL("https://content.example/preplay/abc.json?v=2\(query)")
    }

    private static let answer: JSONValue = [
        "playURL": "/m.m3u8?a=1", "sid": "s-1.a", "prefix": "https://pings.example",
    ]

    @Test func thePingsAreAtThePrefixIfTheyWereAskedFor() throws {
        let session = try UplynkSession(Self.answer, asked: Self.asked("&ad.cping=1&ad.pingf=3"))
        #expect(session.manifest.text == "https://content.example/m.m3u8?a=1")
        #expect(session.ping?.text == "https://pings.example/session/ping/s-1.a.json")
        #expect(try UplynkSession(Self.answer, asked: Self.asked("")).ping == nil)
        #expect(try UplynkSession(Self.answer, asked: Self.asked("&ad.cping=0")).ping == nil)
    }

    /// The session is a step of a path, and comes from outside.
    @Test(arguments: ["../../admin", "a/b", "a?x=1", "a b", "", "ä", "%2e%2e", ".", ".."])
    func aSessionThatIsNoPlainStepHasNoPings(_ id: String) throws {
        let answer: JSONValue = ["playURL": "https://h/m.m3u8", "sid": .string(id)]
        #expect(try UplynkSession(answer, asked: Self.asked("&ad.cping=1")).ping == nil)
    }

    @Test(arguments: [
        ("[]", "array"), ("{}", "has no playURL"), (#"{"error":1,"message":"unknown asset"}"#, "'unknown asset'"),
        (#"{"playURL":"http://["}"#, "not an address"),
    ]) func withoutAManifestThereIsNoSession(_ text: String, _ said: String) throws {
        let value = try MetadataProblem.json(Array(text.utf8))
        let problem = try #require(throws: MetadataProblem.self) {
            try UplynkSession(value, asked: Self.asked(""))
        }
        #expect(problem.explanation.contains(said))
    }

    private static func read(_ text: String) throws -> ListedAnswer { try UplynkDocument.read(Array(text.utf8)).answer }

    /// Linear ads follow each other, overlays start together.
    @Test func adsOfABreak() throws {
        let ads = #"[{"creative":"a","duration":10.5},7,{"creative":"b","duration":"5"}]"#
        let answer = try Self.read(
            #"{"playURL":"u","ads":{"breaks":[{"type":"linear","timeOffset":60,"ads":\#(ads)},{"type":"NonLinear","timeOffset":90,"ads":\#(ads)}]}}"#
        )
        #expect(
            answer.breaks.map { $0.ads.map { "\($0.id ?? "") \($0.start)" } } == [
                ["a 60", "b 70.5"], ["a 90", "b 90"],
            ])
        #expect(answer.breaks.map(\.isLinear) == [true, false])
    }

    @Test func namesOfEventsAreInThePlural() throws {
        let answer = try Self.read(
            #"{"next_time":1,"ads":{"breaks":[{"timeOffset":0,"breakId":"b","duration":10,"events":{"impressions":["https://t/b"],"completes":["https://t/e"]},"#
                + #""ads":[{"creative":"a","duration":10,"events":{"impressions":["https://t/i"],"firstquartiles":"https://t/q","clickthroughs":["https://t/c"],"pass":["https://t/p"]}}]}]}}"#
        )
        let adBreak = try #require(answer.breaks.first)
        #expect(adBreak.events.map(\.name) == ["breakStart", "breakEnd"])
        #expect(adBreak.ads.first?.events.map(\.name).sorted() == ["firstQuartile", "impression", "pass"])
        #expect(adBreak.ads.first?.clickThrough == "https://t/c")
    }

    @Test func namesOfEventsAreInAnyCase() throws {
        let answer = try Self.read(
            #"{"next_time":1,"ads":{"breaks":[{"timeOffset":0,"duration":10,"events":{"Impressions":["https://t/b"],"COMPLETES":["https://t/e"]}}]}}"#
        )
        #expect(answer.breaks.first?.events.map(\.name) == ["breakStart", "breakEnd"])
    }

    @Test func badBreaksDoNotAffectTheirNeighbours() throws {
        let answer = try Self.read(
            #"{"playURL":"u","ads":{"breaks":[1,{"breakId":"x"},{"timeOffset":-4},{"timeOffset":5,"breakId":"y"}]}}"#)
        #expect(answer.breaks.map(\.id) == ["y"])
        #expect(answer.findings.map(\.rule).sorted() == ["L03", "P01", "P01"])
    }

    /// A live answer names ads that were played.
    @Test func playedAdsAreNoBreaks() throws {
        #expect(try Self.read(#"{"playURL":"u","ads":[{"duration":15,"ts":1700000000}]}"#).breaks == [])
        #expect(throws: MetadataProblem.self) { try Self.read(#"{"avails":[]}"#) }
    }
}
