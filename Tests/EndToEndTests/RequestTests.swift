import Foundation
import Locks
import Ports
import ScriptedServers
import TestSupport
import Testing

/// Servers that demand cookies, credentials or fields: the real program gets in, and nobody else gets what it carries.
@Suite struct RequestTests {
    private static let fixed = ["--poll", "500ms", "--dump", "--format", "json", "--for", "150s"]

    /// A way to get in: what the guard demands, and what the user gives.
    struct Way: Sendable, CustomStringConvertible {
        var name: String
        var field: String
        var value: String
        var credentials = ""
        var arguments: [String] = []
        /// Whether a tracker on the same host and port gets it too.
        var isForTrackers: Bool

        var description: String { name }
    }

    static let ways = [
        Way(
            name: "Basic", field: "Authorization", value: "Basic dTpwOnc=", credentials: "u:p%3Aw@", isForTrackers: true
        ),
        Way(
            name: "bearer", field: "Authorization", value: "Bearer abc.def", arguments: ["--bearer-env", "TOKEN"],
            isForTrackers: true),
        Way(
            name: "cookie", field: "Cookie", value: "geo=se; t=1", arguments: ["--cookie", "geo=se; t=1"],
            isForTrackers: true),
        Way(name: "header", field: "X-Key", value: "7", arguments: ["--header", "X-Key: 7"], isForTrackers: false),
        Way(
            name: "Authorization", field: "Authorization", value: "Custom x", credentials: "u:p@",
            arguments: ["--header", "authorization: Custom x"], isForTrackers: false),
        Way(
            name: "forwarded", field: "X-Forwarded-For", value: "192.0.2.7",
            arguments: ["--forwarded-for", "192.0.2.7"],
            isForTrackers: false),
        Way(
            name: "referer", field: "Referer", value: "https://w.test/p", arguments: ["--referer", "https://w.test/p"],
            isForTrackers: false),
        Way(
            name: "origin", field: "Origin", value: "https://w.test", arguments: ["--origin", "https://w.test"],
            isForTrackers: false),
    ]

