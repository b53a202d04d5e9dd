import Ports
import ScriptedServers
import Testing

@testable import Live

/// Requests that meet a connection which its server is closing (RFC 9112 section 9.5).
@Suite struct KeptConnectionTests {
    /// How a server loses a request.
    enum Loss: CaseIterable {
        case close, reset

        var step: ScriptedServer.Step { self == .close ? .close : .reset }
    }

    /// Sends a document and then `second`, to a server that answers the first request of each connection and does `steps` at the others.
    private func exchange(
        _ steps: [ScriptedServer.Step], freshFails: Bool = false,
        _ change: (inout HTTPRequest) -> Void = { $0.audience = .stream }, plan: ConnectionPlan = ConnectionPlan()
    ) async throws -> (exchange: HTTPExchange, requests: [ScriptedServer.Request]) {
        let server = try await ScriptedServer { request in
            let isFirst = request.line == "GET /first"
            return isFirst || request.connection > 0 && !freshFails ? [.answer(body: "x")] : steps
        }
        let transport = LiveHTTPTransport(plan: plan)
        var (first, second) = (
            HTTPRequest(url: try WebURL(server.url("/first")), maximumBodyBytes: 10),
            HTTPRequest(url: try WebURL(server.url("/second")), maximumBodyBytes: 10)
        )
        change(&second)
        (first.audience, first.addressRule) = (second.audience, second.addressRule)
        let opening = await transport.send(first)
        let exchange = await transport.send(second)
        await transport.shutdown()
        #expect(opening.status == 200)
        try await server.stop()
        return (exchange, server.requests)
    }

    @Test(arguments: Loss.allCases) func aDocumentIsRequestedOnceMore(_ loss: Loss) async throws {
        let (exchange, requests) = try await exchange([loss.step])
        #expect(exchange.failure == nil && exchange.status == 200 && exchange.hops.count == 1)
        #expect(requests.map(\.line) == ["GET /first", "GET /second", "GET /second"])
        #expect(requests.map(\.connection) == [0, 0, 1])
        #expect(requests.map { $0.head.contains("Connection: close") } == [false, false, true])
    }

    /// The same over a way of its own, which has other clients.
    @Test(arguments: Loss.allCases) func soItIsOverARoute(_ loss: Loss) async throws {
        var plan = ConnectionPlan()
        plan.family = .ipv4
        let (exchange, requests) = try await exchange([loss.step], plan: plan)
        #expect(exchange.failure == nil && exchange.status == 200)
        #expect(requests.map(\.connection) == [0, 0, 1])
    }

    @Test(arguments: Loss.allCases) func itIsNotRequestedAThirdTime(_ loss: Loss) async throws {
        let (exchange, requests) = try await exchange([loss.step], freshFails: true)
        #expect(exchange.failure?.kind == .reset && exchange.hops.isEmpty)
        #expect(requests.map(\.connection) == [0, 0, 1])
    }

    /// A beacon or a ping may have been counted, and so may what is posted. Ad calls are not documents of the stream.
    @Test(
        arguments: [
            { ($0.audience, $0.isSentOnce) = (.tracker, true) }, { ($0.audience, $0.isSentOnce) = (.stream, true) },
            { $0.audience = .tracker }, { $0.audience = .other },
            { ($0.audience, $0.method, $0.body) = (.stream, .post, [0x31]) },
        ] as [@Sendable (inout HTTPRequest) -> Void], Loss.allCases)
    func nothingElseIsRepeated(_ change: @Sendable (inout HTTPRequest) -> Void, _ loss: Loss) async throws {
        let (exchange, requests) = try await exchange([loss.step], freshFails: true, change)
        #expect(exchange.failure?.kind == .reset)
        #expect(requests.count == 2)
    }

    /// A server that has begun an answer has taken the request.
    @Test(arguments: ["HTTP/1.1 103 Early Hints\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"])
    func whatIsAnsweredInPartIsNotRepeated(_ part: String) async throws {
        let (exchange, requests) = try await exchange([.text(part), .close])
        #expect(exchange.failure?.kind == .reset)
        #expect(requests.count == 2)
    }

    /// There the failure is one of the server.
    @Test(arguments: Loss.allCases) func aNewConnectionIsNotRepeated(_ loss: Loss) async throws {
        let server = try await ScriptedServer { _ in [loss.step] }
        let transport = LiveHTTPTransport()
        var request = HTTPRequest(url: try WebURL(server.url("/")), maximumBodyBytes: 10)
        request.audience = .stream
        let exchange = await transport.send(request)
        await transport.shutdown()
        #expect(exchange.failure?.kind == .reset)
        #expect(server.requests.count == 1)
        try await server.stop()
    }
}
