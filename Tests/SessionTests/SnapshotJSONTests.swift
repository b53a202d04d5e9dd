import AdTracking
import Foundation
import Ports
import TestSupport
import Testing

@testable import Session

@Suite struct SnapshotJSONTests {
    private func ran() throws -> MonitorHarness {
        var origin = MainPathTests.twoBreaks
        origin.breaks[0].ads[0].events[1].urls = [FakeOrigin.base + "/b?sessid=secret&x=1"]
        origin.override = { request, _, _ in
            request.url.text.contains("secret") ? FakeOrigin.status(404, request) : nil
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 120_000)
        return session
    }

    @Test func theFieldsOfTheDesignAreThere() throws {
        var session = try ran()
        let value = SnapshotJSON(isRedacted: false).value(of: session.snapshot())
        #expect(value["schema"] == "adtop-snapshot/1")
        #expect(value["session"]?["mediaUrl"]?.stringValue == FakeOrigin.base + "/live/index.m3u8")
        #expect(value["session"]?["provider"] == "harmonic")
        #expect(value["session"]?["initPath"] == "get")
        #expect(value["session"]?["mode"] == "fire")
        #expect(value["playhead"]?["state"] == "playing")
        #expect(value["playhead"]?["muted"] == false)
        #expect(value["playhead"]?["pdtMs"]?.integerValue != nil)
        #expect(value["playhead"]?["latencyMs"]?.integerValue != nil)
        #expect(value["dataRange"]?["endMs"]?.integerValue != nil)
        let event = try #require(
            value["breaks"]?.arrayValue?.first?["ads"]?.arrayValue?.first?["events"]?.arrayValue?[1])
        #expect(event["event"] == "start")
        #expect(event["reportingState"] == "failed")
        let url = try #require(event["urls"]?.arrayValue?.first)
        #expect(url["state"] == "rejected")
        #expect(url["status"] == 404)
        #expect(url["attempts"] == 1)
        #expect(url["latencyMs"] == 20)
        #expect(url["sentAtMs"]?.integerValue != nil)
        #expect(url["lateMs"]?.integerValue != nil)
        #expect(value["latestError"]?["kind"] == "beacon")
        #expect(value["errors"]?["network"] == .null)
        #expect(value["log"]?.arrayValue?.isEmpty == false)
    }

    @Test func nothingSecretLeaks() throws {
        var session = try ran()
        let redacted = SnapshotJSON().value(of: session.snapshot()).text()
        #expect(!redacted.contains("secret"))
        #expect(!redacted.contains("sessid=S1"))
        #expect(redacted.contains("sessid=***"))
        #expect(SnapshotJSON(isRedacted: false).value(of: session.snapshot()).text().contains("sessid=secret"))
    }

    /// A finding may be about an address.
    @Test func placesOfFindingsAreMasked() throws {
        var session = try ran()
        var snapshot = session.snapshot()
        let finding = Finding(rule: "odd", severity: .error, message: "odd", path: "../a.ts?token=hidden")
        snapshot.findings = [FindingView(finding: finding, count: 1, first: session.now, last: session.now)]
        #expect(SnapshotJSON().value(of: snapshot)["findings"]?.arrayValue?.first?["path"] == "../a.ts?token=***")
    }

    /// A hop is shown as it was requested: with the escapes that its address lacks.
    @Test func hopsHaveTheEscapesOfTheRequest() throws {
        var session = try ran()
        var snapshot = session.snapshot()
        let adBreak = try #require(snapshot.breaks.indices.first { snapshot.breaks[$0].ads.first?.events.first != nil })
        let hop = HTTPExchange.Hop(url: "https://t.example/{x}?a|b", status: 204, fields: [])
        snapshot.breaks[adBreak].ads[0].events[0].urls[0].attempts = [
            AttemptView(at: snapshot.at, exchange: BeaconAnswer(HTTPExchange(hops: [hop])))
        ]
        let ad = SnapshotJSON(isRedacted: false).value(of: snapshot)["breaks"]?.arrayValue?[adBreak]["ads"]?
            .arrayValue?[0]
        let attempt = ad?["events"]?.arrayValue?[0]["urls"]?.arrayValue?[0]["tries"]?.arrayValue?[0]
        #expect(attempt?["hops"]?.arrayValue?[0]["url"] == "https://t.example/%7Bx%7D?a%7Cb")
    }

    @Test func itIsJSON() throws {
        var session = try ran()
        let text = SnapshotJSON().value(of: session.snapshot()).text(indented: true)
        #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
    }

    /// The protocol of the last answer, of each feed.
    @Test func theProtocolOfEachFeedIsNamed() throws {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        origin.override = { request, now, count in
            var reply = stream.reply(to: request, at: now, count: count)
            reply.exchange.version = request.url.path.hasSuffix(".m3u8") ? .two : .one
            return reply
        }
        var session = try MonitorHarness.ran(origin, until: 100_000)
        let value = SnapshotJSON().value(of: session.snapshot())
        #expect(value["session"]?["playlistHealth"]?["httpVersion"] == "2")
        #expect(value["session"]?["metadataHealth"]?["httpVersion"] == "1.1")
        var earlier = try ran()
        let unknown = SnapshotJSON().value(of: earlier.snapshot())
        #expect(unknown["session"]?["playlistHealth"]?["httpVersion"] == .null)
    }

    @Test func theLogMayBeShort() throws {
        var session = try ran()
        let value = SnapshotJSON(logLines: 3).value(of: session.snapshot())
        #expect(value["log"]?.arrayValue?.count == 3)
    }
}
