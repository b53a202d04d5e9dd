import Foundation
import Ports
import ScriptedServers
import TestSupport
import Testing

/// Streams behind nginx with the rules of real operators: each once with what it wants and once without.
@Suite(
    .enabled(
        if: Peer.Program.areThere(.nginx) && CertificateFolder.openssl != nil,
        "nginx is not installed (scripts/setup peers)"))
struct ServerPeerTests {
    /// What nginx demands, what the user gives, and what the program prints without it.
    struct Rule: Sendable, CustomStringConvertible {
        var description: String
        var directives: String
        var credentials = ""
        var arguments: [String] = []
        var status: Int
        var advice: String
    }

    static let rules = [
        Rule(
            description: "Basic", directives: "auth_basic peers; auth_basic_user_file users;",
            credentials: "anna:s3cret@",
            status: 401, advice: "The server requires other credentials"),
        Rule(
            description: "cookie", directives: "if ($cookie_sid != 7) { return 403; }",
            arguments: ["--cookie", "sid=7"],
            status: 403, advice: "The server rejects this viewer."),
        Rule(
            description: "referer",
            directives: "valid_referers server_names www.example.com; if ($invalid_referer) { return 403; }",
            arguments: ["--referer", "https://www.example.com/watch"], status: 403,
            advice: "The server rejects this viewer."),
        Rule(
            description: "token", directives: "if ($http_authorization != \"Bearer abc.def\") { return 401; }",
            arguments: ["--bearer-env", "TOKEN"], status: 401, advice: "The server requires other credentials"),
        Rule(
            description: "header", directives: "if ($http_x_device != 7) { return 404; }",
            arguments: ["--header", "X-Device: 7"], status: 404, advice: "The server has nothing at this path."),
    ]

    /// `anna:s3cret` as `openssl passwd -5` has it would change; plain text is a form of nginx's file too.
    private static let files = ["users": "anna:{PLAIN}s3cret\n"]

    private static func url(_ peer: Peer, _ index: Int, _ origin: WatchedOrigin, as credentials: String = "") throws
        -> String
    {
        let path = try #require(URL(string: origin.url))
        return "http://\(credentials)127.0.0.1:\(peer.ports[index])\(path.path)?\(path.query ?? "")"
    }

