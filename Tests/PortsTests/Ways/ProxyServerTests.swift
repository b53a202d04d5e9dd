import Testing

@testable import Ports

@Suite struct ProxyServerTests {
    @Test(arguments: [
        ("proxy.example", "http://proxy.example:1080"), ("proxy.example:3128", "http://proxy.example:3128"),
        ("http://Proxy.Example:3128/", "http://proxy.example:3128"), ("HTTP://p:80", "http://p:80"),
        ("https://p", "https://p:443"), ("https://p:8443", "https://p:8443"), ("socks5://p", "socks5://p:1080"),
        ("socks5h://127.0.0.1:9050", "socks5h://127.0.0.1:9050"), ("http://[::1]:3128", "http://[::1]:3128"),
        ("[::1]", "http://[::1]:1080"), ("http://p:/", "http://p:1080"),
    ])
    func readsAsCurlDoes(text: String, wanted: String) throws {
        #expect(try ProxyServer(text).text == wanted)
    }

    @Test(arguments: [
        ("http://u:p@h:1", "u", "p"), ("u@h:1", "u", ""), ("http://u%40x:p%3Aq%2F@h", "u@x", "p:q/"),
        ("socks5://u:p:q@h", "u", "p:q"), ("http://:p@h", "", "p"), ("http://u%zz:p@h", "u%zz", "p"),
    ])
    func readsUserAndPassword(text: String, user: String, password: String) throws {
        #expect(try ProxyServer(text).login == ProxyServer.Login(user: user, password: password))
    }

    @Test(arguments: [
        ("", "has no host; write http://HOST:PORT or socks5h://HOST:PORT"),
        ("ftp://h", "has the scheme 'ftp'; use http, https, socks5 or socks5h"),
        ("socks4://h", "has the scheme 'socks4', which is not supported; use socks5 or socks5h"),
        ("socks4a://h", "has the scheme 'socks4a', which is not supported; use socks5 or socks5h"),
        ("http://h:0", "has a port that is not 1 to 65535; write http://HOST:PORT or socks5h://HOST:PORT"),
        ("http://h:x", "has a port that is not 1 to 65535; write http://HOST:PORT or socks5h://HOST:PORT"),
        (
            "http://h h",
            "has a space, control or non-ASCII character at byte 8; write http://HOST:PORT or socks5h://HOST:PORT"
        ),
        (
            "http://u:%0D%0Ax@h",
            "has a user or password with control characters or of more than 255 bytes; shorten it"
        ),
    ])
    func badOnesHaveAReason(text: String, reason: String) {
        #expect(throws: ProxyServer.Problem(explanation: reason)) { try ProxyServer(text) }
    }

    @Test(arguments: [
        ("http://u:p\u{D4E}@h:1", "http://***@h:1"), ("u:p@\u{301}h", "***@\u{301}h"),
        ("http://user:word@h:1", "http://***@h:1"), ("user:word@h", "***@h"), ("http://h:1", "http://h:1"),
        ("ftp://a:b/c@h", "ftp://***@h"), ("@://", "***"), ("", ""),
    ])
    func passwordsAreMasked(text: String, wanted: String) {
        #expect(ProxyServer.masked(text) == wanted)
    }
}
