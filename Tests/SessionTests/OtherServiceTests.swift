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
}
