import DemoOrigin
import Foundation
import ScriptedServers
import TestSupport
import Testing

/// Proxies that others wrote.
@Suite struct ProxyPeerTests {
    private static func session(_ origin: WatchedOrigin, _ arguments: [String], state: String) async throws
        -> AdtopProcess
    {
        try await AdtopProcess.run(
            [origin.url, "--no-init-request", "--poll", "500ms", "--dump", "--format", "json"] + arguments, state: state
        )
    }

    /// A whole session inside TLS that mitmproxy opens and signs again: playlists, metadata and beacons, each beacon once.
    @Test(
        .enabled(
            if: Peer.Program.areThere(.mitmdump, .nginx) && CertificateFolder.openssl != nil,
            "mitmproxy or nginx is not installed (scripts/setup peers)"))
    func aSessionInsideTLSPassesMitmproxy() async throws {
        let origin = try await WatchedOrigin()
        let folder = try CertificateFolder()
        // All URLs of the documents lead back to nginx, those of beacons too.
        let server = try await Peer.nginx(
            before: origin.port,
            rules: [
                "ssl_certificate \(folder.file("server.pem")); ssl_certificate_key \(folder.file("server.key")); "
                    + "sub_filter 'http://127.0.0.1:\(origin.port)' 'https://localhost:$server_port'; "
                    + "sub_filter_types *; sub_filter_once off;"
            ])
        let proxy = try await Peer.mitmproxy(trusting: folder.file("ca.pem"))
        let place = "https://localhost:\(server.ports[0])"
        let path = try #require(URL(string: origin.streamURL)).path
        let state = try TemporaryFolder()
        for (number, way) in ["http://127.0.0.1:\(proxy.ports[0])", "socks5h://127.0.0.1:\(proxy.ports[1])"]
            .enumerated()
        {
            let session = "fedcba987654321\(number)"
            let run = try await AdtopProcess.run(
                [
                    "\(place)\(path)?sessid=\(session)", "--no-init-request", "--poll", "500ms", "--dump", "--format",
                    "json", "--unredacted", "--proxy", way, "--cacert", proxy.mitmproxyIssuer, "--fire", "--until",
                    "4-beacons",
                ], state: state.path)
            #expect(run.status == 0, "\(way): \(run.errors)")
            #expect(run.output.contains("\(place)/beacon/"))
            #expect(!run.output.contains("http://127.0.0.1:\(origin.port)/"))
            #expect(origin.receipts.count { $0.session == session } >= 4)
        }
        #expect(origin.duplicates.isEmpty)
        await origin.stop()
    }

