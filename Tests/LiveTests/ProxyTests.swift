import Foundation
import Ports
import ScriptedServers
import Testing

@testable import Live

/// Requests through proxies on loopback sockets: each way once right, and the ways in which it goes wrong.
@Suite struct ProxyTests {
    private func plan(
        _ proxy: String, noProxy: String = "", _ change: (inout ConnectionPlan) throws -> Void = { _ in }
    ) throws -> ConnectionPlan {
        var plan = ConnectionPlan()
        plan.proxies = try ProxyChoice(
            proxy: try ProxyServer(proxy), noProxy: NoProxyList(noProxy), environment: [:])
        try change(&plan)
        return plan
    }

    private func send(
        _ urls: String..., plan: ConnectionPlan, _ change: (inout HTTPRequest) -> Void = { _ in },
        prepare: (LiveHTTPTransport) -> Void = { _ in }
    ) async throws -> [HTTPExchange] {
        let transport = LiveHTTPTransport(plan: plan)
        prepare(transport)
        var exchanges: [HTTPExchange] = []
        for url in urls {
            var request = HTTPRequest(url: try WebURL(url), maximumBodyBytes: 1 << 20)
            change(&request)
            exchanges.append(await transport.send(request))
        }
        await transport.shutdown()
        return exchanges
    }

    @Test(arguments: [nil, "us%3Aer:pass word"]) func anHTTPProxyGetsTheWholeURL(_ login: String?) async throws {
        let server = try await ScriptedServer { _ in [.answer(body: "fine")] }
        let proxy = try await ScriptedProxy(login: login == nil ? nil : "us:er:pass word")
        let prefix = login.map { $0.replacing(" ", with: "%20") + "@" } ?? ""
        let url = "http://name.invalid:\(server.port)/a?b=c"
        let answers = try await send(url, url, plan: plan("http://\(prefix)127.0.0.1:\(proxy.port)"))
        #expect(answers.map(\.status) == [200, 200])
        #expect(answers.map(\.finalURL) == [url, url])
        #expect(proxy.requests.first == "GET \(url)")
        let head = try #require(server.requests.first?.head)
        #expect(head.hasPrefix("GET /a?b=c HTTP/1.1\r\n"))
        #expect(head.contains("Host: name.invalid:\(server.port)"))
        #expect(server.connectionCount == 1)
    }

    @Test(arguments: ["socks5h", "socks5"]) func aSOCKSProxyConnects(_ scheme: String) async throws {
        let server = try await ScriptedServer { _ in [.answer(body: "fine")] }
        let proxy = try await ScriptedProxy(.socks, login: "u:word")
        let answers = try await send(
            "http://name.example:\(server.port)/", plan: plan("\(scheme)://u:word@127.0.0.1:\(proxy.port)")
        ) { _ in
        } prepare: {
            $0.resolver.remember([.v4(0xC000_0201)], for: "name.example")
        }
        #expect(answers.map(\.status) == [200])
        #expect(proxy.requests == ["SOCKS \(scheme == "socks5" ? "192.0.2.1" : "name.example"):\(server.port)"])
        #expect(server.requests.first?.head.contains("Host: name.example:\(server.port)") == true)
    }

    @Test func theListWithoutProxyHoldsForTheSetting() async throws {
        let server = try await ScriptedServer { _ in [.answer()] }
        let proxy = try await ScriptedProxy()
        let answers = try await send(
            server.url("/direct"), "http://name.invalid:\(server.port)/",
            plan: plan("http://127.0.0.1:\(proxy.port)", noProxy: "127.0.0.0/8"))
        #expect(answers.map(\.status) == [200, 200])
        #expect(proxy.requests == ["GET http://name.invalid:\(server.port)/"])
    }

    @Test func loopbackIsNotExempt() async throws {
        let server = try await ScriptedServer { _ in [.answer()] }
        let proxy = try await ScriptedProxy()
        let answers = try await send(server.url("/x"), plan: plan("127.0.0.1:\(proxy.port)"))
        #expect(answers.map(\.status) == [200])
        #expect(proxy.requests == ["GET \(server.url("/x"))"])
    }

