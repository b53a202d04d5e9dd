import Foundation
import ScriptedServers
import TestSupport
import Testing

/// The real program on the ways of docs/connect.md: each once right and once wrong.
@Suite struct ConnectionTests {
    private static let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n"

    private static func server() async throws -> ScriptedServer {
        try await ScriptedServer { _ in
            [.answer("200 OK", ["Content-Type: application/vnd.apple.mpegurl"], body: playlist)]
        }
    }

    private static func parse(
        _ url: String, _ arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> AdtopProcess {
        try await AdtopChild(["hls", "parse", url] + arguments, environment: environment).end()
    }

    @Test(arguments: ["http", "socks5h"]) func aProxyServesTheTools(_ scheme: String) async throws {
        let server = try await Self.server()
        let proxy = try await ScriptedProxy(scheme == "http" ? .http : .socks, login: "me:s3cret")
        let url = "http://stream.invalid:\(server.port)/live.m3u8"
        let right = try await Self.parse(url, ["--proxy", "\(scheme)://me:s3cret@127.0.0.1:\(proxy.port)"])
        #expect(right.status == 0 && right.output.hasPrefix("media playlist, finished, 1 segment"))
        let wrong = try await Self.parse(url, ["--proxy", "\(scheme)://me:0ther@127.0.0.1:\(proxy.port)"])
        #expect(wrong.status == 3)
        #expect(
            wrong.errors.hasPrefix(
                "adtop: \(url): proxy \(scheme)://127.0.0.1:\(proxy.port) rejected the user and password"))
        #expect(!wrong.errors.contains("0ther"))
        #expect(wrong.errors.split(separator: "\n").count == 1)
    }

    @Test func theEnvironmentNamesAProxy() async throws {
        let server = try await Self.server()
        let proxy = try await ScriptedProxy()
        let url = "http://stream.invalid:\(server.port)/live.m3u8"
        let place = "http://127.0.0.1:\(proxy.port)"
        #expect(try await Self.parse(url, environment: ["http_proxy": place]).status == 0)
        #expect(proxy.requests == ["GET \(url)"])
        // Upper case is ignored, and an empty flag switches proxies off.
        #expect(try await Self.parse(url, environment: ["HTTP_PROXY": place]).status == 3)
        #expect(try await Self.parse(url, ["--proxy", ""], environment: ["http_proxy": place]).status == 3)
        #expect(proxy.requests.count == 1)
    }

    /// curl's variables: each scheme has its own, `all_proxy` serves what has none, and lower case comes first.
    @Test(arguments: [
        (["all_proxy": "right"], true), (["ALL_PROXY": "right"], true), (["HTTPS_PROXY": "right"], false),
        (["all_proxy": "right", "ALL_PROXY": "wrong"], true), (["http_proxy": "right", "all_proxy": "wrong"], true),
        (["all_proxy": "right", "no_proxy": "localhost"], false), (["ALL_PROXY": "right", "NO_PROXY": "*"], false),
        (["all_proxy": "right", "no_proxy": "calhost"], true),
        (["all_proxy": "right", "no_proxy": "127.0.0.0/8"], true),
    ]) func variablesOfTheEnvironmentAreThoseOfCurl(_ variables: [String: String], isProxied: Bool) async throws {
        let server = try await Self.server()
        let proxy = try await ScriptedProxy(.socks)
        let environment = variables.mapValues { value in
            switch value {
            case "right": "socks5h://127.0.0.1:\(proxy.port)"
            case "wrong": "socks5h://127.0.0.1:1"
            default: value
            }
        }
        let run = try await Self.parse("http://localhost:\(server.port)/live.m3u8", environment: environment)
        #expect(run.status == 0, "\(run.errors)")
        #expect(proxy.requests == (isProxied ? ["SOCKS localhost:\(server.port)"] : []))
        try await proxy.stop()
    }