    /// HTTP and SOCKS, with plain sessions and with TLS that mitmproxy opens and signs again.
    @Test(
        .enabled(
            if: Peer.Program.areThere(.mitmdump, .nginx) && CertificateFolder.openssl != nil,
            "mitmproxy or nginx is not installed (scripts/setup peers)"))
    func mitmproxyIsPassed() async throws {
        let origin = try await WatchedOrigin()
        let folder = try CertificateFolder()
        let server = try await Peer.nginx(
            before: origin.port,
            rules: ["ssl_certificate \(folder.file("server.pem")); ssl_certificate_key \(folder.file("server.key"));"])
        let proxy = try await Peer.mitmproxy(trusting: folder.file("ca.pem"))
        let path = try #require(URL(string: origin.url))
        let secure = "https://localhost:\(server.ports[0])\(path.path)?\(path.query ?? "")"
        // One journal: both ways are the same viewer's, which remembers what it sent on the first.
        let state = try TemporaryFolder()
        let ways = ["http://127.0.0.1:\(proxy.ports[0])", "socks5h://127.0.0.1:\(proxy.ports[1])"]
        for (way, sent) in zip(ways, [2, 4]) {
            let plain = try await Self.session(
                origin, ["--proxy", way, "--fire", "--until", "\(sent)-beacons"], state: state.path)
            #expect(plain.status == 0, "\(way): \(plain.errors)")
            let right = try await AdtopProcess.run(
                ["hls", "parse", secure, "--proxy", way, "--cacert", proxy.mitmproxyIssuer])
            #expect(
                right.status == 0 && right.output.contains("multivariant"), "\(way): \(right.errors)\(right.output)")
            let wrong = try await AdtopProcess.run(["hls", "parse", secure, "--proxy", way])
            #expect(
                wrong.status == 3 && wrong.errors.contains("issuer 'mitmproxy' is not trusted"),
                "\(way): \(wrong.errors)")
            // Screens have no journal: on this machine they would send again what the session sent.
            let screen = [secure, "--proxy", way, "--observe"]
            try await PeerScreen.expect("LIVE", of: screen + ["--cacert", proxy.mitmproxyIssuer])
            try await PeerScreen.expect("issuer 'mitmproxy' is not trusted", of: screen)
        }
        #expect(origin.receipts.count >= 4 && origin.duplicates.isEmpty)
        await origin.stop()
    }

    @Test(.enabled(if: Peer.Program.areThere(.tinyproxy), "tinyproxy is not installed (scripts/setup peers)"))
    func tinyproxyWantsALogin() async throws {
        let origin = try await WatchedOrigin()
        let state = try TemporaryFolder()
        let peer = try await Peer.tinyproxy(login: "me:s3cret")
        let place = "127.0.0.1:\(peer.ports[0])"
        let right = try await Self.session(
            origin, ["--proxy", "http://me:s3cret@\(place)", "--fire", "--until", "2-beacons"], state: state.path)
        #expect(right.status == 0, "\(right.errors)")
        #expect(origin.receipts.count >= 2 && origin.duplicates.isEmpty)
        for (login, clause) in [
            ("", "proxy http://\(place) wants a user and a password (407)"),
            ("me:0ther@", "proxy http://\(place) rejected the user and password"),
        ] {
            for url in [origin.url, origin.url.replacing("http:", with: "https:")] {
                let wrong = try await AdtopProcess.run(["hls", "parse", url, "--proxy", "http://\(login)\(place)"])
                // It answers a wrong login with 401 like a server; only in a tunnel it is known who answers.
                let wanted =
                    login.isEmpty || url.hasPrefix("https:")
                    ? clause : "the server, or the proxy http://\(place), answered 401"
                #expect(wrong.status == 3 && wrong.errors.contains(wanted), "\(login)\(url): \(wrong.errors)")
                #expect(!wrong.errors.contains("0ther"))
            }
        }
        let doubt = try await Self.session(
            origin, ["--proxy", "http://me:0ther@\(place)", "--for", "2s"], state: state.path)
        #expect(doubt.status == 3 && doubt.errors.contains("The proxy may have answered instead"), "\(doubt.errors)")
        #expect(!doubt.errors.contains("0ther") && !doubt.output.contains("0ther"))
        try await PeerScreen.expect("LIVE", of: [origin.url, "--proxy", "http://me:s3cret@\(place)"])
        try await PeerScreen.expect("wants a user and a password", of: [origin.url, "--proxy", "http://\(place)"])
        await origin.stop()
    }

    @Test(.enabled(if: Peer.Program.areThere(.squid), "squid is not installed (scripts/setup peers)"))
    func digestIsNamed() async throws {
        let origin = try await WatchedOrigin()
        let peer = try await Peer.squidWithDigest()
        let place = "127.0.0.1:\(peer.ports[0])"
        for login in ["", "me:s3cret@"] {
            let wrong = try await AdtopProcess.run(["hls", "parse", origin.url, "--proxy", "http://\(login)\(place)"])
            #expect(wrong.status == 3, "\(wrong.errors)")
            #expect(
                wrong.errors.contains("proxy http://\(place) ") && wrong.errors.contains("Digest"), "\(wrong.errors)")
            #expect(wrong.errors.split(separator: "\n").count == 1 && !wrong.errors.contains("s3cret"))
            try await PeerScreen.expect("Digest", of: [origin.url, "--proxy", "http://\(login)\(place)"])
        }
        await origin.stop()
    }
}
