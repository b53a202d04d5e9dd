import AdTracking
import Ports
import TestSupport
import Testing

@testable import Session

/// A recording has no identifier of a session, wherever a service has put it, and its replay shows the same.
@Suite struct RecordedServicesTests {
    /// A session of a service, whose identifier stands in paths.
    enum Service: String, CaseIterable {
        case mediatailor, dai, uplynk

        var path: String {
            switch self {
            case .mediatailor: "/v1/master/\(RecordedServicesTests.account)/cfg/index.m3u8?aws.reportingMode=client"
            case .dai: "/linear/v1/hls/event/K/stream"
            case .uplynk: "/preplay/7.json?v=2&ad.cping=1&ad.pingf=4"
            }
        }
    }

    static let account = "9f8e7d6c5b4a3928"
    private static let identifier = "0f8fad5b-d9cb-469f-a165-70867728950e"
    private static let tailor = "v1/manifest/\(account)/cfg/\(identifier)/0.m3u8"
    private static let dai = "/linear/hls/pa/event/K/stream/\(identifier):ATL"

    /// Beacons that carry the session on: in a path, and in an address that is a value.
    private static let beacons = [
        "\(FakeOrigin.base)/b/session/\(identifier)?e=start",
        "\(FakeOrigin.base)/b?e=start&u=http%3A%2F%2Fx%2Fv1%2Fsegment%2F\(account)%2Fcfg%2F\(identifier)%2F0",
    ]

    private static func json(_ text: String, _ request: HTTPRequest) -> FakeOrigin.Reply {
        FakeOrigin.text(text, type: "application/json", of: request)
    }

    /// A playlist has the session in relative addresses alone, before anything names it.
    private static func tailor(_ request: HTTPRequest) -> FakeOrigin.Reply? {
        if request.url.path.contains("/v1/master/") {
            let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\n../../../\(tailor.dropFirst("v1/".count))\n"
            return FakeOrigin.text(text, type: "application/vnd.apple.mpegurl", of: request)
        }
        guard request.url.path.contains("/v1/tracking/") else { return nil }
        let urls = beacons.map { "\"\($0.replacing("/", with: "\\/"))\"" }.joined(separator: ",")
        let times = #""startTimeInSeconds":8,"durationInSeconds":10"#
        return json(
            #"{"avails":[{"availId":"v1",\#(times),"availProgramDateTime":"\#((FakeOrigin.start + .seconds(80)).iso8601)","ads":["#
                + #"{"adId":"a1",\#(times),"trackingEvents":[{"eventType":"start","startTimeInSeconds":8,"#
                + #""durationInSeconds":0,"startTime":"PT8S","beaconUrls":[\#(urls)]}]}]}]}"#, request)
    }

    /// The session names itself with the place that serves it, and the metadata is somewhere else.
    private static func dai(_ request: HTTPRequest) -> FakeOrigin.Reply? {
        if request.url.path == Service.dai.path {
            return json(
                #"{"stream_id":"\#(identifier):ATL","stream_manifest":"\#(dai)/master.m3u8","#
                    + #""metadata_url":"/linear/v1/pa/event/K/stream/\#(identifier):ATL/metadata","#
                    + #""media_verification_url":"/view/p/service/linear/stream/\#(identifier)/loc/ATL/media/","polling_frequency":4}"#,
                request)
        }
        guard request.url.path.hasSuffix("/metadata") else { return nil }
        var reply = json(#"{"tags":{},"ads":{},"ad_breaks":{}}"#, request)
        let moved = HTTPField("Location", "/moved\(request.url.path)")
        reply.exchange.hops.insert(.init(url: request.url.text, status: 302, fields: [moved]), at: 0)
        reply.exchange.hops[1].url = "\(FakeOrigin.base)/moved\(request.url.path)"
        return reply
    }

    private static func uplynk(_ request: HTTPRequest) -> FakeOrigin.Reply? {
        if request.url.path.hasPrefix("/preplay/") {
            return json(
                #"{"prefix":"/","sid":"\#(identifier)","playURL":"/live/index.m3u8","ads":{"breaks":[]}}"#, request)
        }
        guard request.url.path.hasPrefix("/session/ping/") else { return nil }
        let urls = beacons.map { "\"\($0)\"" }.joined(separator: ",")
        return json(
            #"{"next_time":60,"ads":{"breaks":[{"type":"linear","breakId":"b1","timeOffset":12,"duration":8,"#
                + #""ads":[{"creative":"a1","duration":8,"events":{"impressions":[\#(urls)]}}]}]}}"#, request)
    }

    private static func session(_ service: Service) throws -> MonitorHarness {
        var origin = FakeOrigin(vodDuration: service == .uplynk ? 120_000 : nil)
        origin.override = { request, _, _ in
            switch service {
            case .mediatailor: tailor(request)
            case .dai: dai(request)
            case .uplynk: uplynk(request)
            }
        }
        let url = try WebURL(FakeOrigin.base + service.path)
        var session = try MonitorHarness(origin) { ($0.mediaURL, $0.mode) = (url, .fire) }
        session.start()
        session.run(for: .seconds(45))
        return session
    }

    /// All lines of the recording.
    private static func text(_ session: MonitorHarness, _ redaction: RecordingRedaction.Setting) -> String {
        var writer = RecordingWriter(redaction: redaction)
        let header = writer.header(session.state.configuration)
        return ([header] + session.inputs.flatMap { writer.lines(for: $0) }).joined(separator: "\n")
    }

    @Test(arguments: Service.allCases) func noIdentifierIsRecorded(_ service: Service) throws {
        var session = try Self.session(service)
        #expect(session.snapshot().session.provider == service.rawValue)
        let whole = Self.text(session, .none)
        #expect(whole.components(of: Self.identifier) > 3)
        let recorded = Self.text(session, .standard)
        #expect(recorded.components(of: Self.identifier) == 0)
        // One word takes its place everywhere.
        let word = "r" + String(repeating: "0", count: Self.identifier.count - 2) + "1"
        #expect(recorded.components(of: word) == whole.components(of: Self.identifier), "\(recorded)")
    }

    /// The session finds its own addresses: what is shown and what became of each request is as it was.
    @Test(arguments: Service.allCases) func theReplayIsTheSame(_ service: Service) throws {
        var session = try Self.session(service)
        var replay = Replay(try session.recorded(.standard))
        replay.move(to: replay.count)
        let (live, again) = (session.snapshot(), replay.snapshot(at: session.now))
        #expect(
            SnapshotJSON().value(of: again).text(indented: true) == SnapshotJSON().value(of: live).text(indented: true))
        #expect(again.session.phase == .running && again.counters == live.counters)
    }
}

extension String {
    /// How often a text is in this one.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
