import Ports
import ScriptedServers
import Testing

@testable import Live

/// The end of a transport: nothing of it is left, however it comes.
@Suite struct TransportEndTests {
    /// As where an error ends its owner early.
    @Test func aTransportThatIsReleasedClosesItsConnections() async throws {
        let server = try await ScriptedServer { _ in [.answer(body: "x")] }
        var transport: LiveHTTPTransport? = LiveHTTPTransport()
        let request = HTTPRequest(url: try WebURL(server.url("/")), maximumBodyBytes: 10)
        #expect(await transport?.send(request).status == 200)
        transport = nil
        try await server.waitForClosing()
        try await server.stop()
    }

    /// The client of a route is made for its first request.
    @Test func noClientIsMadeAfterTheEnd() async throws {
        let server = try await ScriptedServer { _ in [.answer()] }
        var plan = ConnectionPlan()
        plan.family = .ipv4
        let transport = LiveHTTPTransport(plan: plan)
        await transport.shutdown()
        let request = HTTPRequest(url: try WebURL(server.url("/")), maximumBodyBytes: 10)
        #expect(await transport.send(request).failure == HTTPFailure(.cancelled, "cancelled"))
        #expect(transport.parts.routed.count == 0)
        await transport.shutdown()
        #expect(server.requests.isEmpty)
        try await server.stop()
    }
}
