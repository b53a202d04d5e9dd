import Ports
import ScriptedServers
import Testing

@testable import Live

/// Answers that the client would end the process at, and bytes that belong to no answer.
@Suite struct AnswerOrderTests {
    private func request(_ url: String) throws -> HTTPRequest {
        var request = HTTPRequest(url: try WebURL(url), maximumBodyBytes: 1 << 20)
        request.audience = .stream
        return request
    }

    private func transport(isRouted: Bool = false) -> LiveHTTPTransport {
        var plan = ConnectionPlan()
        if isRouted { plan.family = .ipv4 }
        return LiveHTTPTransport(plan: plan)
    }

    private func failure(of status: String) -> HTTPFailure {
        HTTPFailure(.protocolError, "answer has the status '\(status)', which is not one of HTTP")
    }

    /// RFC 9110 section 15.
    @Test(arguments: ["099", "000", "001"], [false, true]) func aStatusBelow100Fails(
        _ status: String, isRouted: Bool
    ) async throws {
        let bad = "HTTP/1.1 \(status) X\r\nContent-Length: 2\r\n\r\nok"
        let server = try await ScriptedServer { request in
            request.line == "GET /bad" ? [.text(bad)] : [.answer(body: "ok")]
        }
        let transport = transport(isRouted: isRouted)
        let exchange = await transport.send(try request(server.url("/bad")))
        let next = await transport.send(try request(server.url("/good")))
        await transport.shutdown()
        #expect(exchange.failure == failure(of: status) && exchange.status == nil && exchange.hops.isEmpty)
        #expect(next.failure == nil && next.status == 200)
        #expect(server.requests.map(\.connection) == [0, 1])
        try await server.stop()
    }

    /// A client reads them like others of 5xx.
    @Test(arguments: ["600", "999"]) func aStatusAbove599IsAnAnswer(_ status: String) async throws {
        let server = try await ScriptedServer { _ in [.answer("\(status) X")] }
        let transport = transport()
        let exchange = await transport.send(try request(server.url("/")))
        await transport.shutdown()
        #expect(exchange.failure == nil && exchange.status == Int(status))
        try await server.stop()
    }

    @Test(arguments: ["HTTP/1.1 1000 X", "HTTP/1.1 99 X", "HTTP/1.1 -99 X", "HTTP/1.1  X"])
    func otherNumbersAreNotHTTP(_ line: String) async throws {
        let server = try await ScriptedServer { _ in [.text("\(line)\r\nContent-Length: 0\r\n\r\n")] }
        let transport = transport()
        let exchange = await transport.send(try request(server.url("/")))
        await transport.shutdown()
        #expect(exchange.failure?.kind == .protocolError)
        try await server.stop()
    }

    /// Nothing was asked for that a server could switch to: the status is the answer.
    @Test(arguments: ["", "Connection: Upgrade\r\nUpgrade: x\r\n"]) func aSwitchOfProtocolsEndsTheConnection(
        _ fields: String
    ) async throws {
        let switched = "HTTP/1.1 101 X\r\n\(fields)\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        let server = try await ScriptedServer { _ in [.text(switched)] }
        let transport = transport()
        for _ in 0..<2 { #expect(await transport.send(try request(server.url("/"))).status == 101) }
        await transport.shutdown()
        #expect(server.requests.map(\.connection) == [0, 1])
        try await server.stop()
    }

    /// What HTTP/2 has for a status is a text (RFC 9113 section 8.3.2).
    @Test(
        .enabled(if: CertificateFolder.openssl != nil, "there is no openssl program"),
        arguments: ["099", "", "-5", "+200", "1", "99", "1000", "1e2", "10000000000000000000000"])
    func aStatusOfHTTP2IsJudged(_ status: String) async throws {
        let exchanges = try await http2Exchanges(status.hasPrefix("1") ? [status, "200"] : [status])
        #expect(exchanges.bad.failure == failure(of: String(status.prefix(9))) && exchanges.bad.status == nil)
        #expect(exchanges.good.failure == nil)
    }

    /// RFC 9113 section 8.6.
    @Test(.enabled(if: CertificateFolder.openssl != nil, "there is no openssl program"))
    func http2HasNoSwitchOfProtocols() async throws {
        let exchanges = try await http2Exchanges(["101", "200"])
        let message = "answer has the status '101', which HTTP/2 does not have"
        #expect(exchanges.bad.failure == HTTPFailure(.protocolError, message))
        #expect(exchanges.good.failure == nil)
    }

    /// A document that is answered with these heads, and one after it.
    private func http2Exchanges(_ statuses: [String]) async throws -> (bad: HTTPExchange, good: HTTPExchange) {
        let folder = try CertificateFolder()
        let server = try await HTTP2Server(folder) { path in path == "/bad" ? .statuses(statuses) : .body("good") }
        var plan = ConnectionPlan()
        try plan.tls.trust(file: folder.file("ca.pem"))
        let transport = LiveHTTPTransport(plan: plan)
        let bad = await transport.send(try request(server.url("/bad")))
        let good = await transport.send(try request(server.url("/good")))
        await transport.shutdown()
        return (bad, good)
    }

    static let excess = [
        "H", "HTTP/1.1 40", "HTTP/1.1 404 Other\r\nX-Other: ", "HTTP/1.1 404 Other\r\nX-Other: a\r\n",
        "HTTP/1.1 404 Other\r\nX-Other: a\r\n\r", "HTTP/1.1 404 Other\r\nContent-Length: 0\r\n\r\n", "\r\nHTTP/1.1 404",
    ]
    static let answers = [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    ]

    /// RFC 9112 section 6.3: it must not become the answer to the next request, nor a part of it.
    @Test(arguments: excess, answers) func whatFollowsAnAnswerIsNoAnswer(_ excess: String, _ answer: String)
        async throws
    {
        for isRouted in [false, true] {
            let server = try await ScriptedServer { _ in [.text(answer + excess)] }
            let transport = transport(isRouted: isRouted)
            for _ in 0..<2 {
                let exchange = await transport.send(try request(server.url("/")))
                #expect(exchange.failure == nil && exchange.status == 200 && exchange.body == Array("ok".utf8))
            }
            await transport.shutdown()
            #expect(server.requests.map(\.connection) == [0, 1])
            try await server.stop()
        }
    }

    /// The connection waits for nothing when it comes.
    @Test(arguments: ["H", "HTTP/1.1 404 Other\r\nX-Other: "]) func whatComesLaterEndsTheConnection(
        _ excess: String
    ) async throws {
        let server = try await ScriptedServer { _ in [.answer(body: "ok"), .text(excess)] }
        let transport = transport()
        #expect(await transport.send(try request(server.url("/"))).status == 200)
        try await server.waitForClosing()
        #expect(await transport.send(try request(server.url("/"))).status == 200)
        await transport.shutdown()
        #expect(server.requests.map(\.connection) == [0, 1])
        try await server.stop()
    }

    /// Empty lines before an answer are skipped, so they are no part of one.
    @Test func emptyLinesAreNoExcess() async throws {
        let server = try await ScriptedServer { _ in [.text(Self.answers[0] + "\r\n")] }
        let transport = transport()
        for _ in 0..<2 { #expect(await transport.send(try request(server.url("/"))).status == 200) }
        await transport.shutdown()
        #expect(server.requests.map(\.connection) == [0, 0])
        try await server.stop()
    }

    @Test(arguments: [("099", false), ("", false), ("20", false), ("100", true), ("200", true), ("999", true)])
    func aStatusHasThreeDigits(_ status: String, isValid: Bool) {
        #expect((AnswerOrder.failure(of: status) == nil) == isValid)
    }
}
