import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// A stream that cannot be opened shows what was requested, what came back, and what to do.
@Suite struct OpeningTests {
    private static func opened(_ reply: @escaping @Sendable (HTTPRequest) -> FakeOrigin.Reply?) throws -> Snapshot {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, _ in reply(request) }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 70_000)
        return session.snapshot()
    }

    @Test func everyRequestOfTheOpeningIsShownWithItsAnswer() throws {
        let opening = try #require(try Self.opened { FakeOrigin.status(404, $0) }.session.opening)
        #expect(opening.requests.map(\.method) == [.get, .post, .get])
        #expect(opening.requests.allSatisfy { $0.answer?.status == 404 && $0.tries > 1 })
        #expect(opening.problem == .notFound)
        #expect(opening.nextAttemptAt != nil)
    }

    @Test func anOpenStreamShowsNoneOfIt() throws {
        #expect(try Self.opened { _ in nil }.session.opening == nil)
    }

    /// The session is opened, and its playlist is missing: the playlist is shown too.
    @Test func aMissingPlaylistIsShownAfterTheSession() throws {
        let opening = try #require(
            try Self.opened { request in
                request.url.path.hasSuffix(".m3u8") && request.url.query?.contains("initSession") != true
                    && request.method == .get ? FakeOrigin.status(403, request) : nil
            }.session.opening)
        #expect(opening.requests.contains { !$0.isPlaylist && $0.answer?.status == 200 })
        #expect(opening.requests.contains { $0.isPlaylist && $0.answer?.status == 403 })
        #expect(opening.problem == .forbidden)
    }

    /// What the requests for a session met is past when the playlist is there; one that lists nothing is said to be empty.
    @Test func aPlaylistEndsWhatCameBeforeIt() throws {
        func opening(_ playlist: String) throws -> OpeningView? {
            try Self.opened { request in
                guard request.method == .get, request.url.query?.contains("initSession") != true else {
                    return FakeOrigin.status(501, request)
                }
                return FakeOrigin.text(playlist, type: "application/vnd.apple.mpegurl", of: request)
            }.session.opening
        }
        #expect(try #require(try opening("#EXTM3U\n")).problem == .empty)
        let unusable = try #require(try opening("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nftp://a.example/x.m3u8\n"))
        #expect(unusable.problem == nil && unusable.advice == nil)
    }

    /// JSON that opens no session is called that, whatever is answered to the other requests for one.
    @Test(arguments: [200, 405]) func aDocumentThatIsNoSessionIsNamed(status: Int) throws {
        let opening = try #require(
            try Self.opened { request in
                request.method == .post && status != 200
                    ? FakeOrigin.status(status, request)
                    : FakeOrigin.text("{\"error\": 17}", type: "application/json", of: request)
            }.session.opening)
        #expect(opening.problem == .json && opening.nextAttemptAt != nil)
        #expect(opening.clause == "JSON instead of a playlist")
        #expect(opening.sentence == "answered 200 (application/json). \(OpeningProblem.json.advice)")
    }

    /// For a table the problem is a clause, for a person it is a sentence; neither lists the tries.
    @Test func aProblemIsSaidOnce() throws {
        let missing = try #require(try Self.opened { FakeOrigin.status(404, $0) }.session.opening)
        #expect(missing.clause == "answered 404")
        #expect(missing.sentence == "answered 404. \(OpeningProblem.notFound.advice)")
        let empty = try #require(
            try Self.opened { FakeOrigin.text("", type: "text/plain", of: $0) }.session.opening)
        #expect(empty.clause == "no segment and no variant in it")
        #expect(empty.sentence == "answered 200 (text/plain). \(OpeningProblem.empty.advice)")
    }

    /// While the playlist is requested again, what its last answer was is still said, not the answer that opened the session.
    @Test func whatFailedIsSaidDuringTheNextTry() throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, count in
            guard request.url.path.hasSuffix(".m3u8"), request.url.query?.contains("initSession") != true else {
                return nil
            }
            guard count > 0 else { return FakeOrigin.failure(.timeout, "no answer in 6 s") }
            var reply = FakeOrigin.status(503, request)
            reply.delay = .seconds(30)
            return reply
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(10))
        let opening = try #require(session.snapshot().session.opening)
        #expect(opening.requests.last { $0.isPlaylist }?.answer == nil, "it is under way")
        #expect(opening.failed?.answer?.failure?.kind == .timeout && opening.clause == "no answer in 6 s")
        #expect(opening.sentence?.hasPrefix("no answer in 6 s. ") == true)
    }

    /// An answer with a status is HTTP, whatever is wrong with its body.
    @Test func aBodyThatCannotBeReadIsNoOtherProtocol() {
        let hop = HTTPExchange.Hop(url: "http://h/", status: 200, fields: [])
        let failure = HTTPFailure(.protocolError, "compressed body is broken")
        #expect(OpeningProblem(HTTPExchange(hops: [hop], failure: failure)) == .unreadable)
        #expect(OpeningProblem(HTTPExchange(failure: failure)) == .notHTTP)
    }

    /// A person does not wait for the next try; while the stream is open nothing is requested for it.
    @Test(arguments: [true, false]) func aTryFollowsAtOnceWhenItIsAskedFor(isOpen: Bool) throws {
        var origin = MainPathTests.twoBreaks
        if !isOpen { origin.override = { request, _, _ in FakeOrigin.status(404, request) } }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 70_000)
        let before = session.requests(for: .sessionInit).count
        #expect(before > 0 && (session.snapshot().session.opening?.nextAttemptAt != nil) == !isOpen)
        session.submit(.retryAsked(.opening))
        #expect(session.requests(for: .sessionInit).count == before + (isOpen ? 0 : 1))
    }

    /// A rejected viewer reads what the request carried, without the values; every other advice is the problem's own.
    @Test func aRejectionNamesWhatWasSent() throws {
        let additions = [
            RequestAddition(.stream, "X-Device: ***"), RequestAddition(.typed, "Authorization: Bearer ***"),
            RequestAddition(.host(HostPattern(host: "cdn.example")), "X-Key: ***"),
        ]
        let login = RequestAddition(.proxy, "Proxy-Authorization: Basic ***")
        let doubt = "The proxy may have answered instead"
        #expect(OpeningProblem.unauthorized.advice(of: "http://a.example/x", with: [login]).contains(doubt))
        #expect(!OpeningProblem.unauthorized.advice(of: "https://a.example/x", with: [login]).contains(doubt))
        #expect(!OpeningProblem.forbidden.advice(of: "http://a.example/x", with: [login]).contains(doubt))
        #expect(OpeningProblem.unsupportedLogin.advice(of: "http://a.example/x", with: [login]).contains(doubt))
        for problem in OpeningProblem.allCases {
            let isRejection = problem == .unauthorized || problem == .forbidden
            let none = problem.advice(of: Self.url, with: [])
            let all = problem.advice(of: Self.url, with: additions)
            #expect(
                none == problem.advice
                    + (isRejection ? " Sent with no credentials, cookies or header fields of yours." : ""))
            #expect(
                all == problem.advice + (isRejection ? " Sent with X-Device: ***, Authorization: Bearer ***." : ""))
        }
        #expect(OpeningProblem.forbidden.advice(of: "http://cdn.example/a", with: additions).contains("X-Key: ***"))
    }

    private static let url = "https://a.example/x.m3u8"

    private static func answer(_ status: Int, _ body: String = "") -> HTTPExchange {
        HTTPExchange(hops: [.init(url: url, status: status, fields: [])], body: Array(body.utf8))
    }

    /// A certificate that was rejected has its own meaning, with the flag that helps.
    @Test(arguments: CertificateRejection.allCases) func aRejectedCertificateHasItsAdvice(
        _ rejection: CertificateRejection
    ) {
        let problem = OpeningProblem(HTTPExchange(failure: HTTPFailure(.tls, "x", rejection: rejection)))
        let flag = rejection == .clientCertificate ? "--cert" : "--insecure"
        #expect(problem != .tls && problem?.advice.contains(flag) == true)
        #expect(OpeningProblem(HTTPExchange(failure: HTTPFailure(.tls, "x"))) == .tls)
    }

    @Test(
        arguments: [
            (answer(401), OpeningProblem.unauthorized), (answer(403), .forbidden), (answer(404), .notFound),
            (answer(410), .notFound), (answer(429), .tooManyRequests), (answer(500), .serverError),
            (answer(503), .serverError), (answer(400), .rejected), (answer(304), .rejected), (answer(200), .empty),
            (answer(200, " \r\n"), .empty), (answer(200, "<!DOCTYPE html><html>"), .webPage),
            (answer(200, "<?xml version=\"1.0\"?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\">"), .dash),
            (answer(200, "{\"a\": 1}"), .json), (answer(200, "[1]"), .notAPlaylist), (answer(200, "#EXTM3U\n"), .empty),
            (answer(200, "\u{FEFF}#EXTM3U\r\n# a comment\r\n \r\n"), .empty),
            (answer(200, "\u{FEFF}#EXTM3U\nlow.m3u8\n"), nil),
            (answer(200, "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"), nil),
        ] as [(HTTPExchange, OpeningProblem?)])
    func anAnswerHasOneMeaning(exchange: HTTPExchange, problem: OpeningProblem?) {
        #expect(OpeningProblem(exchange) == problem)
    }

    @Test(
        arguments: [
            (HTTPFailure.Kind.resolve, OpeningProblem.noSuchHost), (.connect, .refused),
            (.connectTimeout, .noConnection),
            (.tls, .tls), (.timeout, .timeout), (.reset, .reset), (.tooManyRedirects, .redirects),
            (.badRedirect, .redirects), (.redirectToReport, .redirects), (.addressNotAllowed, .notAllowed),
            (.bodyTooLarge, .tooLong),
            (.protocolError, .notHTTP), (.proxy, .proxy), (.cancelled, nil),
        ] as [(HTTPFailure.Kind, OpeningProblem?)])
    func aFailureHasOneMeaning(kind: HTTPFailure.Kind, problem: OpeningProblem?) {
        #expect(OpeningProblem(HTTPExchange(failure: HTTPFailure(kind, "x"))) == problem)
    }

    /// A proxy can fail with several kinds: whose fault it is decides.
    @Test(arguments: [HTTPFailure.Kind.proxy, .protocolError, .connectTimeout]) func aProxysFaultIsNotTheServers(
        kind: HTTPFailure.Kind
    ) {
        let problems = ProxyFault.allCases.map { fault in
            OpeningProblem(HTTPExchange(failure: HTTPFailure(kind, "x", rejection: .expired, proxyFault: fault)))
        }
        #expect(
            problems == [
                .proxyUnreachable, .proxyCertificate, .proxyLogin, .proxyRejected, .proxyWithoutServer, .notAProxy,
            ])
        #expect(problems.compactMap { $0?.advice }.allSatisfy { $0.contains("proxy") || $0.contains("proxies") })
        #expect(OpeningProblem(HTTPExchange(failure: HTTPFailure(.cancelled, "x", proxyFault: .login))) == nil)
    }

    /// Only a 401 that asks for nothing that is supported is one; a scheme that is not known may be one of tokens.
    @Test(
        arguments: [
            ([], OpeningProblem.unauthorized), (["Basic realm=\"x\""], .unauthorized), (["bearer"], .unauthorized),
            (["Hawk"], .unauthorized), (["Digest realm=\"a, Basic b\", nonce=\"1\""], .unsupportedLogin),
            (["Digest realm=\"x\", qop=\"auth\", Basic realm=\"y\""], .unauthorized),
            (["NTLM", "Negotiate"], .unsupportedLogin),
            (["Negotiate", "BASIC realm=x"], .unauthorized), (["digest\trealm=x"], .unsupportedLogin),
            ([""], .unauthorized),
        ] as [([String], OpeningProblem)])
    func theSchemesDecide(challenges: [String], problem: OpeningProblem) {
        let fields = challenges.map { HTTPField("WWW-Authenticate", $0) }
        let answer = HTTPExchange(hops: [.init(url: Self.url, status: 401, fields: fields)])
        #expect(OpeningProblem(answer) == problem)
        let other = HTTPExchange(hops: [.init(url: Self.url, status: 403, fields: fields)])
        #expect(OpeningProblem(other) == .forbidden)
    }

    /// Standard error masks what looks like a user and a password.
    @Test(arguments: OpeningProblem.allCases) func noAdviceLooksLikeASecret(_ problem: OpeningProblem) {
        #expect(Redaction.credentials(in: problem.advice, isBare: true) == problem.advice)
    }

    @Test(arguments: OpeningProblem.allCases) func eachProblemHasAdvice(_ problem: OpeningProblem) {
        #expect(problem.advice.hasSuffix(".") && problem.advice.count <= 120)
    }
}
