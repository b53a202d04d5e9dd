import Testing

@testable import Ports

@Suite struct NetworkAddressTests {
    @Test(arguments: [
        ("127.0.0.1", NetworkAddress.Reach.loopback), ("127.255.255.254", .loopback), ("::1", .loopback),
        ("::ffff:127.0.0.1", .loopback),
        ("10.0.0.1", .local), ("172.16.0.1", .local), ("172.31.255.255", .local), ("192.168.1.1", .local),
        ("169.254.169.254", .local),
        ("100.64.0.1", .local), ("0.0.0.0", .local), ("224.0.0.1", .local), ("255.255.255.255", .local),
        ("198.18.0.1", .local),
        ("192.0.2.1", .local), ("198.51.100.1", .local), ("203.0.113.9", .local), ("::", .local), ("fe80::1", .local),
        ("fe80::1%eth0", .local), ("fc00::1", .local), ("fd12:3456::1", .local), ("ff02::1", .local),
        ("2001:db8::1", .local),
        ("::ffff:10.1.2.3", .local), ("64:ff9b::10.0.0.1", .local), ("64:ff9b::127.0.0.1", .local),
        ("2001::1", .local),
        ("2002:7f00:1::1", .local), ("2002:a01:203::1", .local), ("2002:808:808::1", .global), ("3fff::1", .local),
        ("3fff:fff:ffff::1", .local), ("3fff:1000::1", .global),
        ("8.8.8.8", .global), ("172.32.0.1", .global), ("100.128.0.1", .global), ("192.0.1.1", .global),
        ("2606:4700::1111", .global),
        ("2001:4860:4860::8888", .global), ("::ffff:8.8.8.8", .global), ("64:ff9b::8.8.8.8", .global),
    ])
    func classifiesByTheRegistries(text: String, reach: NetworkAddress.Reach) {
        #expect(NetworkAddress(text)?.reach == reach)
    }

    @Test(arguments: [
        "", "localhost", "example.com", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "0x7f.0.0.1", "2130706433",
        "1.2.3.-4", "+1.2.3.4",
        ":::", "1::2::3", "12345::", "g::1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8", "::1.2.3",
        "+1::",
    ])
    func whatIsNotAnAddressIsNil(text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test func hostsOfURLs() throws {
        #expect(try WebURL("http://localhost:80/").literalReach == .loopback)
        #expect(try WebURL("http://a.localhost/").literalReach == .loopback)
        #expect(try WebURL("http://[::1]/").literalReach == .loopback)
        #expect(try WebURL("http://10.2.3.4/").literalReach == .local)
        #expect(try WebURL("http://example.com/").literalReach == nil)
    }

    @Test(arguments: [
        ("2130706433", NetworkAddress.Reach.loopback), ("0x7f.1", .loopback), ("0177.0.0.1", .loopback),
        ("10.1", .local), ("0x7f.0xa", .loopback), ("0X7F.0XA", .loopback), ("0x7f000001", .loopback),
        ("0300.0250.1.1", .local), ("0xa9.0xfe.0xa9fe", .local), ("012.0x1", .local), ("172.1048577", .local),
        ("134744072", .global), ("127.0.0.1", .loopback), ("localhost", .loopback),
        ("localhost.", .loopback), ("A.LocalHost.", .loopback), ("%6Cocal%48ost", .loopback),
        ("127.0.0.1%2E", .loopback), ("10.0.0.1.", .local),
    ])
    func addressesInOtherNotationsAreRecognised(host: String, reach: NetworkAddress.Reach) throws {
        #expect(try WebURL("https://\(host)/").writtenReach == reach)
    }

    @Test(arguments: [
        "example.com", "4294967296", "256.1.1.1.1", "1.2.3.256", "256.1", "09", "a.1x", "abc", "1..2", "localhost..",
        "%zz",
    ])
    func namesHaveNoReach(host: String) throws {
        #expect(try WebURL("https://\(host)/").writtenReach == nil)
    }

    @Test func noRequestIsAllowedByAnotherNotation() throws {
        #expect(try WebURL("https://2130706433/").literalReach == nil)
    }
}