    @Test func aMissingLoginIsTheProxysMatter() async throws {
        let proxy = try await ScriptedProxy(login: "u:p")
        let place = "http://127.0.0.1:\(proxy.port)"
        let wanted = "wants a user and a password (407); write them before the host in the proxy's URL"
        let answers = try await send("http://name.invalid/", "https://name.invalid/", plan: plan(place))
        #expect(
            answers.map(\.failure) == [
                HTTPFailure(.protocolError, "proxy \(place) \(wanted)", proxyFault: .login),
                .proxy(.login, "proxy \(place) \(wanted)"),
            ])
        let wrong = try await send("https://name.invalid/", plan: plan("http://u:secret@127.0.0.1:\(proxy.port)"))
        #expect(
            wrong.first?.failure?.message
                == "proxy \(place) rejected the user and password (407); correct them in the proxy's URL")
    }

    @Test(
        arguments: [
            (
                "HTTP/1.1 401 x\r\nContent-Length: 0\r\n\r\n", .login,
                "wants a user and a password (401); write them before the host in the proxy's URL"
            ),
            ("HTTP/1.1 403 x\r\nContent-Length: 0\r\n\r\n", .rejected, "answered 403 to CONNECT name.invalid:443"),
            ("220 mail\r\n\r\n", .notAProxy, "its answer to CONNECT is not HTTP"),
        ] as [(String, ProxyFault, String)])
    func answersToConnectAreTheProxys(_ answer: String, _ fault: ProxyFault, _ clause: String) async throws {
        let proxy = try await ScriptedProxy(refusal: .answer(answer))
        let place = "http://127.0.0.1:\(proxy.port)"
        let answers = try await send("https://name.invalid/", plan: plan(place))
        #expect(answers.map(\.failure) == [.proxy(fault, "proxy \(place) \(clause)")])
        #expect(proxy.requests == ["CONNECT name.invalid:443"])
    }

    /// The server can be at fault as well: its answer comes through the proxy, which would write it as HTTP.
    @Test func garbageInsteadOfAForwardedAnswerIsTheProxys() async throws {
        let proxy = try await ScriptedProxy(refusal: .answer("220 mail\r\n\r\n"))
        let place = "http://127.0.0.1:\(proxy.port)"
        let answers = try await send("http://name.invalid/", plan: plan(place))
        #expect(
            answers.map(\.failure) == [
                HTTPFailure(.protocolError, "proxy \(place): answer is not HTTP", proxyFault: .notAProxy)
            ])
    }

    /// A proxy may lock an account after several wrong logins: its other addresses are not tried.
    @Test func aRejectedLoginIsNotRepeatedAtOtherAddresses() async throws {
        let proxy = try await ScriptedProxy(login: "u:p")
        let answers = try await send(
            "https://name.invalid/",
            plan: plan("http://u:wrong@proxy.example:\(proxy.port)") {
                try $0.overrides.addResolve("proxy.example:\(proxy.port):127.0.0.1,127.0.0.2")
            })
        #expect(answers.first?.failure?.proxyFault == .login)
        #expect(proxy.requests.count == 1)
    }

    @Test func socksFailuresAreTheProxys() async throws {
        let proxy = try await ScriptedProxy(.socks, refusal: .code(2))
        let place = "socks5h://127.0.0.1:\(proxy.port)"
        let answers = try await send("http://name.invalid/", plan: plan(place))
        #expect(
            answers.map(\.failure)
                == [.proxy(.rejected, "proxy \(place) does not allow the connection (name.invalid:80)")])
    }

    @Test func aProxyThatIsAwayIsNamed() async throws {
        // Nothing listens on the first port; one that was just left may be another test's.
        let place = "http://127.0.0.1:1"
        let answers = try await send("http://name.invalid/", plan: plan(place))
        #expect(answers.map(\.failure) == [.proxy(.unreachable, "proxy \(place): connection refused")])
        let unknown = try await send("http://name.invalid/", plan: plan("http://proxy.invalid:1"))
        #expect(unknown.first?.failure?.kind == .proxy && unknown.first?.failure?.proxyFault == .unreachable)
        #expect(unknown.first?.failure?.message.hasPrefix("proxy proxy.invalid:1: ") == true)
    }

    @Test(arguments: [ScriptedProxy.Refusal.close, .silence]) func aProxyThatStopsIsNamed(
        _ refusal: ScriptedProxy.Refusal
    ) async throws {
        let proxy = try await ScriptedProxy(refusal: refusal)
        let place = "http://127.0.0.1:\(proxy.port)"
        let answers = try await send("https://name.invalid/", plan: plan(place)) {
            $0.connectTimeout = .milliseconds(500)
        }
        let failure = try #require(answers.first?.failure)
        if case .close = refusal {
            #expect(failure.kind == .proxy && failure.proxyFault == .notAProxy)
        } else {
            #expect(failure.kind == .connectTimeout && failure.proxyFault == .unreachable)
        }
        #expect(failure.message.contains("proxy \(place)"))
    }

    /// Where the proxy resolves, hosts that are private addresses are still not requested; where names are resolved
    /// here, their addresses are checked.
    @Test(arguments: ["http", "socks5h", "socks5"]) func theAddressRuleHoldsBeforeTheProxy(_ scheme: String)
        async throws
    {
        let server = try await ScriptedServer { _ in [.answer()] }
        let proxy = try await ScriptedProxy(scheme == "http" ? .http : .socks)
        let plan = try plan("\(scheme)://127.0.0.1:\(proxy.port)")
        let private_ = try await send(
            "http://127.0.0.1:\(server.port)/", "http://localhost:\(server.port)/", "http://10.0.0.1/",
            "https://[fd00::1]/", "http://0x7f.0xa:\(server.port)/", "http://2130706433:\(server.port)/",
            plan: plan
        ) { $0.addressRule = .publicOnly }
        #expect(private_.map { $0.failure?.kind } == Array(repeating: .addressNotAllowed, count: 6))
        let outside = try await send("http://192.0.2.1/", "http://name.example/", plan: plan) {
            $0.addressRule = .loopbackOnly
        } prepare: {
            $0.resolver.remember([.v4(0x7F00_0001)], for: "name.example")
        }
        #expect(outside.map { $0.failure?.kind } == [.addressNotAllowed, .addressNotAllowed])
        #expect(proxy.requests.isEmpty)
        if scheme == "socks5" {
            let named = try await send("http://name.example/", plan: plan) {
                $0.addressRule = .publicOnly
            } prepare: {
                $0.resolver.remember([.v4(0x0A00_0001)], for: "name.example")
            }
            #expect(named.first?.failure?.kind == .addressNotAllowed)
            #expect(proxy.requests.isEmpty)
        } else {
            let named = try await send("http://name.example:\(server.port)/", plan: plan) {
                $0.addressRule = .publicOnly
            }
            #expect(named.first?.status == 200)
            // A proxy may read a name that ends in a dot, and escapes in one.
            let other = try await send(
                "http://localhost.:\(server.port)/", "http://%6Cocalhost:\(server.port)/", plan: plan
            ) { $0.addressRule = .publicOnly }
            #expect(other.map { $0.failure?.kind } == [.addressNotAllowed, .addressNotAllowed])
        }
    }

    @Test func anHTTPProxyDoesNotSeeResolve() async throws {
        let server = try await ScriptedServer { _ in [.answer()] }
        let (http, socks) = (try await ScriptedProxy(), try await ScriptedProxy(.socks))
        let url = "http://name.invalid:\(server.port)/"
        func resolved(_ plan: inout ConnectionPlan) throws {
            try plan.overrides.addResolve("name.invalid:\(server.port):192.0.2.7")
        }
        _ = try await send(url, plan: plan("http://127.0.0.1:\(http.port)", resolved))
        #expect(http.requests == ["GET \(url)"])
        _ = try await send(url, plan: plan("socks5://127.0.0.1:\(socks.port)", resolved))
        #expect(socks.requests == ["SOCKS 192.0.2.7:\(server.port)"])
        _ = try await send(
            url,
            plan: plan("http://127.0.0.1:\(http.port)") {
                try $0.overrides.addConnection("name.invalid::edge.invalid:\(server.port)")
            })
        #expect(http.requests.last == "CONNECT edge.invalid:\(server.port)")
    }

    /// A beacon is written once, whatever the way: its first byte is reported after the handshake with the proxy.
    @Test func whatFailsBeforeTheProxyIsOpenWasNotWritten() async throws {
        let proxy = try await ScriptedProxy(refusal: .answer("HTTP/1.1 502 x\r\nContent-Length: 0\r\n\r\n"))
        let transport = LiveHTTPTransport(plan: try plan("http://127.0.0.1:\(proxy.port)"))
        let exchange = await transport.send(
            HTTPRequest(url: try WebURL("https://name.invalid/"), maximumBodyBytes: 10)
        ) { Issue.record("written") }
        await transport.shutdown()
        #expect(exchange.failure?.kind == .proxy)
    }

    @Test func manyHostsHaveABoundedNumberOfClients() async throws {
        let server = try await ScriptedServer { _ in [.answer()] }
        let proxy = try await ScriptedProxy()
        let transport = LiveHTTPTransport(plan: try plan("http://127.0.0.1:\(proxy.port)"))
        for number in 0..<(RouteClients.limit + 20) {
            let url = try WebURL("http://h\(number).invalid:\(server.port)/")
            #expect(await transport.send(HTTPRequest(url: url, maximumBodyBytes: 10)).status == 200)
        }
        #expect(transport.parts.routed.count == RouteClients.limit)
        await transport.shutdown()
    }
}
