import Testing

@testable import Ports

@Suite struct AddressOverridesTests {
    typealias Endpoint = AddressOverrides.Endpoint

    @Test func resolveGivesAddressesOfAHostAndPort() throws {
        var overrides = AddressOverrides()
        try overrides.addResolve("Host.example:443:192.0.2.1,[2001:db8::1],2001:db8::2")
        try overrides.addResolve("*:80:192.0.2.9")
        try overrides.addResolve("[::1]:81:192.0.2.8")
        #expect(
            overrides.addresses(of: Endpoint(host: "host.example", port: 443))?.map(\.text)
                == ["192.0.2.1", "2001:db8:0:0:0:0:0:1", "2001:db8:0:0:0:0:0:2"])
        #expect(overrides.addresses(of: Endpoint(host: "host.example", port: 444)) == nil)
        #expect(overrides.addresses(of: Endpoint(host: "any.example", port: 80))?.count == 1)
        #expect(overrides.addresses(of: Endpoint(host: "::1", port: 81))?.count == 1)
    }

    @Test(arguments: [
        ("h.example:443:edge.example:8443", "edge.example", 8_443), ("h.example::edge.example:", "edge.example", 443),
        ("::edge.example:", "edge.example", 443), (":443::8443", "h.example", 8_443), (":80::8443", "h.example", 443),
        ("other.example:443:edge.example:1", "h.example", 443), ("h.example:443:[2001:db8::1]:1", "2001:db8::1", 1),
    ])
    func connectToLeadsElsewhere(text: String, host: String, port: Int) throws {
        var overrides = AddressOverrides()
        try overrides.addConnection(text)
        #expect(overrides.target(of: Endpoint(host: "h.example", port: 443)) == Endpoint(host: host, port: port))
    }

    @Test func theFirstConnectionThatMatchesCounts() throws {
        var overrides = AddressOverrides()
        try overrides.addConnection("h.example:443:first.example:")
        try overrides.addConnection("::second.example:")
        #expect(overrides.target(of: Endpoint(host: "h.example", port: 443)).host == "first.example")
        #expect(overrides.target(of: Endpoint(host: "i.example", port: 443)).host == "second.example")
        #expect(!overrides.isEmpty && AddressOverrides().isEmpty)
    }

    @Test(arguments: [
        "", "h", "h:443", "h:x:192.0.2.1", "h:0:192.0.2.1", "h:65536:192.0.2.1", ":443:192.0.2.1", "h:443:",
        "h:443:name.example", "h:443:192.0.2.1,", "[x]:443:192.0.2.1", "[::1:443:192.0.2.1", "h:443:fe80::1%eth0",
    ])
    func badResolvesAreErrors(text: String) {
        var overrides = AddressOverrides()
        #expect(throws: AddressOverrides.Problem.self) { try overrides.addResolve(text) }
        #expect(overrides.isEmpty)
    }

    @Test(arguments: ["", "h", "h:1", "h:1:i", "h:x:i:1", "h:1:i:x", "h:1:i:0", "h:1:i i:1", "h:1:[::1:1", "h:1:i/:1"])
    func badConnectionsAreErrors(text: String) {
        var overrides = AddressOverrides()
        #expect(throws: AddressOverrides.Problem.self) { try overrides.addConnection(text) }
        #expect(overrides.isEmpty)
    }

    @Test func theNumberIsLimited() throws {
        var overrides = AddressOverrides()
        for number in 1...AddressOverrides.limit { try overrides.addResolve("h\(number):1:192.0.2.1") }
        #expect(throws: AddressOverrides.Problem.self) { try overrides.addResolve("last:1:192.0.2.1") }
    }
}
