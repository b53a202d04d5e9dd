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

    /// A session that asked for reporting by the service.
    /// - Parameter hasTracking: whether the service names tracking data nevertheless: a hybrid session.
    private static func session(hasTracking: Bool, anyway: Bool) throws -> MonitorHarness {
        var origin = FakeOrigin()
        origin.override = { request, _, _ in
            let path = request.url.path
            if path.contains("/v1/session/") {
                let tracking = hasTracking ? #","trackingUrl":"/v1/tracking/\#(account)/cfg/s-1""# : ""
                return FakeOrigin.text(
                    #"{"manifestUrl":"/s/index.m3u8"\#(tracking)}"#, type: "application/json", of: request)
            }
            guard path.contains("/v1/tracking/") else { return nil }
            return FakeOrigin.text(Self.tracking(), type: "application/json", of: request)
        }
        let url = try WebURL("\(FakeOrigin.base)/v1/session/\(account)/cfg/index.m3u8?aws.reportingMode=server")
        var session = try MonitorHarness(origin) { configuration in
            configuration.mediaURL = url
            configuration.mode = .fire
            configuration.sending.reportsAnyway = anyway
        }
        session.start()
        session.run(untilEdge: 130_000)
        return session
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
}