    @Test(arguments: ways) func whatIsDemandedIsSentToTheStream(_ way: Way) async throws {
        let origin = try await GuardedOrigin { visit in
            visit.isBeacon || visit.field(way.field) == way.value
                ? .pass() : .answer(.answer("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"x\""]))
        }
        let state = try TemporaryFolder()
        let program = try AdtopChild(
            [origin.url(as: way.credentials)] + Self.fixed + way.arguments, state: state.path,
            environment: ["TOKEN": "abc.def"])
        try await origin.waitForBeacons(4)
        let run = try await program.interrupt()
        try await origin.stop()
        #expect(run.status == AdtopProcess.interrupted, "\(run.errors)")
        let sent = origin.beacons.map { GuardedOrigin.field(way.field, of: $0) }
        #expect(sent.allSatisfy { way.isForTrackers || $0 != way.value }, "\(sent)")
        #expect(DumpedSession(json: try run.json()).phase == "running")
    }

    /// A scheme that is not supported is named, and the remedy is not masked as if it were a secret.
    @Test(arguments: [
        ("Basic realm=\"Digest\"", "user and password in the URL, --bearer-env"),
        ("Digest realm=\"a, Basic\", nonce=\"1\"", "The server wants a login by Digest, NTLM or Negotiate"),
        ("NTLM", "The server wants a login by Digest, NTLM or Negotiate"),
    ]) func aLoginThatIsNotSupportedIsNamed(challenge: String, advice: String) async throws {
        let origin = try await GuardedOrigin { _ in
            .answer(.answer("401 Unauthorized", ["WWW-Authenticate: \(challenge)"]))
        }
        let state = try TemporaryFolder()
        let run = try await AdtopProcess.run(
            [origin.url(), "--dump", "--for", "2s", "--size", "100x30"], state: state.path)
        try await origin.stop()
        #expect(run.status == 3 && run.errors.contains(advice) && !run.errors.contains("***"), "\(run.errors)")
        let words = run.output.split { $0.isWhitespace || "┃│".contains($0) }.joined(separator: " ")
        #expect(words.contains(advice.prefix(40)), "\(run.output)")
    }

    @Test func withoutItTheProgramReportsTheAnswer() async throws {
        let origin = try await GuardedOrigin { _ in .answer(.answer("401 Unauthorized")) }
        let state = try TemporaryFolder()
        let run = try await AdtopProcess.run(
            [origin.url(), "--poll", "500ms", "--dump", "--for", "2s"], state: state.path)
        try await origin.stop()
        #expect(run.status == 3 && run.errors.contains("401"), "\(run.errors)")
        #expect(origin.requests.allSatisfy { GuardedOrigin.field("Authorization", of: $0) == nil })
    }

    /// The server gives a cookie with a redirect to the same URL, replaces it in the middle, and demands the newest.
    @Test(arguments: [[], ["--cookie", "t=0"]]) func cookiesThatChangeAreFollowed(_ arguments: [String]) async throws {
        let token = Locked(1)
        let origin = try await GuardedOrigin { visit in
            guard !visit.isBeacon else { return .pass() }
            let current = token.withLock { $0 }
            guard visit.field("Cookie") == "t=\(current)" else {
                return .answer(
                    .answer(
                        "302 Found", ["Set-Cookie: t=\(current); Path=/; Max-Age=600", "Location: \(visit.target)"]))
            }
            guard visit.number > 0, visit.number.isMultiple(of: 8) else { return .pass() }
            token.withLock { $0 += 1 }
            return .pass(["Set-Cookie: t=\(current + 1); Path=/; Max-Age=600"])
        }
        let state = try TemporaryFolder()
        let jar = state.file("cookies.txt")
        let program = try AdtopChild(
            [origin.url()] + Self.fixed + arguments + ["--cookie-jar", jar], state: state.path)
        try await origin.waitForBeacons(6)
        let run = try await program.interrupt()
        try await origin.stop()
        let document = DumpedSession(json: try run.json())
        #expect(document.phase == "running" && run.errors.isEmpty, "\(run.errors)")
        let count = token.withLock { $0 }
        #expect(count > 1)
        let text = try String(contentsOfFile: jar, encoding: .utf8)
        #expect(text.hasPrefix("# Netscape HTTP Cookie File\n"))
        #expect(text.split(separator: "\n").count { $0.hasPrefix("127.0.0.1\tFALSE\t/\tFALSE\t") } == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: jar)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    /// The URLs of playlists have a token, which the server renews: it sends a request with an earlier one to the newest. Nothing is refused.
    @Test func aTokenInThePlaylistsURLsIsFollowed() async throws {
        let (token, used) = (Locked(1), Locked<[Int]>([]))
        let origin = try await GuardedOrigin { visit in
            guard visit.request.line.hasPrefix("GET "), visit.target.contains(".m3u8") else { return .pass() }
            let current = token.withLock { $0 }
            let sign = "hdnts=exp1h\(current)"
            guard visit.target.contains(sign) else {
                let bare = visit.target.replacing(/[?&]hdnts=\w+/, with: "")
                let signed = bare + (bare.contains("?") ? "&" : "?") + sign
                return .answer(.answer("302 Found", ["Location: \(signed)"]))
            }
            guard !visit.target.contains("/index.m3u8") else { return .pass() }
            used.withLock { $0.append(current) }
            // Each is good for two requests.
            if used.withLock({ $0.count.isMultiple(of: 2) }) { token.withLock { $0 += 1 } }
            return .pass()
        }
        let state = try TemporaryFolder()
        let program = try AdtopChild([origin.url()] + Self.fixed, state: state.path)
        try await origin.waitForBeacons(8)
        try await origin.wait(for: "four tokens") { _ in used.withLock { Set($0).count } >= 4 }
        let run = try await program.interrupt()
        try await origin.stop()
        let document = DumpedSession(json: try run.json())
        #expect(document.phase == "running" && run.errors.isEmpty, "\(run.errors)")
        #expect(document["session"]?["renewals"] == 0)
        let targets = origin.beacons.map(\.line)
        #expect(Set(targets).count == targets.count)
        let report = try await AdtopProcess.run(["report", "--json"], state: state.path)
        #expect(try report.json()["sessions"]?.arrayValue?.count == 1)
    }

    @Test func aJarIsReadAtTheStart() async throws {
        let origin = try await GuardedOrigin { visit in
            visit.isBeacon || visit.field("Cookie") == "sid=7" ? .pass() : .answer(.answer("403 Forbidden"))
        }
        let state = try TemporaryFolder()
        let jar = state.file("cookies.txt")
        try state.write("127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t7\n", to: "cookies.txt")
        let program = try AdtopChild([origin.url()] + Self.fixed + ["--cookie-jar", jar], state: state.path)
        try await origin.waitForBeacons(2)
        _ = try await program.interrupt()
        try await origin.stop()
        // RFC 6265: a cookie belongs to its host, whatever the request is for.
        #expect(origin.beacons.allSatisfy { GuardedOrigin.field("Cookie", of: $0) == "sid=7" })
        #expect(try String(contentsOfFile: jar, encoding: .utf8).contains("\tsid\t7"))
    }

    /// A tracker on another host of the site gets what it set itself, and what the stream's server set for the whole site (RFC 6265).
    @Test func aTrackerOfTheSiteGetsTheCookiesOfTheSite() async throws {
        let origin = try await GuardedOrigin(at: "ads.lab.example") { visit in
            .pass(
                visit.isBeacon
                    ? ["Set-Cookie: own=3; Path=/"]
                    : ["Set-Cookie: site=1; Domain=lab.example; Path=/", "Set-Cookie: stream=2; Path=/"])
        }
        let state = try TemporaryFolder()
        let hosts = ["www.lab.example", "ads.lab.example"]
        let program = try AdtopChild(
            [origin.url().replacing("127.0.0.1", with: hosts[0]), "--fire", "--allow-private"]
                + hosts.flatMap { ["--resolve", "\($0):\(origin.port):127.0.0.1"] } + Self.fixed, state: state.path)
        try await origin.waitForBeacons(8)
        let run = try await program.interrupt()
        let port = origin.port
        try await origin.stop()
        #expect(run.errors.isEmpty, "\(run.errors)")
        let beacons = origin.beacons
        let named = Set(beacons.map { GuardedOrigin.field("Host", of: $0) ?? "" })
        #expect(named == ["ads.lab.example:\(port)"], "\(named)")
        let cookies = beacons.map { GuardedOrigin.field("Cookie", of: $0) ?? "" }
        #expect(Set(cookies) == ["site=1", "site=1; own=3"], "\(cookies)")
        let stream = origin.requests.filter { $0.line.contains(".m3u8") }
            .compactMap { GuardedOrigin.field("Cookie", of: $0) }
        #expect(stream.contains { $0.contains("site=1") && $0.contains("stream=2") }, "\(stream)")
        #expect(!stream.contains { $0.contains("own") }, "\(stream)")
    }

    @Test func aHostGetsItsFieldWithItsBeacons() async throws {
        let origin = try await GuardedOrigin { _ in .pass() }
        let state = try TemporaryFolder()
        let program = try AdtopChild(
            Self.fixed + [
                "--header-for", "127.0.0.1:\(origin.port)", "X-Lab: 7", "--header-for", "other.test", "X-Lab: 8",
            ]
                + [origin.url()], state: state.path)
        try await origin.waitForBeacons(2)
        _ = try await program.interrupt()
        try await origin.stop()
        #expect(origin.requests.allSatisfy { GuardedOrigin.field("X-Lab", of: $0) == "7" })
    }

    /// The journal knows a session by its stream, not by who asked for it.
    @Test func anotherPasswordSendsNothingTwice() async throws {
        let origin = try await GuardedOrigin { _ in .pass() }
        let state = try TemporaryFolder()
        let one = try AdtopChild(
            [origin.url(as: "anna:1@") + "?sessid=0123456789abcdef", "--no-init-request"] + Self.fixed,
            state: state.path)
        try await origin.waitForBeacons(4)
        _ = try await one.interrupt()
        let two = try AdtopChild(
            [origin.url(as: "bob:2@") + "?sessid=0123456789abcdef", "--no-init-request"] + Self.fixed, state: state.path
        )
        try await origin.waitForBeacons(origin.beacons.count + 4)
        _ = try await two.interrupt()
        try await origin.stop()
        let targets = origin.beacons.map(\.line)
        #expect(Set(targets).count == targets.count)
        let report = try await AdtopProcess.run(["report", "--json"], state: state.path)
        #expect(try report.json()["sessions"]?.arrayValue?.count == 1)
    }

    /// One sentence, exit code 2, and no request.
    @Test(arguments: [
        (["--header", "X-SECRET"], "--header: '***' is not 'Name: value': it has no colon"),
        (["--header", "X: SECRET\nY: z"], "--header: '***' contains a line break"),
        (["--header", "X: SECRET\r"], "--header: '***' contains a line break"),
        (["--header", "X Y: SECRET"], "--header: '***' has a name that is not a header name"),
        (
            ["--header", "Content-Length: 5"],
            "--header: '***' has the name Content-Length, which the program sets itself"
        ),
        (
            ["--header-for", "a/b", "X: SECRET"],
            "--header-for: '*** X: ***' does not begin with a host; give HOST[:PORT] 'Name: value'"
        ),
        (["--header-for", "h.test=X:SECRET"], "--header-for: '*** ***' does not begin with a host"),
        (["--header-for", "*.h.test", "X: SECRET"], "--header-for: '*** X: ***' begins with a pattern, and a pattern"),
        (["--header-for", ".h.test", "X: SECRET"], "--header-for: '*** X: ***' begins with a pattern"),
        (["--header-for", "h.test,i.test", "X: SECRET"], "--header-for: '*** X: ***' does not begin with a host"),
        (["--header-for", "h.test", "SECRET"], "--header-for: 'h.test ***' is not 'Name: value'"),
        (["--cookie", "SECRET"], "--cookie: '***' is not NAME=VALUE"),
        (["--bearer-env", "NOT_THERE"], "--bearer-env: there is no environment variable NOT_THERE"),
        (["--bearer-env", "BLANK"], "--bearer-env: the value of BLANK is empty or has blanks"),
        (["--bearer-env", "A-B"], "--bearer-env: 'A-B' is not the name of an environment variable"),
        (["--cookie-jar", "/"], "--cookie-jar: /: is a folder; name a file"),
        (["--cookie-jar", "/no/such/jar.txt"], "--cookie-jar: /no/such/jar.txt: there is no such folder"),
        (["--cookie-jar", "/etc/hostname"], "--cookie-jar: /etc/hostname: is not a file of cookies"),
        (["--forwarded-for", "me"], "--forwarded-for: 'me' is not an IP address"),
        (["--referer", "w.test"], "--referer: 'w.test' is not absolute"),
        (["--origin", "https://w.test/p"], "--origin: 'https://w.test/p' is not an origin such as"),
    ]) func badValuesAreOneSentence(arguments: [String], expected: String) async throws {
        let server = try await ScriptedServer { _ in [.answer()] }
        let state = try TemporaryFolder()
        for verb in [[server.url("/x.m3u8"), "--dump", "--for", "1s"], ["config"]] {
            let run = try await AdtopChild(
                verb + arguments, state: state.path, environment: ["BLANK": "a SECRET"]
            ).end()
            #expect(run.status == 2 && run.output.isEmpty, "\(verb)")
            #expect(run.errors.hasPrefix("adtop: \(expected)"), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1 && !run.errors.contains("SECRET"))
        }
        #expect(server.connectionCount == 0)
        try await server.stop()
    }

    @Test func theConfigurationShowsWhoGetsWhat() async throws {
        let state = try TemporaryFolder()
        let arguments = [
            "--header", "X-Device: SECRET", "--header-for", "t.test:81", "X-Lab: SECRET", "--cookie", "sid=SECRET",
            "--bearer-env", "TOKEN", "--forwarded-for", "192.0.2.7", "--user-agent", "roku",
        ]
        func run(_ more: [String]) async throws -> AdtopProcess {
            try await AdtopChild(["config"] + arguments + more, state: state.path, environment: ["TOKEN": "SECRET"])
                .end()
        }
        let text = try await run([])
        #expect(text.status == 0 && !text.output.contains("SECRET"), "\(text.errors)")
        for line in [
            "hosts of the stream, not trackers  X-Forwarded-For: ***",
            "hosts of the stream, not trackers  X-Device: ***",
            "host and port of the URL           Authorization: Bearer ***",
            "host and port of the URL           Cookie: sid=***", "t.test:81, trackers too            X-Lab: ***",
        ] { #expect(text.output.contains(line), "\(line) in \(text.output)") }
        let json = try await run(["--json"])
        #expect(!json.output.contains("SECRET"))
        let first = try json.json()["requests"]?.arrayValue?.first
        #expect(first == ["hosts": "hosts of the stream, not trackers", "field": "X-Forwarded-For: ***"])
    }
}
