import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// `--provider` names one service, and the server answers as another does, or as none (PRV-41): one finding says what to do, and nothing is sent.
@Suite struct WrongProviderTests {
    /// Answers of each service with one break, by the name of its provider.
    private static let documents: [String: String] = [
        "harmonic":
            #"{"dataRange":{"start":0,"end":9},"adBreaks":[{"id":"b","startTime":1,"duration":10000,"ads":[]}]}"#,
        "mediatailor":
            #"{"avails":[{"availId":"v","startTimeInSeconds":60,"durationInSeconds":10,"ads":[\#(tailoredAd)]}]}"#,
        "dai":
            #"{"tags":{"google_1":{"ad":"a","ad_break_id":"b","type":"start"}},"ads":{"a":{"duration":10,"ad_break_id":"b"}},"#
            + #""ad_breaks":{"b":{"duration":10,"ads":1}}}"#,
        "broadpeak": #"{"adpods":[{"id":"p","starttime_ms":1800000060000,"duration_ms":10000,"ads":[]}]}"#,
        "primetime": #"{"pods":[{"id":"1","startTime":60,"duration":10,"ads":[]}]}"#,
        "uplynk":
            #"{"next_time":20,"ads":{"breaks":[{"type":"linear","breakId":"b","timeOffset":60,"duration":10,"ads":[]}]}}"#,
        "vmap": #"<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0"><vmap:AdBreak breakId="b" "#
            + #"breakType="linear" timeOffset="00:01:00"/></vmap:VMAP>"#,
    ]

    private static let tailoredAd =
        #"{"adId":"a","startTimeInSeconds":60,"durationInSeconds":10,"trackingEvents":[{"eventType":"start","#
        + #""startTimeInSeconds":60,"beaconUrls":["\#(FakeOrigin.beacon("a", "start"))"]}]}"#

    /// What is an answer of no service.
    private static let junk: [String: String] = [
        "HTML": "<!DOCTYPE html><html><body>Log in</body></html>", "nothing": "",
        "half": #"{"avails":[{"availId":"v","sta"#,
        "too long": "",
    ]

    struct Row: Sendable, CustomTestStringConvertible {
        /// The provider that is named, and what the server answers with.
        var named: String
        var answer: String

        var testDescription: String { "\(named) named, \(answer) answered" }
    }

    /// Each provider with what it cannot read.
    private static func rows(_ names: [String], _ answers: [String]) -> [Row] {
        names.flatMap { name in
            // VMAP is what these have, too.
            let readsVMAP = ["primetime", "yospace"].contains(name)
            return answers.filter { $0 != name && !(readsVMAP && $0 == "vmap") }.map { Row(named: name, answer: $0) }
        }
    }

    private static let providers = ProviderTable.providers.map { $0.name }.sorted()

    private static func exchange(_ answer: String, to request: HTTPRequest) -> FakeOrigin.Reply {
        if answer == "too long" {
            return FakeOrigin.failure(.bodyTooLarge, "body is longer than 20971520 bytes")
        }
        let text = documents[answer] ?? junk[answer] ?? openings[answer] ?? ""
        return FakeOrigin.text(text, type: text.hasPrefix("<") ? "text/xml" : "application/json", of: request)
    }

