import Foundation
import Ports
import ScriptedServers
import Testing

@testable import Live

/// Names, addresses and interfaces that the user chose.
@Suite struct AddressOverrideTests {
    private func send(
        _ url: String, _ change: (inout HTTPRequest) -> Void = { _ in },
        plan change2: (inout ConnectionPlan) throws -> Void
    ) async throws -> HTTPExchange {
        var plan = ConnectionPlan()
        try change2(&plan)
        let transport = LiveHTTPTransport(plan: plan)
        var request = HTTPRequest(url: try WebURL(url), maximumBodyBytes: 1 << 20)
        change(&request)
        let exchange = await transport.send(request)
        await transport.shutdown()
        return exchange
    }

    @Test func resolveReplacesTheNameServer() async throws {
        let server = try await ScriptedServer { _ in [.answer(body: "fine")] }
        let url = "http://name.invalid:\(server.port)/a?b"
        let exchange = try await send(url) { try $0.overrides.addResolve("name.invalid:\(server.port):127.0.0.1") }
        #expect(exchange.status == 200)
        #expect(exchange.finalURL == url)
        let head = try #require(server.requests.first?.head)
        #expect(head.hasPrefix("GET /a?b HTTP/1.1\r\n") && head.contains("Host: name.invalid:\(server.port)"))
        let other = try await send("http://name.invalid:1/") { try $0.overrides.addResolve("name.invalid:2:127.0.0.1") }
        #expect(other.failure?.kind == .resolve)
    }

    @Test func severalAddressesAreTriedOneAfterTheOther() async throws {
        let server = try await ScriptedServer { _ in [.answer()] }
        // Nothing listens on the port at 127.0.0.2: the connection is refused at once.
        let exchange = try await send("http://name.invalid:\(server.port)/") {
            try $0.overrides.addResolve("name.invalid:\(server.port):127.0.0.2,127.0.0.3,127.0.0.1")
        }
        #expect(exchange.status == 200)
        #expect(server.requests.count == 1)
        let none = try await send("http://name.invalid:\(server.port)/") {
            try $0.overrides.addResolve("name.invalid:\(server.port):127.0.0.2,127.0.0.3")
        }
        #expect(none.failure == HTTPFailure(.connect, "connection refused"))
    }

    @Test func connectToLeadsToAnotherPort() async throws {
        let server = try await ScriptedServer { _ in [.answer()] }
        let exchange = try await send("http://name.invalid/") {
            try $0.overrides.addConnection("name.invalid:80:127.0.0.1:\(server.port)")
        }
        #expect(exchange.status == 200)
        #expect(server.requests.first?.head.contains("Host: name.invalid\r\n") == true)
    }

    /// What the user writes replaces the name server, not the rule: a host that a document names stays public.
    @Test func theAddressRuleHoldsForOverrides() async throws {
        let server = try await ScriptedServer { _ in [.answer()] }
        let resolved = try await send("http://name.invalid:\(server.port)/") {
            $0.addressRule = .publicOnly
        } plan: {
            try $0.overrides.addResolve("name.invalid:\(server.port):127.0.0.1")
        }
        #expect(resolved.failure?.kind == .addressNotAllowed)
        let connected = try await send("http://192.0.1.1/") {
            $0.addressRule = .publicOnly
        } plan: {
            try $0.overrides.addConnection("::127.0.0.1:\(server.port)")
        }
        #expect(connected.failure?.kind == .addressNotAllowed)
        let local = try await send("http://localhost:\(server.port)/") {
            $0.addressRule = .loopbackOnly
        } plan: {
            try $0.overrides.addResolve("localhost:\(server.port):192.0.2.1")
        }
        #expect(local.failure?.kind == .addressNotAllowed)
        let trusted = try await send("http://name.invalid:\(server.port)/") {
            $0.addressRule = .publicOnly
            $0.trustedHost = "name.invalid"
        } plan: {
            try $0.overrides.addResolve("name.invalid:\(server.port):127.0.0.1")
        }
        #expect(trusted.status == 200)
        #expect(server.requests.count == 1)
    }

    @Test func oneVersionOfTheInternetProtocol() async throws {
        let server = try await ScriptedServer { _ in [.answer()] }
        let url = "http://name.invalid:\(server.port)/"
        for family in AddressFamily.allCases {
            let exchange = try await send(url) {
                $0.family = family
                try $0.overrides.addResolve("name.invalid:\(server.port):::1,127.0.0.1")
            }
            if family == .ipv4 {
                #expect(exchange.status == 200)
            } else {
                #expect(exchange.failure?.kind == .connect)
            }
        }
        let exchange = try await send(server.url("/")) { $0.family = .ipv6 }
        #expect(exchange.failure == HTTPFailure(.resolve, "127.0.0.1 has no IPv6 address"))
    }

    @Test func connectionsStartFromTheInterface() async throws {
        let server = try await ScriptedServer { _ in [.answer()] }
        let loopback = try #require(
            NetworkInterfaces.names.first { NetworkInterfaces.source($0)?.addresses.first?.reach == .loopback })
        let exchange = try await send(server.url("/")) { $0.source = NetworkInterfaces.source(loopback) }
        #expect(exchange.status == 200)
        #expect(NetworkInterfaces.source("127.0.0.1")?.addresses == [.v4(0x7F00_0001)])
        #expect(NetworkInterfaces.source("192.0.2.1") == nil && NetworkInterfaces.source("none0") == nil)
        // A peer of the other family cannot be reached from it.
        let other = try await send("http://[::1]:\(server.port)/") {
            $0.source = SourceAddress(name: "lo4", addresses: [.v4(0x7F00_0001)])
        }
        #expect(other.failure == HTTPFailure(.connect, "--interface lo4 has no IPv6 address to reach ::1 from"))
    }
}
