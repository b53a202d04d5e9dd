import Testing

@testable import Ports

@Suite struct ProxyHandshakeTests {
    private static let target = AddressOverrides.Endpoint(host: "h.example", port: 443)
    private static let login = ProxyServer.Login(user: "u", password: "word")

    private func connect(_ answer: String, login: ProxyServer.Login? = nil) -> ProxyHandshake.Step {
        var handshake = ProxyHandshake.connect(ConnectHandshake(target: Self.target, login: login))
        return handshake.received(Array(answer.utf8))
    }

    @Test func connectNamesTheTargetAndTheLogin() {
        let plain = ConnectHandshake(target: Self.target, login: nil)
        #expect(
            String(decoding: plain.opening, as: UTF8.self)
                == "CONNECT h.example:443 HTTP/1.1\r\nHost: h.example:443\r\nProxy-Connection: Keep-Alive\r\n\r\n")
        let six = ConnectHandshake(target: .init(host: "2001:db8::1", port: 8_443), login: Self.login)
        let text = String(decoding: six.opening, as: UTF8.self)
        #expect(text.hasPrefix("CONNECT [2001:db8::1]:8443 HTTP/1.1\r\n"))
        #expect(text.contains("\r\nProxy-Authorization: Basic dTp3b3Jk\r\n"))
    }

    @Test func connectEndsWithTheHead() {
        #expect(connect("HTTP/1.1 200 OK\r\nVia: x\r\n\r\n") == .done(rest: []))
        #expect(connect("HTTP/1.0 200 Connection established\n\nab") == .done(rest: Array("ab".utf8)))
        #expect(connect("HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n") == .done(rest: []))
        #expect(connect("HTTP/1.1 200 OK\r\nVia: x\r\n") == .wait)
    }

    @Test(
        arguments: [
            ("403 Forbidden\r\n", .rejected, "answered 403 to CONNECT h.example:443"),
            ("502 Bad Gateway\r\n", .noServer, "answered 502 to CONNECT h.example:443"),
            ("504 Gateway Timeout\r\n", .noServer, "answered 504 to CONNECT h.example:443"),
            (
                "407 Auth\r\nProxy-Authenticate: Basic realm=x\r\n", .login,
                "wants a user and a password (407); write them before the host in the proxy's URL"
            ),
            (
                "401 Auth\r\n", .login,
                "wants a user and a password (401); write them before the host in the proxy's URL"
            ),
            (
                "407 Auth\r\nProxy-Authenticate: Digest realm=x\r\n", .login,
                "wants a login by Digest (407); only Basic is supported"
            ),
            (
                "407 Auth\r\nProxy-Authenticate: Negotiate\r\nProxy-Authenticate: NTLM\r\n", .login,
                "wants a login by NTLM or Negotiate (407); only Basic is supported"
            ),
            (
                "407 Auth\r\nProxy-Authenticate: Odd\r\n", .login,
                "wants a login by another scheme than Basic (407); only Basic is supported"
            ),
        ] as [(String, ProxyFault, String)])
    func failuresOfConnectHaveAReason(answer: String, fault: ProxyFault, reason: String) {
        #expect(connect("HTTP/1.1 \(answer)\r\n") == .failed(fault, reason))
    }

    @Test func aRejectedLoginIsDistinguished() {
        #expect(
            connect("HTTP/1.1 407 x\r\n\r\n", login: Self.login)
                == .failed(.login, "rejected the user and password (407); correct them in the proxy's URL"))
    }

    @Test func garbageInsteadOfAnAnswerIsAFailure() {
        #expect(connect("SSH-2.0-OpenSSH\r\n\r\n") == .failed(.notAProxy, "its answer to CONNECT is not HTTP"))
        #expect(connect("HTTP/1.1 2000 OK\r\n\r\n") == .failed(.notAProxy, "its answer to CONNECT is not HTTP"))
        #expect(connect("\r\n\r\n") == .failed(.notAProxy, "its answer to CONNECT is not HTTP"))
        #expect(
            connect(String(repeating: "x", count: ConnectHandshake.headBytes + 1))
                == .failed(.notAProxy, "its answer to CONNECT is too long"))
    }

    @Test func socksSendsNameOrAddress() {
        var named = SOCKSHandshake(target: Self.target, login: nil)
        #expect(named.opening == [5, 1, 0])
        #expect(named.received([5]) == .wait)
        #expect(named.received([0]) == .send([5, 1, 0, 3, 9] + Array("h.example".utf8) + [1, 187]))
        #expect(named.received([5, 0, 0, 1, 0, 0, 0, 0, 0]) == .wait)
        #expect(named.received([0, 7, 8]) == .done(rest: [7, 8]))
        var four = SOCKSHandshake(target: .init(host: "192.0.2.1", port: 80), login: nil)
        #expect(four.received([5, 0]) == .send([5, 1, 0, 1, 192, 0, 2, 1, 0, 80]))
        #expect(four.received([5, 0, 0, 3, 2, 97, 98, 0, 0]) == .done(rest: []))
        var six = SOCKSHandshake(target: .init(host: "::1", port: 80), login: nil)
        #expect(six.received([5, 0]) == .send([5, 1, 0, 4] + Array(repeating: 0, count: 15) + [1, 0, 80]))
        #expect(six.received([5, 0, 0, 4] + Array(repeating: 0, count: 18)) == .done(rest: []))
    }

    @Test func socksLogsIn() {
        var handshake = SOCKSHandshake(target: .init(host: "192.0.2.1", port: 80), login: Self.login)
        #expect(handshake.opening == [5, 2, 0, 2])
        #expect(handshake.received([5, 2]) == .send([1, 1, 117, 4] + Array("word".utf8)))
        #expect(handshake.received([1, 0]) == .send([5, 1, 0, 1, 192, 0, 2, 1, 0, 80]))
        var rejected = SOCKSHandshake(target: Self.target, login: Self.login)
        _ = rejected.received([5, 2])
        #expect(
            rejected.received([1, 1])
                == .failed(.login, "rejected the user and password; correct them in the proxy's URL"))
    }

    @Test(
        arguments: [
            ([72, 84], .notAProxy, "does not speak SOCKS version 5"),
            ([5, 255], .login, "wants a user and a password; write them before the host in the proxy's URL"),
            ([5, 2], .login, "wants a user and a password; write them before the host in the proxy's URL"),
            ([5, 0, 5, 2, 0, 1, 0], .rejected, "does not allow the connection (h.example:443)"),
            ([5, 0, 5, 5, 0, 1, 0], .noServer, "reports a refused connection (h.example:443)"),
            ([5, 0, 5, 99, 0, 1, 0], .rejected, "reports the failure 99 (h.example:443)"),
            ([5, 0, 5, 0, 0, 9, 0], .notAProxy, "sent a reply that is not SOCKS version 5"),
            ([5, 0, 4, 0, 0, 1, 0], .notAProxy, "sent a reply that is not SOCKS version 5"),
        ] as [([UInt8], ProxyFault, String)])
    func failuresOfSOCKSHaveAReason(bytes: [UInt8], fault: ProxyFault, reason: String) {
        var handshake = SOCKSHandshake(target: Self.target, login: nil)
        var step = handshake.received(bytes.prefix(2))
        if case .send = step { step = handshake.received(bytes.dropFirst(2)) }
        #expect(step == .failed(fault, reason))
    }

    /// Whatever a proxy sends, in whatever pieces, ends in a step.
    @Test func hostileBytesAreHarmless() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<2_000 {
            var socks = SOCKSHandshake(target: Self.target, login: Self.login)
            var tunnel = ConnectHandshake(target: Self.target, login: nil)
            for _ in 0..<4 {
                let bytes = (0..<Int(random.next() % 24)).map { _ in UInt8(truncatingIfNeeded: random.next() % 7) }
                _ = socks.received(bytes)
                _ = tunnel.received(bytes)
            }
        }
    }
}
