import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// Sessions in which the service reports too: nothing is fired there without `--fire-anyway`, and a finding says who reports
/// (PRV-16).
@Suite struct TwoPartiesTests {
    private static let account = "9f8e7d6c5b4a3928"
    /// What the service reports in a hybrid session, and what it leaves to the player.
    private static let byService = ["impression", "start", "complete"]

    private static func tracking() -> String {
        let start = 80
        let events = byService.enumerated().map { index, name in
            #"{"eventType":"\#(name)","startTimeInSeconds":\#(start + index * 5),"durationInSeconds":0,"#
                + #""startTime":"PT\#(start + index * 5)S","beaconUrls":["\#(FakeOrigin.beacon("a1", name))"]}"#
        }
        let times = #""startTimeInSeconds":\#(start),"durationInSeconds":10"#
        return #"{"avails":[{"availId":"v1",\#(times),"availProgramDateTime":""#
            + (FakeOrigin.start + .seconds(80)).iso8601
            + #"","ads":[{"adId":"a1",\#(times),"trackingEvents":[\#(events.joined(separator: ","))]}]}],"nextToken":"t"}"#
    }

    /// The same ad in a date range, with an event that the service does not report in a hybrid session.
    private static func signaling() -> String {
        let events = (byService + ["mute"]).enumerated().map { index, name in
            #"{"type":"\#(name)","offset":\#(index % 3 * 5),"urls":["\#(FakeOrigin.beacon("a1", name))"]}"#
        }
        let envelope =
            #"{"version":2,"type":"slot","payload":[{"identifiers":[{"scheme":"ad-id","value":"a1"}],"#
            + #""tracking":[\#(events.joined(separator: ","))]}]}"#
        return "#EXT-X-DATERANGE:ID=\"r1\",CLASS=\"urn:svta:advertising-wg:ad-creative-signaling\","
            + "START-DATE=\"\((FakeOrigin.start + .seconds(80)).iso8601)\",DURATION=10,"
            + "X-AD-CREATIVE-SIGNALING=\"\(Base64.encode(Array(envelope.utf8)))\""
    }

