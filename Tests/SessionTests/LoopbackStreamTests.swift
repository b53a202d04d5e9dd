import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// A stream at a loopback address that is a public one behind: the gate of beacons is that of the typed address (docs/security.md).
@Suite struct LoopbackStreamTests {
    private static let host = "https://cdn.example"

    /// What leads to the public host.
    enum Lead: CaseIterable {
        /// The multivariant playlist is redirected.
        case manifest
        /// The answer that opens the session has addresses there.
        case opening
        /// Both the opening and what it names are redirected.
        case redirectedOpening
    }

    private static func redirected(_ reply: FakeOrigin.Reply, _ request: HTTPRequest) -> FakeOrigin.Reply {
        var reply = reply
        let target = host + request.url.path + (request.url.query.map { "?" + $0 } ?? "")
        let redirect = HTTPExchange.Hop(
            url: request.url.text, status: 302, fields: [HTTPField("Location", target)])
        let answer = HTTPExchange.Hop(
            url: target, status: reply.exchange.status ?? 200, fields: reply.exchange.hops.last?.fields ?? [])
        reply.exchange.hops = [redirect, answer]
        return reply
    }

    private static func origin(_ lead: Lead) -> FakeOrigin {
        var origin = MainPathTests.twoBreaks
        origin.breaks[0].ads[0].events[1].urls = ["https://tracker.example/b", FakeOrigin.base + "/b?ad=a1&e=start"]
        let stream = origin
        origin.override = { request, now, count in
            let isOpening = request.url.query?.contains("initSession=true") == true
            let isManifest = request.url.path.hasSuffix("/index.m3u8") && request.method == .get && !isOpening
            let isHere = request.url.text.hasPrefix(FakeOrigin.base)
            switch lead {
            case .manifest where isManifest && isHere, .redirectedOpening where isOpening && isHere:
                return redirected(stream.reply(to: request, at: now, count: count), request)
            case .opening where isOpening:
                let addresses =
                    #"{"manifestUrl":"\#(host)/s/index.m3u8?sessid=S1","trackingUrl":"\#(host)/s/metadata?sessid=S1"}"#
                return FakeOrigin.text(addresses, type: "application/json", of: request)
            default: return nil
            }
        }
        return origin
    }

    @Test(arguments: Lead.allCases) func itsTrackersElsewhereGetNothing(_ lead: Lead) throws {
        var session = try MonitorHarness.ran(Self.origin(lead), until: 120_000) { $0.sending.firesByDefault = true }
        let snapshot = session.snapshot()
        #expect(snapshot.session.mode == .fire && snapshot.session.sendsToLoopbackOnly)
        // The stream was followed at the public host.
        #expect(session.requested.contains { $0.hasPrefix(Self.host) && $0.contains(".m3u8") })
        let event = try #require(snapshot.event("start", ad: "a1"))
        #expect(event.urls.map(\.state) == [.skipped, .acknowledged])
        #expect(event.urls.map(\.reason) == [.hostNotAllowed, nil])
        #expect(!session.requested.contains { $0.contains("tracker.example") })
        #expect(!session.beaconRequests.isEmpty)
        #expect(session.beaconRequests.allSatisfy { $0.addressRule == .loopbackOnly })
    }
}
