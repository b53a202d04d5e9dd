import HLS
import Ports
import Testing

@testable import AdTracking

/// Sessions of Uplynk: how they open, who reports, and where pings and documents come from (PRV-42, PRV-43).
@Suite struct UplynkProviderTests {
    private static let asked = "https://content.uplynk.com/preplay/7.json?v=2"
    private static let now = Moment(wall: .ms(1_800_000_000_000), uptime: .seconds(10))

    private static func provider(_ url: String, reportsAnyway: Bool = false) throws -> UplynkProvider {
        var options = ProviderOptions(mediaURL: try WebURL(url))
        options.reportsAnyway = reportsAnyway
        return UplynkProvider(options)
    }

    /// A session whose request had this query beside the version.
    private static func opened(_ query: String, reportsAnyway: Bool = false) throws -> UplynkProvider {
        var provider = try provider("\(asked)\(query)", reportsAnyway: reportsAnyway)
        guard case .request(let request) = provider.open() else { throw Unexpected() }
        let answer = HTTPExchange.answer(200, UplynkTexts.opening(breaks: 1), url: request.url.text)
        guard case .opened = provider.openingAnswered(answer) else { throw Unexpected() }
        provider.start(at: now)
        return provider
    }

    private struct Unexpected: Error {}

    private static func due(_ move: PlayerMove, in provider: inout UplynkProvider) throws -> PlayerPing {
        let ping = provider.ping(after: move)
        return try #require(ping)
    }

    private struct OtherDocument: Error {}

    private static func taken(from provider: inout UplynkProvider) throws -> ProviderDocument {
        let document = provider.takeDocument(on: ProviderSamples.dated)
        return try #require(document)
    }

    /// What an answer lists that nobody asked for as a document.
    private static func listed(by provider: inout UplynkProvider) throws -> DecodedMetadata {
        guard case .answer(let document, _, _) = try taken(from: &provider) else { throw OtherDocument() }
        return document
    }

    private static func problem(_ answer: HTTPExchange) throws -> String? {
        var provider = try provider(asked)
        _ = provider.open()
        guard case .failed(let failure) = provider.openingAnswered(answer) else { return nil }
        return failure.explanation
    }

    // MARK: Sessions that another process follows

    private static let more =
        #"{"next_time":500,"ads":{"breaks":[{"type":"linear","breakId":"e","timeOffset":14,"duration":8,"events":{"completes":["https://t.example/end"]},"#
        + #""ads":[{"creative":"x","duration":8,"events":{"starts":["https://t.example/s"]}}]}]}}"#

    /// Who comes later gets the breaks that answers to pings listed, and where the next ping is due (FLT-15).
    @Test func anotherProcessKnowsTheAnswersToPings() throws {
        let query = "&ad.cping=1&ad.pingf=4"
        var provider = try Self.opened(query)
        _ = try Self.taken(from: &provider)
        let ping = try Self.due(.plays(at: .zero), in: &provider)
        try provider.pingAnswered(ping.number, .answer(200, Self.more))
        let known = try Self.listed(by: &provider)
        func memory(at second: Double) throws -> JSONValue {
            let stream = StreamFacts(timeline: ProviderSamples.dated.timeline, playhead: .second(second))
            return try #require(provider.memory(on: stream))
        }
        #expect(try memory(at: 90)["breaks"]?.arrayValue?.count == 0)
        var next = try Self.opened(query)
        next.recall(try memory(at: 40))
        _ = try Self.taken(from: &next)
        guard case .media(let document) = try Self.taken(from: &next) else { throw OtherDocument() }
        #expect(document.breaks.map(\.name) == ["e"] && document.breaks.map(\.start) == known.breaks.map(\.start))
        let events = document.breaks.flatMap(\.ads).flatMap(\.events)
        #expect(events == known.breaks.flatMap(\.ads).flatMap(\.events) && !events.isEmpty)
        #expect(next.nextPing == .zero + .seconds(500) && next.ping(after: .plays(at: .zero + .seconds(499))) == nil)
        next.pinged(["https://content.uplynk.com/session/ping/1.json?v=3&pt=505"])
        #expect(next.nextPing == .zero + .seconds(515))
    }