    /// `socks5` resolves names on this machine, `socks5h` leaves that to the proxy. A list replaces that of the environment.
    @Test func namesAreResolvedWhereTheSchemeSays() async throws {
        let server = try await Self.server()
        let proxy = try await ScriptedProxy(.socks)
        let url = "http://localhost:\(server.port)/live.m3u8"
        for (scheme, host) in [("socks5", "127.0.0.1"), ("socks5h", "localhost")] {
            let way = ["--proxy", "\(scheme)://127.0.0.1:\(proxy.port)", "-4"]
            #expect(try await Self.parse(url, way).status == 0)
            #expect(proxy.requests.last == "SOCKS \(host):\(server.port)")
            #expect(try await Self.parse(url, way + ["--no-proxy", "localhost"]).status == 0)
            let environment = ["no_proxy": "localhost"]
            #expect(
                try await Self.parse(url, way + ["--no-proxy", "other.test"], environment: environment).status == 0)
        }
        #expect(proxy.requests.count == 4)
    }

    @Test(.enabled(if: ScriptedServer.hasIPv6, "this machine has no address ::1"))
    func oneVersionOfTheInternetProtocolIsUsed() async throws {
        let server = try await ScriptedServer(host: "::1") { _ in [.answer(body: Self.playlist)] }
        let url = "http://[::1]:\(server.port)/live.m3u8"
        #expect(try await Self.parse(url, ["-6"]).status == 0)
        let four = try await Self.parse(url, ["-4"])
        #expect(four.status == 3 && four.errors.contains("::1 has no IPv4 address"), "\(four.errors)")
    }

    @Test func aPlayerIsNamedInEachRequest() async throws {
        let server = try await Self.server()
        for (name, part) in [("roku", "Roku/"), ("ios", "AppleCoreMedia/"), ("curl/8", "curl/8")] {
            #expect(try await Self.parse(server.url("/live.m3u8"), ["--user-agent", name]).status == 0)
            let field = server.requests.last.flatMap { GuardedOrigin.field("User-Agent", of: $0) }
            #expect(field?.contains(part) == true, "\(field ?? "none")")
        }
    }

    @Test func namesAreOverridden() async throws {
        let server = try await Self.server()
        let url = "http://stream.invalid:\(server.port)/live.m3u8"
        #expect(try await Self.parse(url).status == 3)
        #expect(try await Self.parse(url, ["--resolve", "stream.invalid:\(server.port):127.0.0.1"]).status == 0)
        #expect(
            try await Self.parse("http://stream.invalid/", ["--connect-to", "::127.0.0.1:\(server.port)", "-4"]).status
                == 0)
        let six = try await Self.parse(server.url("/"), ["-6"])
        #expect(six.status == 3 && six.errors.contains("127.0.0.1 has no IPv6 address"))
    }

    @Test(arguments: [
        (
            ["--proxy", "ftp://u:w0rd@h"],
            "--proxy: 'ftp://***@h' has the scheme 'ftp'; use http, https, socks5 or socks5h"
        ),
        (["--resolve", "x"], "--resolve: 'x' is not HOST:PORT:ADDRESS; write host.example:443:192.0.2.1"),
        (
            ["--connect-to", "x"],
            "--connect-to: 'x' is not HOST1:PORT1:HOST2:PORT2; write host.example:443:edge.example:8443"
        ),
    ])
    func badValuesEndBeforeAnyRequest(_ arguments: [String], _ message: String) async throws {
        let server = try await Self.server()
        for verb in [["hls", "parse", server.url("/")], [server.url("/"), "--dump", "--for", "1s"], ["config"]] {
            let result = try await AdtopChild(verb + arguments).end()
            #expect(result.status == 2 && result.errors == "adtop: \(message)\n", "\(verb)")
        }
        #expect(server.requests.isEmpty)
    }

    /// A whole session through a proxy: playlists, metadata and beacons, each beacon once.
    @Test func aSessionGoesThroughTheProxy() async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        let proxy = try await ScriptedProxy()
        let session = try await origin.dump(
            ["--proxy", "http://127.0.0.1:\(proxy.port)", "--fire", "--until", "2-beacons"], state: folder.path)
        #expect(session.mode == "fire")
        #expect(origin.receipts.count >= 2)
        #expect(origin.duplicates.isEmpty)
        #expect(proxy.requests.contains { $0.contains("/beacon/") } && proxy.requests.contains { $0.contains(".m3u8") })
        await origin.stop()
    }

    @Test func configShowsTheSources() async throws {
        let result = try await AdtopChild(
            ["config", "--proxy", "http://u:w0rd@h.example:1"], environment: ["no_proxy": "a.example"]
        ).end()
        #expect(result.status == 0)
        #expect(result.output.contains("http://***@h.example:1  --proxy"))
        #expect(result.output.contains("no_proxy") && !result.output.contains("w0rd"))
    }

    @Test(.enabled(if: CertificateFolder.openssl != nil, "there is no openssl program"))
    func certificatesAreChosen() async throws {
        let folder = try CertificateFolder()
        let server = try TLSServer(folder)
        // The page of the server is not a playlist: exit code 1. A connection that fails gives 3.
        let url = "https://localhost:\(server.port)/"
        let strict = try await Self.parse(url)
        #expect(
            strict.status == 3
                && strict.errors.contains("certificate issuer 'Issuer' is not trusted: server, issued by Issuer"))
        #expect(strict.errors.hasSuffix("Give --cacert FILE or --insecure.\n"), "\(strict.errors)")
        for arguments in [["--cacert", folder.file("ca.pem")], ["--insecure"]] {
            #expect(try await Self.parse(url, arguments).status == 1, "\(arguments)")
        }
        #expect(try await Self.parse(url, environment: ["SSL_CERT_FILE": folder.file("ca.pem")]).status == 1)
        let asking = try TLSServer(folder, ["-Verify", "1", "-CAfile", folder.file("ca.pem"), "-verify_return_error"])
        let place = "https://localhost:\(asking.port)/"
        let trust = ["--cacert", folder.file("ca.pem")]
        let shown = [
            "--cert", folder.file("client.pem"), "--key", folder.file("locked.key"), "--key-passphrase-env", "WORD",
        ]
        let variables = ["WORD": "open sesame"]
        #expect(try await Self.parse(place, trust + shown, environment: variables).status == 1)
        #expect(try await Self.parse(place, trust).status == 3)
        let unset = try await Self.parse(place, trust + shown)
        #expect(unset.status == 2)
        #expect(unset.errors == "adtop: --key-passphrase-env: the variable 'WORD' is not set; export it\n")
    }

    @Test(arguments: [
        (["--cacert", "/no/such.pem"], "--cacert: /no/such.pem: no such file; check the name"),
        (["--key", "/no/such.pem"], "--key: there is no certificate for it; add --cert FILE"),
        (["--timeout", "1ms"], "--timeout: '1ms' is not between 100ms and 1h"),
        (["--max-rate", "0"], "--max-rate: '0' is not a rate such as 5/s, between 0.01/s and 100000/s"),
    ])
    func badCertificatesAndLimitsEndBeforeAnyRequest(_ arguments: [String], _ message: String) async throws {
        let server = try await Self.server()
        for verb in [["hls", "parse", server.url("/")], [server.url("/"), "--dump", "--for", "1s"], ["config"]] {
            let result = try await AdtopChild(verb + arguments).end()
            #expect(result.status == 2 && result.errors == "adtop: \(message)\n", "\(verb)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test func insecureNeverFiresOnAPublicHost() async throws {
        let wanted = "adtop: --insecure: with --fire the beacons of stream.example could go to any server; "
        let result = try await AdtopProcess.run([
            "https://stream.example/live.m3u8", "--insecure", "--fire", "--dump", "--for", "1s", "--no-journal",
        ])
        #expect(result.status == 2)
        #expect(result.errors == wanted + "remove one of them, or add --fire-anyway\n")
    }

    @Test func limitsHold() async throws {
        let silent = try await ScriptedServer { _ in [] }
        let result = try await Self.parse(silent.url("/"), ["--timeout", "200ms"])
        #expect(result.status == 3 && result.errors.contains("no answer within 200 ms"))
    }
}