    private static func session(
        _ row: Row, at address: String, _ answer: @escaping @Sendable (HTTPRequest, Int) -> String?
    ) throws -> MonitorHarness {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, count in answer(request, count).map { exchange($0, to: request) } }
        let (url, provider) = (
            try WebURL(FakeOrigin.base + address), try #require(ProviderSetting(rawValue: row.named))
        )
        var session = try MonitorHarness(origin) { ($0.mediaURL, $0.provider) = (url, provider) }
        session.start()
        session.run(for: .seconds(60))
        return session
    }

    private static func findings(_ session: inout MonitorHarness) -> [String] {
        session.snapshot().findings.filter { $0.finding.rule == "other-provider" }
            .map { "\($0.count)x \($0.finding.message)" }
    }

    /// What names the service of an answer.
    private static func advice(of answer: String) -> String {
        let title = ProviderTable.readers.first { $0.name == answer }?.summary.title ?? ""
        return "1x the stream is of \(title): start again with --provider \(answer)"
    }

    private static func noSession(of name: String) -> String {
        "1x no session of '\(name)' is at this address: check it, or start again without --provider"
    }

    // MARK: The session

    @Test(arguments: rows(providers, documents.keys.sorted())) func anotherServiceIsNamed(_ row: Row) throws {
        var session = try Self.session(row, at: "/live/programme") { _, _ in row.answer }
        #expect(Self.findings(&session) == [Self.advice(of: row.answer)])
        #expect(session.urls.isEmpty && session.snapshot().session.phase != .running)
    }

    @Test(arguments: rows(providers, junk.keys.sorted())) func noServiceIsNamed(_ row: Row) throws {
        var session = try Self.session(row, at: "/live/programme") { _, _ in row.answer }
        #expect(Self.findings(&session) == [Self.noSession(of: row.named)])
        #expect(session.urls.isEmpty && session.health().problem?.isEmpty == false)
        // The log says it once, however often the session is asked for.
        #expect(session.log.filter { $0.hasPrefix("error: session failed") }.count == 1)
    }

    /// The network wants a login, which is answered with its page, and the next try opens the session: what was found is past.
    @Test(arguments: ["HTML", "nothing", "half"]) func whatALaterTryOpensIsPast(_ answer: String) throws {
        var session = try Self.session(Row(named: "harmonic", answer: answer), at: "/live/index.m3u8") { _, _ in
            answer
        }
        #expect(Self.findings(&session) == [Self.noSession(of: "harmonic")])
        session.origin.override = nil
        session.run(for: .seconds(120))
        let views = session.snapshot().findings.filter { $0.finding.rule == "other-provider" }
        #expect(views.map(\.finding.severity) == [.info] && views.map(\.count) == [1])
        #expect(views.first?.finding.message.hasPrefix("past: an earlier answer was no session of 'harmonic'") == true)
        #expect(session.log.filter { $0.hasPrefix("info: past: ") }.count == 1)
        #expect(session.snapshot().session.phase == .running && !session.urls.isEmpty)
    }

    // MARK: Tracking data

    /// The address of a session that is open, and what the requests of its tracking data have in them.
    private static let open: [String: (address: String, tracking: String)] = [
        "harmonic": ("/live/index.m3u8", "/metadata"),
        "mediatailor": ("/v1/manifest/9f8e7d6c5b4a3928/cfg/s-1/0.m3u8", "/v1/tracking/"),
        "broadpeak": ("/live/a/index.m3u8?bpkio_sessionid=11", "bk-ml="),
        "dai": ("/linear/hls/pa/event/KEY/stream/ID:ATL/master.m3u8", "/ID:ATL/metadata"),
        "primetime": ("/live/index.m3u8", "pttrackingmode="),
        "uplynk": ("/preplay/7.json?v=2&ad.cping=1&ad.pingf=4", "/session/ping/"),
        "vmap": ("/programme/7.vmap", "/programme/7.vmap"),
        "yospace": ("/live/index.m3u8", "/csm/analytics"),
    ]

    /// What opens the sessions that need an answer of the service, by words for it.
    private static let openings: [String: String] = [
        "session of uplynk": #"{"playURL":"/live/index.m3u8","sid":"S1","prefix":"/","ads":{"breaks":[]}}"#,
        "session of vmap": #"<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" xmlns:uo="urn:uo" "#
            + #"version="1.0"><vmap:Extensions><uo:unicornOnce contenturi="/live/index.m3u8"/></vmap:Extensions></vmap:VMAP>"#,
        "session of yospace": "#EXTM3U\n#EXT-X-YOSPACE-ANALYTICS-URL:\"/csm/analytics;jsessionid=A.1\"\n"
            + "#EXT-X-STREAM-INF:BANDWIDTH=800000\n/live/low.m3u8\n",
    ]

    private static func tracked(_ row: Row) throws -> MonitorHarness {
        let (address, tracking) = try #require(open[row.named])
        let path = try WebURL(FakeOrigin.base + address).path
        return try session(row, at: address) { request, count in
            let opening = "session of \(row.named)"
            if openings[opening] != nil, request.url.path == path, count == 0 || path != tracking { return opening }
            let isTracking = request.url.text.contains(tracking) && !request.url.text.contains("initSession")
            return isTracking ? row.answer : nil
        }
    }

    /// Pings are beacons, and their answers are the tracking data of that service.
    private static func sent(_ session: MonitorHarness) -> [String] {
        session.urls.filter { !$0.contains("/session/ping/") }
    }

    @Test(arguments: rows(open.keys.sorted(), documents.keys.sorted()))
    func answersOfAnotherServiceAreNamed(_ row: Row) throws {
        var session = try Self.tracked(row)
        #expect(Self.findings(&session) == [Self.advice(of: row.answer)])
        #expect(Self.sent(session).isEmpty && session.snapshot().breaks.isEmpty)
        #expect(session.snapshot().counters.metadataPolls > 1 || !session.urls.isEmpty)
    }

    /// A ping that brings nothing is a failed beacon each time (PRV-43).
    @Test(arguments: rows(open.keys.filter { $0 != "uplynk" }.sorted(), junk.keys.sorted()))
    func answersOfNoServiceAreReportedOnce(_ row: Row) throws {
        var session = try Self.tracked(row)
        let health = session.snapshot().session.metadataHealth
        #expect(health.state == .failing && health.problem?.isEmpty == false)
        #expect(Self.findings(&session) == [] && session.urls.isEmpty && session.snapshot().breaks.isEmpty)
        #expect(session.log.filter { $0.hasPrefix("error: metadata: ") }.count == 1)
    }

    /// What is something else ends the session as a rejection does (TRK-32), and what is missing, damaged or too long does not.
    @Test(arguments: rows(open.keys.filter { $0 != "uplynk" }.sorted(), junk.keys.sorted()))
    func onlySomethingElseEndsTheSession(_ row: Row) throws {
        var session = try Self.tracked(row)
        let readsJSON = !["vmap", "yospace"].contains(row.named)
        let isOther = row.answer == "HTML" || row.answer == "half" && !readsJSON
        #expect(session.snapshot().findings.contains { $0.finding.rule == "L53" } == isOther)
    }

    /// An answer of the service that is named is none of another one.
    @Test(arguments: open.keys.filter { documents[$0] != nil }.sorted())
    func theRightProviderIsNotDoubted(_ name: String) throws {
        var session = try Self.tracked(Row(named: name, answer: name))
        #expect(Self.findings(&session) == [])
    }
}
