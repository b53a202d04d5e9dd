import Live
import Ports
import ScriptedServers
import Testing

/// Without a network interface an ad call fails and no request is sent (FMT-4).
@Suite struct NetworkInterfacesTests {
    private func failure(
        _ url: String, needsInterface: Bool = true, isUp: @escaping @Sendable (Bool) -> Bool
    ) async throws -> HTTPFailure? {
        let transport = LiveHTTPTransport(interfaces: NetworkInterfaces(isUp: isUp))
        var request = HTTPRequest(url: try WebURL(url), maximumBodyBytes: 1_000)
        request.needsInterface = needsInterface
        let exchange = await transport.send(request)
        await transport.shutdown()
        return exchange.failure
    }

    private static let down = HTTPFailure(.connect, "no network interface is up")

    @Test func nothingIsSentWithoutOne() async throws {
        let server = try await ScriptedServer { _ in [.answer("204 No Content")] }
        let url = "http://127.0.0.1:\(server.port)/zone"
        #expect(try await failure(url) { _ in false } == Self.down)
        #expect(server.requests.isEmpty)
        // Another interface does not carry requests to this computer, but the loopback interface does.
        #expect(try await failure(url) { !$0 } == Self.down)
        #expect(try await failure(url) { $0 } == nil)
        // Other requests report their own failure.
        #expect(try await failure(url, needsInterface: false) { _ in false } == nil)
        #expect(server.requests.count == 2)
        try await server.stop()
    }

    @Test(arguments: ["http://192.0.2.1/", "http://ads.example.invalid/"])
    func theLoopbackInterfaceCarriesNothingElse(url: String) async throws {
        #expect(try await failure(url) { _ in false } == Self.down)
        if url.contains("192") { #expect(try await failure(url) { $0 } == Self.down) }
    }

    @Test func thisComputerHasALoopbackInterface() {
        #expect(NetworkInterfaces.system.isUp(true))
    }
}
