import Locks
import Ports
import ScriptedServers
import Testing

@testable import Live

/// A wall clock that stands still until a test moves it.
private final class SteppedClock: TimeSource {
    private let wall = Locked(UnixTime(milliseconds: 1_800_000_000_000))

    func now() -> Moment { Moment(wall: wall.withLock { $0 }, uptime: .zero) }
    func sleep(untilUptime uptime: Duration) async throws(CancellationError) { throw CancellationError() }
    func step(by span: Duration) { wall.withLock { $0 += span } }
}

/// What the requests of a session carry, over loopback sockets: two servers on two ports are two origins of one host.
@Suite struct SessionTransportTests {
    private typealias Script = @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step]

    private func withServers(
        _ script: @escaping Script, and second: @escaping Script = { _ in [.answer()] },
        _ body: (LiveHTTPTransport, ScriptedServer, ScriptedServer) async throws -> Void
    ) async throws {
        let transport = LiveHTTPTransport()
        let servers = (try await ScriptedServer(script: script), try await ScriptedServer(script: second))
        do {
            try await body(transport, servers.0, servers.1)
        } catch {
            await transport.shutdown()
            throw error
        }
        await transport.shutdown()
        try await servers.0.stop()
        try await servers.1.stop()
    }

    private func request(_ url: String, for audience: HTTPRequest.Audience = .stream) throws -> HTTPRequest {
        var request = HTTPRequest(url: try WebURL(url), maximumBodyBytes: 1 << 20)
        request.audience = audience
        return request
    }

    private func values(_ name: String, _ server: ScriptedServer) -> [String?] {
        server.requests.map { request in
            request.head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }.map {
                String($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " })
            }
        }
    }

    /// The path after `/to/` names where a server redirects to.
    private static let redirecting: Script = { request in
        guard request.line.hasPrefix("GET /to/") else { return [.answer()] }
        let target = request.line.dropFirst("GET /to/".count)
        return [.answer("302 Found", ["Location: http://\(target)"])]
    }

    @Test func credentialsReturnWithARedirectToTheirOrigin() async throws {
        try await withServers(Self.redirecting, and: Self.redirecting) { transport, first, second in
            var identity = RequestIdentity(typed: try WebURL(first.url("/")))
            identity.basic = BasicCredentials(user: "u", password: "p")
            identity.cookies = ["a=1"]
            identity.streamFields = [HeaderField("X-Device", "7")]
            let session = SessionTransport(transport, identity: identity)
            let url = first.url("/to/127.0.0.1:\(second.port)/to/127.0.0.1:\(first.port)/end")
            let exchange = await session.send(try request(url))
            #expect(exchange.status == 200 && exchange.hops.count == 3)
            #expect(values("Authorization", first) == ["Basic dTpw", "Basic dTpw"])
            #expect(values("Cookie", first) == ["a=1", "a=1"])
            #expect(values("Authorization", second) == [nil] && values("Cookie", second) == [nil])
            #expect(values("X-Device", first) == ["7", "7"] && values("X-Device", second) == ["7"])
        }
    }

    @Test func trackersGetNoStreamFields() async throws {
        try await withServers(Self.redirecting) { transport, first, _ in
            var identity = RequestIdentity(typed: try WebURL("http://stream.example/"))
            identity.streamFields = [HeaderField("X-Device", "7")]
            identity.hostFields = [.init(HostPattern(host: "127.0.0.1", port: first.port), HeaderField("X-Lab", "yes"))]
            let session = SessionTransport(transport, identity: identity)
            _ = await session.send(try request(first.url("/to/127.0.0.1:\(first.port)/b"), for: .tracker))
            #expect(values("X-Device", first) == [nil, nil])
            #expect(values("X-Lab", first) == ["yes", "yes"])
        }
    }

    /// A token server that redirects to the same URL once it has set its cookie.
    @Test func aRedirectToItselfWithANewCookieIsFollowed() async throws {
        try await withServers { request in
            request.head.contains("Cookie: t=1")
                ? [.answer(body: "in")] : [.answer("302 Found", ["Set-Cookie: t=1; Path=/", "Location: /live"])]
        } _: { transport, first, _ in
            let session = SessionTransport(transport, identity: RequestIdentity())
            let exchange = await session.send(try request(first.url("/live")))
            #expect(exchange.hops.map(\.status) == [302, 200] && exchange.body == Array("in".utf8))
        }
    }

    /// A tracker that sets a new cookie with each redirect to itself gets a beacon with its first cookie, and not a third time.
    @Test func aBeaconIsLedBackOnceByACookie() async throws {
        let number = Locked(0)
        try await withServers { _ in
            let next = number.withLock { (value: inout Int) -> Int in
                value += 1
                return value
            }
            return [.answer("302 Found", ["Set-Cookie: t=\(next); Path=/", "Location: /beacon"])]
        } _: { transport, first, _ in
            let session = SessionTransport(transport, identity: RequestIdentity())
            var beacon = try request(first.url("/beacon"))
            (beacon.audience, beacon.isSentOnce) = (.tracker, true)
            let exchange = await session.send(beacon)
            #expect(exchange.failure == .redirectedBack)
            #expect(values("Cookie", first) == [nil, "t=1"])
        }
    }

    @Test func oneJarServesTheRequestsOfASessionAndNoOther() async throws {
        try await withServers { request in
            request.line == "GET /init" ? [.answer("200 OK", ["Set-Cookie: s=1; Path=/"])] : [.answer()]
        } _: { transport, first, second in
            let one = SessionTransport(transport, identity: RequestIdentity())
            let other = SessionTransport(transport, identity: RequestIdentity())
            _ = await one.send(try request(first.url("/init")))
            _ = await one.send(try request(first.url("/beacon"), for: .tracker))
            _ = await other.send(try request(first.url("/list")))
            _ = await transport.send(try request(first.url("/list")))
            // A cookie belongs to a host, not to a port (RFC 6265 section 8.5); another host never sees it.
            _ = await one.send(try request("http://localhost:\(second.port)/"))
            #expect(values("Cookie", first) == [nil, "s=1", nil, nil])
            #expect(values("Cookie", second) == [nil])
        }
    }

    @Test func cookiesOfRedirectsAreKeptAndExpire() async throws {
        let clock = SteppedClock()
        try await withServers { request in
            request.line == "GET /a"
                ? [.answer("302 Found", ["Set-Cookie: s=1; Max-Age=5", "Location: /b"])] : [.answer()]
        } _: { transport, first, _ in
            let cookies = SessionCookies(time: clock)
            let session = SessionTransport(transport, identity: RequestIdentity(), cookies: cookies)
            _ = await session.send(try request(first.url("/a")))
            clock.step(by: .seconds(5))
            _ = await session.send(try request(first.url("/c")))
            #expect(values("Cookie", first) == [nil, "s=1", nil])
        }
    }

    @Test func aHeaderReplacesThoseOfTheProgram() async throws {
        try await withServers { _ in
            [.answer()]
        } _: { transport, first, _ in
            var identity = RequestIdentity()
            identity.streamFields = [HeaderField("accept-encoding", "identity"), HeaderField("User-Agent", "tv/1")]
            let session = SessionTransport(transport, identity: identity)
            var request = try request(first.url("/"))
            request.fields = [HTTPField("User-Agent", "adtop/x")]
            _ = await session.send(request)
            #expect(values("User-Agent", first) == ["tv/1"] && values("Accept-Encoding", first) == ["identity"])
        }
    }

    /// A chain of documents begins with the cookies of the file, not with those of the chain before.
    @Test func forgettingRestoresTheStart() throws {
        let (url, now) = (try WebURL("https://a.example/"), SystemTimeSource().now().wall)
        var jar = CookieJar()
        jar.store([HTTPField("Set-Cookie", "file=1")], from: url, at: now)
        let cookies = SessionCookies(jar)
        cookies.store([HTTPField("Set-Cookie", "chain=2")], from: url)
        #expect(Set(cookies.pairs(for: url).map(\.name)) == ["file", "chain"])
        cookies.forget()
        #expect(cookies.pairs(for: url).map(\.name) == ["file"])
    }
}
