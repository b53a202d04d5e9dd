import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// A stream that shows another service than the one whose session was opened (PRV-41).
@Suite struct OtherServiceTests {
    private static func findings(with line: String) throws -> [String] {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("high.m3u8") else { return nil }
            return FakeOrigin.text(
                stream.playlist(at: now) + line + "\n", type: "application/vnd.apple.mpegurl", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 120_000)
        return session.snapshot().findings.filter { $0.finding.rule == "other-provider" }
            .map { "\($0.count)x \($0.finding.message)" }
    }

    @Test func itIsReportedOnce() throws {
        #expect(
            try Self.findings(with: "#EXT-X-YOSPACE-ANALYTICS-URL:\"http://h/csm/a;jsessionid=1\"")
                == ["1x the stream is of Yospace: start again with --provider yospace"])
        #expect(
            try Self.findings(with: "#UPLYNK-SEGMENT:aa11,00000000,segment")
                == ["1x the stream is of Uplynk: start again with --provider uplynk"])
        let found = try Self.findings(with: "#EXT-X-MAP:URI=\"/v1/segment/9f8e7d6c5b4a3928/cfg/s/0/1\"")
        #expect(
            found == ["1x the stream is of AWS Elemental MediaTailor: start again with --provider mediatailor"])
    }

    @Test(arguments: [
        "",
        "#EXT-X-DATERANGE:ID=\"a\",CLASS=\"urn:svta:advertising-wg:ad-creative-signaling\",START-DATE=\"2026-01-01T00:00:00Z\"",
    ])
    func otherTagsAreNone(_ line: String) throws {
        #expect(try Self.findings(with: line) == [])
    }

    // MARK: Redirects

    /// A stream whose manifest is redirected to another address, where Broadpeak has tracking data with one ad at 80 s.
    private static func redirected(to address: String, provider: ProviderSetting) throws -> Snapshot {
        var origin = MainPathTests.twoBreaks
        origin.hasSession = false
        let stream = origin
        origin.override = { request, now, count in
            if request.url.query?.contains("bk-ml=") == true {
                return FakeOrigin.text(Self.pods, type: "application/json", of: request)
            }
            guard request.url.path == "/live/index.m3u8", request.method == .get else { return nil }
            var reply = stream.reply(to: request, at: now, count: count)
            reply.exchange.hops = [
                .init(url: request.url.text, status: 302, fields: [HTTPField("Location", address)]),
                .init(url: address, status: 200, fields: [HTTPField("Content-Type", "application/vnd.apple.mpegurl")]),
            ]
            return reply
        }
        var session = try MonitorHarness(origin) { $0.provider = provider }
        session.start()
        session.run(untilEdge: 130_000)
        return session.snapshot()
    }

    private static let pods: String = {
        let start = FakeOrigin.start.milliseconds + 80_000
        let event = #"{"type":"impression","callbackurl":"\#(FakeOrigin.beacon("a1", "impression"))","offset_ms":0}"#
        let times = #""starttime_ms":\#(start),"duration_ms":10000"#
        return #"{"adpods":[{"id":"p1",\#(times),"ads":[{"adid":"a1",\#(times),"trackingevents":[\#(event)]}]}]}"#
    }()

    private static let broadpeak = "\(FakeOrigin.base)/live/a/index.m3u8?bpkio_serviceid=7&bpkio_sessionid=11"

    /// The first step of a Broadpeak session is a redirect (PRV-34).
    @Test func theProviderAtTheAddressOfARedirectIsFollowed() throws {
        let snapshot = try Self.redirected(to: Self.broadpeak, provider: .auto)
        #expect(snapshot.session.provider == "broadpeak")
        #expect(snapshot.session.metadataURL == Self.broadpeak + "&bk-ml=2.0")
        #expect(snapshot.breaks.map(\.name) == ["p1"])
        #expect(snapshot.breaks.flatMap(\.ads).flatMap(\.events).map(\.state) == [.done])
        #expect(!snapshot.findings.contains { $0.finding.rule == "other-provider" })
    }

    @Test func anotherRedirectChangesNothing() throws {
        let snapshot = try Self.redirected(to: "\(FakeOrigin.base)/live/b/index.m3u8?session=11", provider: .auto)
        #expect(snapshot.breaks.isEmpty && snapshot.session.provider != "broadpeak")
        #expect(!snapshot.findings.contains { $0.finding.rule == "other-provider" })
        let plain = try Self.redirected(to: Self.broadpeak, provider: .none)
        #expect(plain.breaks.isEmpty && !plain.findings.contains { $0.finding.rule == "other-provider" })
    }

    /// A provider that the user named stays.
    @Test(arguments: [
        ("/live/a/index.m3u8?bpkio_sessionid=11", "Broadpeak: start again with --provider broadpeak"),
        (
            "/v1/master/9f8e7d6c5b4a3928/cfg/index.m3u8?aws.reportingMode=client",
            "AWS Elemental MediaTailor: start again with --provider mediatailor"
        ),
    ])
    func aNamedProviderIsKept(path: String, message: String) throws {
        let harmonic = try #require(ProviderSetting(rawValue: "harmonic"))
        let snapshot = try Self.redirected(to: FakeOrigin.base + path, provider: harmonic)
        let found = snapshot.findings.filter { $0.finding.rule == "other-provider" }
        #expect(found.map { "\($0.count)x \($0.finding.message)" } == ["1x the stream is of \(message)"])
    }
}