    /// A session that asked for reporting by the service.
    /// - Parameters:
    ///   - hasTracking: whether the service names tracking data nevertheless: a hybrid session.
    ///   - mode: the one that its address asks for.
    ///   - trackedFrom: second from which on the tracking data has the ad.
    private static func session(
        hasTracking: Bool, anyway: Bool, isSignaled: Bool = false, trackedFrom: Int64 = 0, mode: String = "server"
    ) throws -> MonitorHarness {
        var origin = FakeOrigin(tags: isSignaled ? [signaling()] : [])
        origin.override = { request, now, _ in
            let path = request.url.path
            if path.contains("/v1/session/") {
                let tracking = hasTracking ? #","trackingUrl":"/v1/tracking/\#(account)/cfg/s-1""# : ""
                return FakeOrigin.text(
                    #"{"manifestUrl":"/s/index.m3u8"\#(tracking)}"#, type: "application/json", of: request)
            }
            guard path.contains("/v1/tracking/") else { return nil }
            let isTracked = now.wall >= FakeOrigin.start + .seconds(trackedFrom)
            return FakeOrigin.text(
                isTracked ? Self.tracking() : #"{"avails":[]}"#, type: "application/json", of: request)
        }
        let url = try WebURL("\(FakeOrigin.base)/v1/session/\(account)/cfg/index.m3u8?aws.reportingMode=\(mode)")
        var session = try MonitorHarness(origin) { configuration in
            configuration.mediaURL = url
            configuration.mode = .fire
            configuration.writesHistory = true
            configuration.sending.reportsAnyway = anyway
        }
        session.start()
        session.run(untilEdge: 130_000)
        return session
    }

    /// A report has the figures of a session beside who reported in it.
    @Test(arguments: [("client", true, "client"), ("server", true, "hybrid"), ("server", false, "server")])
    func theJournalHasTheMode(asked: String, hasTracking: Bool, kept: String) throws {
        let session = try Self.session(hasTracking: hasTracking, anyway: false, mode: asked)
        let sessions = session.notes.compactMap { if case .session(let session) = $0.content { session } else { nil } }
        #expect(Set(sessions.map(\.serviceMode)) == [kept])
        #expect(Set(sessions.map(\.provider)) == ["mediatailor"])
        let service = try #require(session.state.service)
        #expect(service.provider == "mediatailor" && service.mode == kept)
    }

    @Test(arguments: [false, true]) func aHybridSessionFiresNothingOfTheService(anyway: Bool) throws {
        var session = try Self.session(hasTracking: true, anyway: anyway)
        #expect(session.urls == (anyway ? Self.byService.map { FakeOrigin.beacon("a1", $0) } : []))
        let snapshot = session.snapshot()
        #expect(snapshot.session.service?.mode == "hybrid" && snapshot.session.service?.reporter == .both)
        let rules = snapshot.findings.map(\.finding.rule)
        #expect(rules.filter { $0 == "two-parties" || $0 == "P04" } == [anyway ? "two-parties" : "P04"])
        #expect(snapshot.findings.first { $0.finding.rule == "P04" }?.count ?? 1 == 1)
        let reasons = snapshot.breaks.flatMap(\.ads).flatMap(\.events).map(\.reason)
        #expect(reasons == (anyway ? [nil, nil, nil] : [.serverBeaconed, .serverBeaconed, .serverBeaconed]))
    }

    /// Without tracking data there is nothing to fire, whatever the flags are.
    @Test(arguments: [false, true]) func aServerSessionHasNothingToFire(anyway: Bool) throws {
        var session = try Self.session(hasTracking: false, anyway: anyway)
        let snapshot = session.snapshot()
        #expect(session.urls == [] && snapshot.breaks.isEmpty)
        #expect(snapshot.session.metadataURL == nil && snapshot.session.phase == .running)
        #expect(snapshot.findings.map(\.finding.rule).filter { $0 == "P04" || $0 == "two-parties" } == ["P04"])
    }

    // MARK: Date ranges of the playlist

    /// The service reports the events of an ad wherever they are listed, also where the date range is known first.
    @Test(arguments: [0, 115] as [Int64], [false, true])
    func aHybridSessionFiresNothingOfTheServiceFromDateRanges(trackedFrom: Int64, anyway: Bool) throws {
        var session = try Self.session(hasTracking: true, anyway: anyway, isSignaled: true, trackedFrom: trackedFrom)
        #expect(session.urls.sorted() == (anyway ? Self.byService.map { FakeOrigin.beacon("a1", $0) }.sorted() : []))
        #expect(session.snapshot().breaks.map(\.source) == ["metadata+signaling"])
        let signaled = try #require(session.snapshot().breaks.first)
        let events = signaled.ads.flatMap(\.events)
        let ofService = events.filter { $0.event != "mute" }.map(\.reason)
        #expect(ofService.count == 3 && ofService.allSatisfy { ($0 == .serverBeaconed) != anyway })
        #expect(events.first { $0.event == "mute" }?.reason != .serverBeaconed)
        let twice = session.snapshot().findings.filter { $0.finding.rule == "signaling-twice" }.map(\.finding.message)
        #expect(twice.allSatisfy { $0.hasSuffix("; the service reports them") != anyway })
    }

    @Test(arguments: [false, true]) func aServerSessionFiresNothingFromDateRanges(anyway: Bool) throws {
        var session = try Self.session(hasTracking: false, anyway: anyway, isSignaled: true)
        #expect(session.urls.sorted() == (anyway ? Self.byService.map { FakeOrigin.beacon("a1", $0) }.sorted() : []))
        let reasons = session.snapshot().breaks.flatMap(\.ads).flatMap(\.events).map(\.reason)
        #expect(reasons.count == 4 && (anyway || reasons.allSatisfy { $0 == .serverBeaconed }))
    }

    /// `dai-ssb`: the answer that opens the session names neither metadata nor where ids are verified (PRV-44).
    @Test(arguments: [false, true]) func aSessionOfDAIWithoutMetadataFiresNothingFromDateRanges(anyway: Bool) throws {
        var origin = FakeOrigin(tags: [Self.signaling()])
        origin.override = { request, _, _ in
            guard request.url.path.hasSuffix("/stream") else { return nil }
            return FakeOrigin.text(
                #"{"stream_id":"S:ATL","stream_manifest":"/s/index.m3u8"}"#, type: "application/json", of: request,
                status: 201)
        }
        let url = try WebURL("\(FakeOrigin.base)/linear/v1/hls/event/KEY/stream?dai-ssb=true")
        var session = try MonitorHarness(origin) { configuration in
            configuration.mediaURL = url
            configuration.mode = .fire
            configuration.sending.reportsAnyway = anyway
        }
        session.start()
        session.run(untilEdge: 130_000)
        #expect(session.urls.sorted() == (anyway ? Self.byService.map { FakeOrigin.beacon("a1", $0) }.sorted() : []))
        #expect(session.snapshot().session.service?.mode == "server")
        let reasons = session.snapshot().breaks.flatMap(\.ads).flatMap(\.events).map(\.reason)
        #expect(reasons.count == 4 && (anyway || reasons.allSatisfy { $0 == .serverBeaconed }))
    }
}