    @Test(arguments: Array(rules.enumerated())) func aRuleIsMetOrNamed(_ index: Int, _ rule: Rule) async throws {
        let origin = try await WatchedOrigin()
        let peer = try await Peer.nginx(before: origin.port, rules: [rule.directives], files: Self.files)
        let state = try TemporaryFolder()
        let fixed = ["--no-init-request", "--poll", "500ms", "--dump", "--format", "json"]
        let right = try await AdtopChild(
            [try Self.url(peer, 0, origin, as: rule.credentials), "--fire", "--until", "2-beacons"] + fixed
                + rule.arguments,
            state: state.path, environment: ["TOKEN": "abc.def"]
        ).end()
        #expect(right.status == 0, "\(right.errors)")
        #expect(origin.receipts.count >= 2 && origin.duplicates.isEmpty)
        let wrong = try await AdtopProcess.run(
            [try Self.url(peer, 0, origin), "--dump", "--for", "2s", "--size", "100x30"], state: state.path)
        await origin.stop()
        #expect(wrong.status == 3)
        #expect(
            wrong.errors.contains("answered \(rule.status)") && wrong.errors.contains(rule.advice), "\(wrong.errors)")
        #expect(wrong.output.contains("Cannot open this stream"), "\(wrong.output)")
    }

    @Test func aClientCertificateIsShownOrMissed() async throws {
        let origin = try await WatchedOrigin()
        let folder = try CertificateFolder()
        let peer = try await Peer.nginx(
            before: origin.port,
            rules: [
                "ssl_certificate \(folder.file("server.pem")); ssl_certificate_key \(folder.file("server.key")); "
                    + "ssl_client_certificate \(folder.file("ca.pem")); ssl_verify_client on;"
            ])
        let state = try TemporaryFolder()
        let url = try Self.url(peer, 0, origin).replacing("http://127.0.0.1", with: "https://localhost")
        let fixed = [url, "--no-init-request", "--poll", "500ms", "--dump", "--cacert", folder.file("ca.pem")]
        let shown = ["--cert", folder.file("client.pem"), "--key", folder.file("client.key")]
        let right = try await AdtopProcess.run(fixed + shown + ["--fire", "--until", "2-beacons"], state: state.path)
        #expect(right.status == 0, "\(right.errors)")
        #expect(origin.receipts.count >= 2 && origin.duplicates.isEmpty)
        let wrong = try await AdtopProcess.run(fixed + ["--for", "2s"], state: state.path)
        let screen = [url, "--cacert", folder.file("ca.pem")]
        try await PeerScreen.expect("LIVE", of: screen + shown)
        try await PeerScreen.expect("400", of: screen)
        await origin.stop()
        // nginx ends the handshake and then answers 400: "No required SSL certificate was sent".
        #expect(wrong.status == 3 && wrong.errors.contains("answered 400"), "\(wrong.errors)")
    }

    @Test func aLoginPageIsNamed() async throws {
        let origin = try await WatchedOrigin()
        let peer = try await Peer.nginx(
            before: origin.port,
            rules: [
                "if ($cookie_sid != 7) { rewrite ^ /login last; } location = /login { default_type text/html; "
                    + "return 200 '<!DOCTYPE html><title>Sign in</title><form></form>'; }"
            ])
        let state = try TemporaryFolder()
        let wrong = try await AdtopProcess.run(
            [try Self.url(peer, 0, origin), "--no-init-request", "--dump", "--for", "2s"], state: state.path)
        try await PeerScreen.expect("This is a web page, not a stream.", of: [try Self.url(peer, 0, origin)])
        try await PeerScreen.expect("LIVE", of: [try Self.url(peer, 0, origin), "--cookie", "sid=7"])
        await origin.stop()
        #expect(wrong.status == 3 && wrong.errors.contains("This is a web page, not a stream."), "\(wrong.errors)")
    }

    /// nginx gives a cookie with a redirect to the same URL, and demands it.
    @Test func aCookieOfTheServerIsKept() async throws {
        let origin = try await WatchedOrigin()
        let peer = try await Peer.nginx(
            before: origin.port,
            rules: [
                "if ($cookie_sid != 7) { rewrite ^ /enter last; } location = /enter { "
                    + "add_header Set-Cookie 'sid=7; Path=/; HttpOnly'; return 302 http://$http_host$request_uri; }"
            ])
        let state = try TemporaryFolder()
        let jar = state.file("jar.txt")
        let run = try await AdtopProcess.run(
            [
                try Self.url(peer, 0, origin), "--no-init-request", "--poll", "500ms", "--dump", "--fire",
                "--cookie-jar",
                jar, "--until", "2-beacons",
            ], state: state.path)
        await origin.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(origin.receipts.count >= 2 && origin.duplicates.isEmpty)
        let text = try String(contentsOfFile: jar, encoding: .utf8)
        #expect(text.contains("#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t7"), "\(text)")
    }

    /// A login by Digest is not supported, which the program says.
    @Test func aLoginByDigestIsNamed() async throws {
        let origin = try await WatchedOrigin()
        let challenge = "add_header WWW-Authenticate 'Digest realm=\"peers\", nonce=\"1\"' always; return 401;"
        let peer = try await Peer.nginx(before: origin.port, rules: [challenge])
        let state = try TemporaryFolder()
        let url = try Self.url(peer, 0, origin, as: "anna:s3cret@")
        let run = try await AdtopProcess.run([url, "--dump", "--for", "2s"], state: state.path)
        try await PeerScreen.expect("The server wants a login by Digest", of: [url])
        await origin.stop()
        #expect(run.status == 3 && run.errors.contains("The server wants a login by Digest"), "\(run.errors)")
        #expect(!run.errors.contains("s3cret"))
    }

    /// The same on a screen: the stream with what the server wants, and the card without it.
    @Test func theScreenShowsBoth() async throws {
        let origin = try await WatchedOrigin()
        let peer = try await Peer.nginx(
            before: origin.port, rules: Self.rules.map(\.directives), files: Self.files)
        for (index, rule) in Self.rules.enumerated() {
            let right = try Self.url(peer, index, origin, as: rule.credentials)
            try await PeerScreen.expect("LIVE", of: [right] + rule.arguments, environment: ["TOKEN": "abc.def"])
            try await PeerScreen.expect(rule.advice, of: [try Self.url(peer, index, origin)])
        }
        let other = try Self.url(peer, 0, origin, as: "anna:0ther@")
        try await PeerScreen.expect("The server requires other credentials", of: [other])
        await origin.stop()
    }
}
