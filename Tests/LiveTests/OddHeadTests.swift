import Foundation
import Ports
import ScriptedServers
import Testing

@testable import Live

/// Answers whose heads browsers accept, over real sockets. What each head is written as is in the tests of `AnswerHead`.
@Suite struct OddHeadTests {
    static let answers = [
        "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
        "HTTP/1.1 200 OK\r\nServer: a\r\n b\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 103 Early Hints\nLink: </a>\n\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.0 200 OK\nConnection: keep-alive\nContent-Length: 2\n\nok",
    ]

    private func request(
        _ url: String, _ change: (inout HTTPRequest) -> Void = { $0.audience = .stream }
    ) throws -> HTTPRequest {
        var request = HTTPRequest(url: try WebURL(url), maximumBodyBytes: 1 << 20)
        change(&request)
        return request
    }

    /// The answers of a server to as many requests, over the plain way or over a route.
    private func exchanges(
        _ count: Int, with steps: [ScriptedServer.Step], isRouted: Bool = false,
        _ change: (inout HTTPRequest) -> Void = { $0.audience = .stream }
    ) async throws -> (exchanges: [HTTPExchange], requests: [ScriptedServer.Request]) {
        let server = try await ScriptedServer { _ in steps }
        var plan = ConnectionPlan()
        if isRouted { plan.family = .ipv4 }
        let transport = LiveHTTPTransport(plan: plan)
        let request = try request(server.url("/"), change)
        var exchanges: [HTTPExchange] = []
        for _ in 0..<count { exchanges.append(await transport.send(request)) }
        await transport.shutdown()
        try await server.stop()
        return (exchanges, server.requests)
    }

    /// Others may take the end of such an answer to be elsewhere, so its connection is not used again.
    @Test(arguments: answers, [false, true]) func theAnswerIsReadAndItsConnectionClosed(
        _ answer: String, isRouted: Bool
    ) async throws {
        let (exchanges, requests) = try await exchanges(2, with: [.text(answer)], isRouted: isRouted)
        #expect(exchanges.allSatisfy { $0.failure == nil && $0.status == 200 && $0.body == Array("ok".utf8) })
        #expect(requests.map(\.connection) == [0, 1])
    }

    @Test(arguments: answers) func itMayComeInPieces(_ answer: String) async throws {
        let (exchanges, _) = try await exchanges(1, with: answer.utf8.map { .send([$0]) })
        #expect(exchanges.map(\.status) == [200] && exchanges.first?.body == Array("ok".utf8))
    }

    @Test(arguments: answers) func aTrackerMayAnswerLikeThat(_ answer: String) async throws {
        let (exchanges, _) = try await exchanges(1, with: [.text(answer)]) {
            ($0.audience, $0.isSentOnce) = (.tracker, true)
        }
        #expect(exchanges.map(\.status) == [200] && exchanges.first?.failure == nil)
    }

    @Test func aBodyMayEndWithTheConnection() async throws {
        let (exchanges, _) = try await exchanges(1, with: [.text("HTTP/1.0 200 OK\nServer: a\n\nall of it"), .close])
        #expect(exchanges.first?.failure == nil && exchanges.first?.body == Array("all of it".utf8))
    }

    /// A head in order and one that is none are judged as before.
    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", nil),
            ("HTTP/1.1 200 OK\n fold\n\n", "answer is not HTTP"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2, 3\r\n\r\nok", "answer is not HTTP"),
            ("220 mail\n\n", "answer is not HTTP"),
        ] as [(String, String?)]) func othersAreNotTouched(_ answer: String, failure: String?) async throws
    {
        let (exchanges, requests) = try await exchanges(2, with: [.text(answer)])
        #expect(exchanges.map(\.failure?.message) == [failure, failure])
        #expect(requests.map(\.connection) == (failure == nil ? [0, 0] : [0, 1]))
    }

    /// The limits of the parser hold for what is rewritten, and what is not is its own.
    @Test(arguments: ["\n", "\r\n"]) func aLongHeadIsRejected(_ end: String) async throws {
        let field = "Server: " + String(repeating: "a", count: 200_000)
        let fields = String(repeating: "A: b\(end)", count: 300)
        for head in [field + end, fields] {
            let (exchanges, _) = try await exchanges(1, with: [.text("HTTP/1.1 200 OK\(end)\(head)\(end)")])
            #expect(exchanges.first?.failure?.kind == .protocolError)
        }
    }

    /// As browsers request it: with the bytes of the server.
    @Test(arguments: [false, true]) func aRedirectInAnotherCharacterSetIsFollowed(isRouted: Bool) async throws {
        let address = Array("/caf".utf8) + [0xE9] + Array("?n=%20".utf8) + [0xFC]
        let found =
            Array("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: ".utf8) + address + Array("\r\n\r\n".utf8)
        let server = try await ScriptedServer { request in
            request.line == "GET /" ? [.send(found)] : [.answer(body: "here")]
        }
        var plan = ConnectionPlan()
        if isRouted { plan.family = .ipv4 }
        let transport = LiveHTTPTransport(plan: plan)
        let exchange = await transport.send(try request(server.url("/")))
        await transport.shutdown()
        #expect(server.requests.map(\.line) == ["GET /", "GET /caf%E9?n=%20%FC"])
        #expect(exchange.finalURL == server.url("/caf%E9?n=%20%FC") && exchange.body == Array("here".utf8))
        try await server.stop()
    }

    /// The handler is behind TLS, whether the library secures the connection or a route does.
    @Test(.enabled(if: CertificateFolder.openssl != nil, "there is no openssl program"), arguments: [false, true])
    func itMayComeOverTLS(isRouted: Bool) async throws {
        let folder = try CertificateFolder()
        try Data("HTTP/1.1 200 OK\nServer: a\n b\nContent-Length: 2\n\nok".utf8).write(
            to: URL(filePath: folder.file("odd")))
        let server = try TLSServer(folder, ["-HTTP"])
        var plan = ConnectionPlan()
        try plan.tls.trust(file: folder.file("ca.pem"))
        if isRouted { plan.family = .ipv4 }
        let transport = LiveHTTPTransport(plan: plan)
        let exchange = await transport.send(try request("https://localhost:\(server.port)/odd"))
        await transport.shutdown()
        #expect(exchange.failure == nil && exchange.body == Array("ok".utf8))
        #expect(exchange.fields["server"] == "a b")
    }
}
