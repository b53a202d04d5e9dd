import Foundation
import ScriptedServers
import TestSupport
import Testing

/// Which proxy a URL gets in the real program, and what each kind of proxy is asked (docs/connect.md).
@Suite(.serialized) struct ProxyWayTests {
    private static func server(host: String = "127.0.0.1") async throws -> ScriptedServer {
        try await ScriptedServer(host: host) { _ in [.answer(body: SecretVerbTests.playlist)] }
    }

    private static func parse(
        _ url: String, _ arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> AdtopProcess {
        try await AdtopChild(["hls", "parse", url] + arguments, environment: environment).end()
    }

    /// A row of the variables: `@` is the proxy's URL, and the host of the stream is `stream.lab.invalid`.
    struct Row: Sendable, CustomTestStringConvertible {
        var variables: [String: String]
        var arguments: [String] = []
        /// Whether the proxy gets the request. Without a proxy the name has no address.
        var isProxied: Bool
        var testDescription: String { "\(variables.sorted { $0.key < $1.key }) \(arguments)" }
    }

    @Test(arguments: [
        Row(variables: ["all_proxy": "@"], isProxied: true), Row(variables: ["ALL_PROXY": "@"], isProxied: true),
        Row(variables: ["ALL_PROXY": "@", "http_proxy": ""], isProxied: true),
        Row(variables: ["all_proxy": "", "ALL_PROXY": "@"], isProxied: true),
        Row(variables: ["HTTPS_PROXY": "@"], isProxied: false), Row(variables: ["HTTP_PROXY": "@"], isProxied: false),
        Row(variables: ["ALL_PROXY": "@", "NO_PROXY": "lab.invalid"], isProxied: false),
        Row(variables: ["ALL_PROXY": "@", "NO_PROXY": "other.invalid, .lab.invalid"], isProxied: false),
        Row(variables: ["ALL_PROXY": "@", "NO_PROXY": "*"], isProxied: false),
        Row(variables: ["ALL_PROXY": "@", "NO_PROXY": "ab.invalid"], isProxied: true),
        Row(variables: ["ALL_PROXY": "@", "no_proxy": "other.invalid", "NO_PROXY": "*"], isProxied: true),
        Row(variables: ["NO_PROXY": "lab.invalid"], arguments: ["--proxy", "@"], isProxied: false),
        Row(variables: ["NO_PROXY": "lab.invalid"], arguments: ["--proxy", "@", "--no-proxy", ""], isProxied: true),
        Row(variables: [:], arguments: ["--proxy", "@", "--no-proxy", "stream.lab.invalid"], isProxied: false),
        Row(variables: ["ALL_PROXY": "@"], arguments: ["--proxy", ""], isProxied: false),
    ])
    func theVariablesAreReadAsCurlReadsThem(_ row: Row) async throws {
        let server = try await Self.server()
        let proxy = try await ScriptedProxy()
        let place = "http://127.0.0.1:\(proxy.port)"
        let url = "http://stream.lab.invalid:\(server.port)/live.m3u8"
        let run = try await Self.parse(
            url, row.arguments.map { $0 == "@" ? place : $0 },
            environment: row.variables.mapValues { $0 == "@" ? place : $0 })
        #expect(proxy.requests == (row.isProxied ? ["GET \(url)"] : []))
        #expect(run.status == (row.isProxied ? 0 : 3), "\(run.errors)")
        try await proxy.stop()
        try await server.stop()
    }

    /// Networks of NO_PROXY are for typed addresses.
    @Test(arguments: [("127.0.0.0/8", false), ("127.0.0.1", false), ("10.0.0.0/8", true), ("localhost", true)])
    func aNetworkExemptsAddresses(list: String, isProxied: Bool) async throws {
        let server = try await Self.server()
        let proxy = try await ScriptedProxy()
        let run = try await Self.parse(
            server.url("/live.m3u8"),
            environment: ["ALL_PROXY": "http://127.0.0.1:\(proxy.port)", "NO_PROXY": list])
        #expect(run.status == 0 && proxy.requests.isEmpty == !isProxied, "\(run.errors)")
        try await proxy.stop()
        try await server.stop()
    }

    @Test(
        .enabled(if: CertificateFolder.openssl != nil, "there is no openssl program"),
        arguments: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
    func anHTTPSStreamHasItsOwnVariable(variable: String) async throws {
        let folder = try CertificateFolder()
        let server = try TLSServer(folder)
        let proxy = try await ScriptedProxy()
        // The page of the server is not a playlist: exit code 1.
        let run = try await Self.parse(
            "https://localhost:\(server.port)/", ["--cacert", folder.file("ca.pem")],
            environment: [variable: "http://127.0.0.1:\(proxy.port)", "http_proxy": "http://127.0.0.1:1"])
        #expect(run.status == 1 && proxy.requests == ["CONNECT localhost:\(server.port)"], "\(run.errors)")
        try await proxy.stop()
    }

    /// `socks5` resolves names here, `socks5h` at the proxy.
    @Test func aSOCKSProxyGetsAnAddressOrAName() async throws {
        let server = try await Self.server()
        let proxy = try await ScriptedProxy(.socks)
        let place = "127.0.0.1:\(proxy.port)"
        let port = server.port
        let here = try await Self.parse("http://localhost:\(port)/a", ["--proxy", "socks5://\(place)", "-4"])
        let there = try await Self.parse("http://name.invalid:\(port)/a", ["--proxy", "socks5h://\(place)"])
        #expect(here.status == 0 && there.status == 0, "\(here.errors) \(there.errors)")
        #expect(proxy.requests == ["SOCKS 127.0.0.1:\(port)", "SOCKS name.invalid:\(port)"])
        let unknown = try await Self.parse("http://name.invalid:\(port)/a", ["--proxy", "socks5://\(place)"])
        #expect(unknown.status == 3 && unknown.errors.contains("name.invalid"), "\(unknown.errors)")
        #expect(proxy.requests.count == 2)
        // A name that is overridden has an address here.
        let overridden = try await Self.parse(
            "http://name.invalid:\(port)/a",
            ["--proxy", "socks5://\(place)", "--resolve", "name.invalid:\(port):127.0.0.1"])
        #expect(overridden.status == 0 && proxy.requests.last == "SOCKS 127.0.0.1:\(port)", "\(overridden.errors)")
        try await proxy.stop()
        try await server.stop()
    }

    /// An `https` proxy used rightly: `http` URLs are forwarded inside TLS, `https` URLs get a tunnel in it.
    @Test(.enabled(if: CertificateFolder.openssl != nil, "there is no openssl program"))
    func anHTTPSProxyIsPassed() async throws {
        let folder = try CertificateFolder()
        let tls = try ScriptedProxy.context(certificate: folder.file("server.pem"), key: folder.file("server.key"))
        let proxy = try await ScriptedProxy(login: "me:s3cret", tls: tls)
        let (server, secure) = (try await Self.server(), try TLSServer(folder))
        let trust = ["--cacert", folder.file("ca.pem")]
        let way = ["--proxy", "https://me:s3cret@localhost:\(proxy.port)"]
        let forwarded = try await Self.parse("http://name.invalid:\(server.port)/a", way + trust)
        #expect(forwarded.status == 0, "\(forwarded.errors)")
        let tunnel = try await Self.parse("https://localhost:\(secure.port)/", way + trust)
        #expect(tunnel.status == 1, "\(tunnel.errors)")
        #expect(
            proxy.requests == ["GET http://name.invalid:\(server.port)/a", "CONNECT localhost:\(secure.port)"])
        // Its certificate is verified, also where that of the server is not.
        let untrusted = try await Self.parse("http://name.invalid:\(server.port)/a", way + ["--insecure"])
        #expect(untrusted.status == 3 && untrusted.errors.contains("proxy https://localhost"), "\(untrusted.errors)")
        #expect(proxy.requests.count == 2 && !untrusted.errors.contains("s3cret"))
        try await proxy.stop()
        try await server.stop()
    }

    private static let hasIPv6 =
        (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8))
        .map { $0.contains("00000000000000000000000000000001") } ?? false

    /// One version of the Internet protocol, on a server that only the other one reaches.
    @Test(.enabled(if: hasIPv6, "there is no IPv6 here"))
    func oneVersionOfTheInternetProtocol() async throws {
        let server = try await Self.server(host: "::1")
        let six = "http://[::1]:\(server.port)/a"
        #expect(try await Self.parse(six).status == 0)
        #expect(try await Self.parse(six, ["-6"]).status == 0)
        let four = try await Self.parse(six, ["-4"])
        #expect(four.status == 3 && four.errors.contains("has no IPv4 address"), "\(four.errors)")
        let named = ["--resolve", "name.invalid:\(server.port):127.0.0.1,::1"]
        let url = "http://name.invalid:\(server.port)/a"
        #expect(try await Self.parse(url, named + ["-6"]).status == 0)
        #expect(try await Self.parse(url, named + ["-4"]).status == 3)
        #expect(server.requests.count == 3)
        try await server.stop()
    }
}