    /// Answers to pings repeat breaks, most of which have no id: each is handed on once.
    @Test(arguments: [#""breakId":"e","#, ""]) func aBreakThatPingsRepeatIsHandedOnOnce(_ id: String) throws {
        var provider = try Self.opened("&ad.cping=1&ad.pingf=4")
        let text = Self.more.replacing(#""breakId":"e","#, with: id)
        for number in 1...3 { try provider.pingAnswered(number, .answer(200, text)) }
        let stream = StreamFacts(timeline: ProviderSamples.dated.timeline, playhead: .second(15))
        #expect(provider.memory(on: stream)?["breaks"]?.arrayValue?.count == 1)
    }

    @Test func aSessionWithoutPingsNeedsNoMemory() throws {
        #expect(try Self.opened("").memory(on: ProviderSamples.dated) == nil)
    }

    // MARK: Opening

    @Test(arguments: [
        (HTTPExchange.answer(403, #"{"error":1,"message":"token expired"}"#), "answered 403: 'token expired'"),
        (.answer(404, "<html>"), "answered 404"), (.answer(200, ""), "is empty"),
        (.answer(200, "<html>Log in</html>"), "is HTML instead of JSON"),
        (.answer(200, #"{"playURL":"#), "is not JSON: the text ends early at line 1, column 12"),
        (.answer(200, "[]"), "is a JSON array instead of an object"),
        (.answer(200, #"{"manifestUrl":"/m"}"#), "has no playURL"),
        (.answer(200, #"{"error":"bad signature"}"#), "has no playURL: 'bad signature'"),
        (.answer(200, #"{"playURL":"ftp:"}"#), "has a playURL that is not an address"),
    ])
    func anAnswerThatOpensNoSessionHasOneSentence(_ answer: HTTPExchange, _ problem: String) throws {
        let found = try #require(try Self.problem(answer))
        #expect(found.hasPrefix("GET preplay "))
        if !problem.hasPrefix("is not JSON") { #expect(found == "GET preplay \(problem)") }
    }

    @Test func thePingsOfARunningSessionAreNotAStream() throws {
        var provider = try Self.provider("https://content.uplynk.com/session/ping/1.json?v=3&pt=1")
        guard case .failed(let failure) = provider.open() else { return #expect(Bool(false)) }
        #expect(failure.steps.map(\.name) == ["address"])
    }

    /// A manifest without a preplay request starts a session, so it is not requested twice.
    @Test func aManifestIsPlayedAsItIs() throws {
        var provider = try Self.provider("https://content.uplynk.com/abc.m3u8?ad.cping=1&ad.pingf=1")
        guard case .opened(let addresses) = provider.open() else { return #expect(Bool(false)) }
        #expect(addresses.path == .manifest && addresses.metadataURL == nil && addresses.sessionID == nil)
        provider.start(at: Self.now)
        #expect(provider.status.mode == "server" && provider.ping(after: .plays(at: .zero)) == nil)
        guard case .findings(let findings) = try Self.taken(from: &provider) else { throw OtherDocument() }
        #expect(findings.map(\.rule) == ["P04"])
    }

    /// What a break reports at its end comes when the playlist has passed it: the next answer may be minutes away.
    @Test func theEndOfABreakNeedsNoFurtherAnswer() throws {
        var provider = try Self.opened("&ad.cping=1&ad.pingf=4")
        _ = try Self.taken(from: &provider)
        let ping = try Self.due(.plays(at: .zero), in: &provider)
        let answer =
            #"{"next_time":500,"ads":{"breaks":[{"type":"linear","breakId":"e","timeOffset":14,"duration":8,"events":{"completes":["https://t.example/end"]},"#
            + #""ads":[{"creative":"x","duration":8,"events":{"starts":["https://t.example/s"]}}]}]}}"#
        try provider.pingAnswered(ping.number, .answer(200, answer))
        func types(_ document: ProviderDocument?) -> [EventType] {
            switch document {
            case .answer(let content, _, _)?, .media(let content)?:
                content.breaks.flatMap(\.ads).flatMap(\.events).map(\.type)
            case .findings?, nil: []
            }
        }
        func stream(_ segments: Int) -> StreamFacts {
            var viewer = Viewer()
            viewer.reload(playlistText(0, count: segments), at: 1)
            return StreamFacts(timeline: viewer.timeline)
        }
        let (early, late) = (stream(3), stream(10))
        #expect(types(provider.takeDocument(on: early)) == [.start])
        #expect(provider.takeDocument(on: early) == nil)
        #expect(types(provider.takeDocument(on: late)).contains(.breakEnd))
        #expect(provider.takeDocument(on: late) == nil && !provider.hasDocument)
    }

    // MARK: Who reports

    @Test(arguments: [
        ("", "server", true), ("&ad.sssb=0", "server", true), ("&ad.sssb=1", "client", false),
        ("&ad.cping=1&ad.pingf=1", "pings", true), ("&ad.cping=1&ad.pingf=2", "pings", true),
        ("&ad.cping=1&ad.pingf=5", "pings", true), ("&ad.cping=1&ad.pingf=4", "client", false),
        ("&ad.cping=1", "client", false),
    ])
    func theRequestDecidesWhoReports(_ query: String, _ mode: String, _ isService: Bool) throws {
        var provider = try Self.opened(query)
        let document = try Self.listed(by: &provider)
        let events = document.breaks.flatMap(\.ads).flatMap(\.events)
        #expect(provider.status.mode == mode && !events.isEmpty)
        #expect(events.allSatisfy { $0.isReportedByService == isService })
        #expect(provider.isReportedByService(.start, ofLinearAd: true) == isService)
        #expect(!provider.isReportedByService(.mute, ofLinearAd: true))
        #expect(document.findings.map(\.rule) == (isService ? ["P04"] : []))
    }

    /// Both parties report then, which is said.
    @Test func aPersonMayHaveBothReport() throws {
        var provider = try Self.opened("&ad.cping=1&ad.pingf=3", reportsAnyway: true)
        let document = try Self.listed(by: &provider)
        #expect(document.breaks.flatMap(\.ads).flatMap(\.events).allSatisfy { !$0.isReportedByService })
        #expect(document.findings.map(\.rule) == ["two-parties"] && provider.status.mode == "pings")
    }

    // MARK: Pings and documents

    @Test func pingsFollowThePlayer() throws {
        var provider = try Self.opened("&ad.cping=1&ad.pingf=4")
        let start = try Self.due(.plays(at: .zero + .seconds(40)), in: &provider)
        #expect(start.url.text == "https://content-a.uplynk.com/session/ping/s1.json?v=3&ev=start&pt=0")
        #expect(provider.ping(after: .plays(at: .zero + .seconds(41))) == nil && provider.nextPing == nil)
        try provider.pingAnswered(start.number, .answer(200, UplynkTexts.document(breaks: 2)))
        #expect(provider.nextPing == .zero + .milliseconds(20_500))
        let next = try Self.due(.plays(at: .zero + .milliseconds(42_900)), in: &provider)
        #expect(next.url.query == "v=3&pt=42" && next.number == 2)
        let seek = try Self.due(.jumped(from: .zero + .seconds(43), to: .zero + .seconds(5)), in: &provider)
        #expect(seek.url.query == "v=3&ev=seek&pt=5&ft=43" && seek.cause == "seek")
    }

    /// The breaks of the opening answer come first, then those of each ping; without a playlist they have no place yet.
    @Test func documentsWaitForThePlaylist() throws {
        var provider = try Self.opened("&ad.cping=1&ad.pingf=4")
        #expect(provider.takeDocument(on: StreamFacts()) == nil && provider.hasDocument)
        let start = try Self.due(.plays(at: .zero), in: &provider)
        try provider.pingAnswered(start.number, .answer(200, UplynkTexts.document(breaks: 3)))
        let stream = ProviderSamples.dated
        let counts = try (0..<2).map { _ in try Self.listed(by: &provider).breaks.count }
        #expect(counts == [1, 3] && !provider.hasDocument && provider.takeDocument(on: stream) == nil)
    }

    @Test func theServerEndsThePings() throws {
        var provider = try Self.opened("&ad.cping=1&ad.pingf=4")
        let start = try Self.due(.plays(at: .zero), in: &provider)
        try provider.pingAnswered(start.number, .answer(200, "{}"))
        _ = provider.takeDocument(on: ProviderSamples.dated)
        let last = try Self.listed(by: &provider)
        #expect(last.findings.map(\.rule) == ["P08"])
        #expect(provider.ping(after: .plays(at: .zero + .seconds(60))) == nil)
    }

    @Test(arguments: ["", "<html>", "[]", "nonsense"]) func anAnswerThatIsNoneIsAnError(_ body: String) throws {
        var provider = try Self.opened("&ad.cping=1&ad.pingf=4")
        let start = try Self.due(.plays(at: .zero), in: &provider)
        #expect(throws: MetadataProblem.self) { try provider.pingAnswered(start.number, .answer(200, body)) }
        provider.pingFailed(start.number, wasSent: true)
        #expect(provider.nextPing == .zero + .seconds(10))
    }

    /// The host of pings may have a path of its own.
    @Test func thePathOfThePrefixIsKept() throws {
        let answer: JSONValue = ["playURL": "/m.m3u8", "prefix": "https://h/a/b/", "sid": "1"]
        let session = try UplynkSession(answer, asked: try WebURL("\(Self.asked)&ad.cping=1"))
        #expect(session.ping?.text == "https://h/a/b/session/ping/1.json")
    }
}
