import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// The address of the metadata of a session answers 200, and never with metadata (TRK-32).
@Suite struct MissingMetadataTests {
    /// The first initialisation names a session, D, whose metadata is answered with `reply`; later ones name S1.
    private static func origin(_ reply: @escaping @Sendable (HTTPRequest) -> FakeOrigin.Reply) -> FakeOrigin {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, count in
            if request.url.query?.contains("initSession=true") == true, count == 0 {
                let addresses = #"{"manifestUrl":"/d/index.m3u8?sessid=D","trackingUrl":"/d/metadata?sessid=D"}"#
                return FakeOrigin.text(addresses, type: "application/json", of: request)
            }
            return request.url.path == "/d/metadata" ? reply(request) : nil
        }
        return origin
    }

    private static func origin(answering body: String) -> FakeOrigin {
        origin { FakeOrigin.text(body, type: "text/plain", of: $0) }
    }

    private static func initialisations(_ session: MonitorHarness) -> Int {
        session.requested.count { $0.contains("initSession=true") }
    }

    private static func polls(_ session: MonitorHarness) -> Int {
        session.requested.count { $0.contains("/metadata") }
    }

    static let page = "<html><body>Sign in</body></html>"
    static let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n"

    /// A page, a playlist or an error in words: the session is replaced, and nothing is lost.
    @Test(arguments: [page, playlist, "Not Found", "[7]", #"{"error":"expired"}"#])
    func theSessionIsReplaced(_ body: String) throws {
        var session = try MonitorHarness(Self.origin(answering: body))
        session.start()
        session.run(untilEdge: 240_000)
        let snapshot = session.snapshot()
        #expect(snapshot.session.sessionID == "S1" && snapshot.session.phase == .running)
        #expect(snapshot.session.renewals == 1 && Self.initialisations(session) == 2)
        #expect(
            session.log.contains(
                "error: session over: the metadata of the session answered 200 without metadata 3 times in a row, "
                    + "requesting a new session"))
        #expect(snapshot.findings.contains { $0.finding.rule == "L53" && $0.finding.section == "TRK-32" })
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
    }

    /// A service may have nothing to list before its first break, and damaged metadata may be whole the next time.
    @Test(arguments: ["", "null", "{}", "[]", #"{"dataRange":{"start":1,"#])
    func whatIsMissingOrDamagedIsAwaited(_ body: String) throws {
        var session = try MonitorHarness(Self.origin(answering: body))
        session.start()
        session.run(untilEdge: 240_000)
        #expect(Self.initialisations(session) == 1 && session.snapshot().session.phase == .failing)
        #expect(Self.polls(session) > 15)
        #expect(!session.snapshot().findings.contains { $0.finding.rule == "L53" })
    }

    @Test(arguments: [204, 304]) func anAnswerWithoutABodyIsAwaited(_ status: Int) throws {
        var session = try MonitorHarness(Self.origin { FakeOrigin.status(status, $0) })
        session.start()
        session.run(untilEdge: 240_000)
        #expect(Self.initialisations(session) == 1 && Self.polls(session) > 15)
    }

    /// A document that lists nothing is metadata: a page after it may pass.
    @Test func onceMetadataHasArrivedAPageMayPass() throws {
        var origin = MainPathTests.twoBreaks
        let page = FakeOrigin.start + .milliseconds(70_000)..<FakeOrigin.start + .milliseconds(110_000)
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("/metadata"), page.contains(now.wall) else { return nil }
            return FakeOrigin.text(Self.page, type: "text/html", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 240_000)
        #expect(session.snapshot().session.renewals == 0 && Self.initialisations(session) == 1)
        #expect(!session.snapshot().findings.contains { $0.finding.rule == "L53" })
    }

    /// Without renewal the session is over, as one that is rejected; what still plays is followed.
    @Test func withoutRenewalTheSessionIsOver() throws {
        var session = try MonitorHarness(Self.origin(answering: Self.page)) { $0.renewal = .never }
        session.start()
        session.run(untilEdge: 130_000)
        #expect(session.snapshot().session.phase == .over && session.snapshot().session.service?.next == nil)
        #expect(session.snapshot().session.playlistHealth.state == .good)
        #expect(session.log.contains { $0.contains("no new session is requested (--no-renew)") })
        let before = Self.polls(session)
        #expect(before == 3)
        session.run(for: .seconds(600))
        #expect(Self.polls(session) == before && Self.initialisations(session) == 1)
    }

    /// A server that opens sessions without metadata is asked less and less, whether it names new ones or the same one again.
    @Test(arguments: [true, false]) func aServerWithoutMetadataIsNotHammered(isNew: Bool) throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, count in
            if request.url.query?.contains("initSession=true") == true, isNew {
                let addresses =
                    #"{"manifestUrl":"/s\#(count)/index.m3u8?sessid=S\#(count)","#
                    + #""trackingUrl":"/s\#(count)/metadata?sessid=S\#(count)"}"#
                return FakeOrigin.text(addresses, type: "application/json", of: request)
            }
            guard request.url.path.hasSuffix("/metadata") else { return nil }
            return FakeOrigin.text(Self.page, type: "text/html", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(600))
        #expect((2...10).contains(Self.initialisations(session)), "\(Self.initialisations(session)) in ten minutes")
        session.run(for: .seconds(3_600))
        #expect(Self.initialisations(session) <= 24, "\(Self.initialisations(session)) in 70 minutes")
        #expect(session.snapshot().session.playlistHealth.state == .good)
    }

    /// A stream whose metadata address is a guess has none: there is no session that could be replaced.
    @Test func aGuessIsNoSession() throws {
        var origin = MainPathTests.twoBreaks
        origin.hasSession = false
        origin.override = { request, _, _ in
            guard request.url.path.hasSuffix("/metadata") else { return nil }
            return FakeOrigin.text(Self.page, type: "text/html", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(600))
        #expect(Self.initialisations(session) == 1 && session.snapshot().session.metadataHealth.state == .none)
        #expect(!session.snapshot().findings.contains { $0.finding.rule == "L53" })
    }

    /// Another answer than one of the session to the request for the next one is no answer of another provider: that of the session is known.
    @Test func theNextSessionMayBeAPageMeanwhile() throws {
        var origin = Self.origin(answering: Self.page)
        let first = origin.override
        let portal = FakeOrigin.start + .milliseconds(65_000)..<FakeOrigin.start + .milliseconds(100_000)
        origin.override = { request, now, count in
            guard request.url.path == "/live/index.m3u8", portal.contains(now.wall) else {
                return first?(request, now, count)
            }
            return FakeOrigin.text(Self.page, type: "text/html", of: request)
        }
        var session = try MonitorHarness(origin) { $0.provider = .harmonic }
        session.start()
        session.run(untilEdge: 99_000)
        #expect(session.snapshot().session.phase == .over && Self.initialisations(session) > 1)
        #expect(!session.snapshot().findings.contains { $0.finding.rule == "other-provider" })
        session.run(untilEdge: 240_000)
        #expect(session.snapshot().session.sessionID == "S1" && session.snapshot().session.phase == .running)
    }

    /// The line of the first variant arrives damaged, so that the tracking data of the second is asked for: it is a playlist for ever.
    @Test func theLineOfTheFirstVariantMayBeDamaged() throws {
        var origin = FakeOrigin(hasDates: false)
        origin.override = { request, _, count in
            let isFirst = !request.url.path.hasSuffix("/high.m3u8")
            if isFirst, let ads = UndatedProviderTests.Service.primetime.ads(at: request.url) {
                return FakeOrigin.text(ads.text, type: ads.type, of: request)
            }
            guard request.url.path == "/live/index.m3u8", count == 0 else { return nil }
            let text =
                "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\n#ow.m3u8\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=2400000\nhigh.m3u8\n"
            return FakeOrigin.text(text, type: "application/vnd.apple.mpegurl", of: request)
        }
        let url = try WebURL(FakeOrigin.base + UndatedProviderTests.Service.primetime.address)
        var session = try MonitorHarness(origin) { $0.mediaURL = url }
        session.start()
        session.run(untilEdge: 65_000)
        #expect(session.snapshot().session.metadataURL?.contains("/high.m3u8") == true)
        session.run(untilEdge: 120_000)
        #expect(session.snapshot().session.metadataURL?.contains("/low.m3u8") == true)
        #expect(session.snapshot().session.metadataHealth.state == .good && !session.snapshot().breaks.isEmpty)
    }

    /// Nothing opens another one than the session whose tracking data is followed (PRV-48).
    @Test func anAttachedSessionIsOver() throws {
        var origin = FakeOrigin()
        origin.override = { request, _, _ in FakeOrigin.text(Self.page, type: "text/html", of: request) }
        let url = try WebURL(FakeOrigin.base + "/s/metadata?sessid=S1")
        var session = try MonitorHarness(origin) { configuration in
            configuration.mediaURL = url
            configuration.following.attached = .offset(.zero)
            (configuration.mode, configuration.sending.isReadonly) = (.observe, true)
            configuration.renewal = .never
        }
        session.start()
        session.run(for: .seconds(120))
        #expect(session.snapshot().session.phase == .over && Self.polls(session) == 3)
    }
}
