import Testing

@testable import Ports

@Suite struct NoProxyListTests {
    @Test(arguments: [
        ("example.com", "example.com", true), ("example.com", "www.example.com", true),
        ("example.com", "notexample.com", false), (".example.com", "www.example.com", true),
        (".example.com", "example.com", true), ("example.com.", "example.com", true),
        ("example.com", "example.com.", true), ("Example.COM", "www.example.com", true),
        ("www.example.com", "example.com", false), ("a.example, b.example", "b.example", true),
        ("a.example b.example", "b.example", true), ("*", "any.example", true), ("*", "192.0.2.1", true),
        ("*.example.com", "www.example.com", false), ("*,a.example", "b.example", false),
        ("", "a.example", false), (",, ,", "a.example", false), (".", "a.example", false),
        ("localhost", "localhost", true), ("127.0.0.1", "localhost", false),
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.10", false), ("2.1", "192.0.2.1", false),
        ("192.0.2.0/24", "192.0.2.77", true), ("192.0.2.0/24", "192.0.3.1", false),
        ("192.0.2.128/25", "192.0.2.127", false), ("10.0.0.0/8", "10.255.0.1", true),
        ("192.0.2.1/32", "192.0.2.1", true), ("192.0.2.1/32", "192.0.2.2", false), ("0.0.0.0/0", "192.0.2.1", true),
        ("192.0.2.0/33", "192.0.2.0", false), ("192.0.2.0/x", "192.0.2.0", false),
        ("192.0.2.0/24", "name.example", false),
        ("::1", "::1", true), ("[::1]", "::1", true), ("0:0:0:0:0:0:0:1", "::1", true),
        ("2001:db8::/32", "2001:db8:7::1", true),
        ("2001:db8::/32", "2001:db9::1", false), ("2001:db8::/127", "2001:db8::1", true),
        ("2001:db8::/127", "2001:db8::2", false), ("::/0", "2001:db8::2", true), ("::/0", "192.0.2.1", false),
        ("[2001:db8::]/65", "2001:db8::1", true), ("2001:db8::/129", "2001:db8::", false),
    ])
    func matchesAsCurlDoes(list: String, host: String, isIn: Bool) {
        #expect(NoProxyList(list).contains(host) == isIn)
    }

    @Test(arguments: ["0.0.0.0", "127.0.0.1", "255.254.253.252", "::", "::1", "2001:db8::ff00:42:8329", "ffff::"])
    func addressesHaveAText(text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(NetworkAddress(address.text) == address)
    }
}
