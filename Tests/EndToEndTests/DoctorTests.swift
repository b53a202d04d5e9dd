import Foundation
import Locks
import Ports
import ScriptedServers
import TestSupport
import Testing

/// `adtop doctor` with real sockets: what it finds, what it sends, and its exit code.
@Suite struct DoctorTests {
    private static let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n"

    private static func doctor(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> AdtopProcess {
        let state = try TemporaryFolder()
        return try await AdtopChild(["doctor"] + arguments, state: state.path, environment: environment).end()
    }

    /// The rows of the JSON form: `step state`.
    private static func rows(_ run: AdtopProcess) throws -> [String] {
        try (run.json()["rows"]?.arrayValue ?? []).map {
            "\($0["step"]?.stringValue ?? "") \($0["state"]?.stringValue ?? "")"
        }
    }

    private static func problems(_ run: AdtopProcess) throws -> [String] {
        try (run.json()["rows"]?.arrayValue ?? []).compactMap { $0["problem"]?.stringValue }
    }

    @Test func aSessionIsFollowedToItsTrackers() async throws {
        let origin = try await GuardedOrigin { _ in .pass() }
        // The breaks of the scenario begin soon: until then the metadata names no tracker.
        let text = try await Self.doctor([origin.url()])
        let json = try await Self.doctor([origin.url(), "--json"])
        try await origin.stop()
        #expect(origin.beacons.isEmpty, "a request went to a tracker")
        #expect(text.status == 0 && json.status == 0, "\(text.output)\(text.errors)")
        #expect(text.output.contains("✓ connect") && text.output.contains("The stream opens"), "\(text.output)")
        let document = try json.json()
        #expect(document["schema"] == "adtop-doctor/1" && document["verdict"] == "reachable")
        let rows = try Self.rows(json)
        for row in ["name good", "connect good", "media playlist good", "metadata good"] {
            #expect(rows.contains(row), "\(rows)")
        }
    }

    /// A stream whose metadata names these trackers.
    private static func stream(trackers: [String]) async throws -> ScriptedServer {
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        let urls = trackers.map { "\"\($0)\"" }.joined(separator: ",")
        let metadata = """
            {"dataRange": {"start": \(now - 30_000), "end": \(now + 30_000)}, "adBreaks": [{"id": "b",
             "startTime": \(now), "duration": 10000, "ads": [{"id": "a", "startTime": \(now), "duration": 10000,
             "trackingEvents": [{"event": "impression", "startTime": \(now), "signalingUrls": [\(urls)]}]}]}]}
            """
        let start = Date(timeIntervalSince1970: Double(now - 60_000) / 1_000).ISO8601Format()
        let segments = (0..<10).map { "#EXTINF:6,\na\($0).ts\n" }.joined()
        let live = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:6\n#EXT-X-PROGRAM-DATE-TIME:\(start)\n\(segments)"
        return try await ScriptedServer { request in
            [.answer(body: request.line.contains("/metadata") ? metadata : live)]
        }
    }

    @Test func trackersGetAConnectionAndNothingElse() async throws {
        let tracker = try await ScriptedServer { _ in [.answer()] }
        let server = try await Self.stream(trackers: [
            "http://127.0.0.1:\(tracker.port)/b?1", "http://127.0.0.1:\(tracker.port)/b?2", "http://127.0.0.1:1/b",
            "http://tracker.invalid/b", "not a URL",
        ])
        let run = try await Self.doctor([server.url("/live.m3u8?sessid=0123456789"), "--json"])
        #expect(run.status == 1, "\(run.errors)")
        let rows = try Self.rows(run).filter { $0.hasPrefix("tracker") }
        #expect(rows == ["tracker good", "tracker failed", "tracker failed"])
        #expect(try Self.problems(run) == ["refused", "noSuchHost"])
        #expect(
            try run.json()["sentence"]
                == "The stream opens, with limits: 2 of 3 tracker hosts cannot be reached.")
        #expect(tracker.requests.isEmpty && tracker.connectionCount == 1)
        // Not even that, where --allow-host does not name the host.
        let limited = try await Self.doctor([
            server.url("/live.m3u8?sessid=0123456789"), "--json", "--allow-host", "other.example",
        ])
        #expect(try Self.rows(limited).filter { $0.hasPrefix("tracker") }.allSatisfy { $0 == "tracker notAllowed" })
        try await server.stop()
        try await tracker.stop()
        #expect(tracker.connectionCount == 1)
    }

    /// docs/security.md: what a public stream names at a private address is not connected.
    @Test func privateTrackersOfPublicStreamsAreNotConnected() async throws {
        let tracker = try await ScriptedServer { _ in [.answer()] }
        let server = try await Self.stream(trackers: [
            "http://127.0.0.1:\(tracker.port)/b", "http://named.example:\(tracker.port)/b",
        ])
        let arguments = [
            "http://stream.example:\(server.port)/live.m3u8?sessid=0123456789", "--json", "--resolve",
            "stream.example:\(server.port):127.0.0.1", "--resolve", "named.example:\(tracker.port):127.0.0.1",
        ]
        let run = try await Self.doctor(arguments)
        #expect(run.status == 1)
        let rows = try Self.rows(run)
        #expect(rows.suffix(2) == ["tracker notAllowed", "tracker notAllowed"], "\(run.output)")
        #expect(run.output.contains("--allow-private allows it"))
        #expect(tracker.connectionCount == 0)
        let open = try await Self.doctor(arguments + ["--allow-private"])
        try await server.stop()
        try await tracker.stop()
        #expect(open.status == 0, "\(open.output)")
        #expect(tracker.connectionCount == 2 && tracker.requests.isEmpty)
    }

    /// A stream that cannot be opened: the step, the sentence of the card, exit code 3.
    struct Fault: Sendable, CustomTestStringConvertible {
        var name: String
        /// The answer of the server; nil for none.
        var step: ScriptedServer.Step?
        var problem: String
        var advice: String
        var testDescription: String { name }
    }

    static let faults = [
        Fault(
            name: "401", step: .answer("401 Unauthorized"), problem: "unauthorized",
            advice: "--bearer-env, --header or --cookie."),
        Fault(name: "403", step: .answer("403 Forbidden"), problem: "forbidden", advice: "--referer, --cookie-jar"),
        Fault(name: "404", step: .answer("404 Not Found"), problem: "notFound", advice: "Check the URL"),
        Fault(name: "503", step: .answer("503 Busy"), problem: "serverError", advice: "fails"),
        Fault(
            name: "HTML", step: .answer(body: "<html><body>Login</body></html>"), problem: "webPage",
            advice: "login page"),
        Fault(
            name: "DASH", step: .answer(body: "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"/>"),
            problem: "dash", advice: "HLS only"),
        Fault(name: "empty", step: .answer(), problem: "empty", advice: "There is nothing in the answer"),
        Fault(
            name: "redirect loop", step: .answer("302 Found", ["Location: /live.m3u8"]), problem: "redirects",
            advice: "--cookie-jar"),
        Fault(name: "silence", step: nil, problem: "timeout", advice: "--timeout waits longer."),
        Fault(name: "no HTTP", step: .text("hello\r\n\r\n"), problem: "notHTTP", advice: "Check scheme and port."),
    ]

    @Test(arguments: faults) func aFaultIsNamedWithItsRemedy(_ fault: Fault) async throws {
        let server = try await ScriptedServer { _ in fault.step.map { [$0] } ?? [] }
        let arguments = [server.url("/live.m3u8"), "--timeout", fault.step == nil ? "300ms" : "20s"]
        let json = try await Self.doctor(arguments + ["--json"])
        let text = try await Self.doctor(arguments)
        try await server.stop()
        #expect(json.status == 3 && text.status == 3, "\(text.output)\(text.errors)")
        #expect(try json.json()["verdict"] == "unreachable")
        #expect(try Set(Self.problems(json)) == [fault.problem], "\(json.output)")
        #expect(text.output.contains("→ ") && text.output.contains(fault.advice), "\(text.output)")
        #expect(text.output.contains("The stream cannot be opened: "))
        #expect(text.errors.isEmpty)
    }

    @Test func noConnectionEndsAtItsStep() async throws {
        let refused = try await Self.doctor(["http://127.0.0.1:1/live.m3u8", "--json"])
        #expect(refused.status == 3)
        #expect(try Self.rows(refused) == ["name good", "connect failed"])
        #expect(try Self.problems(refused) == ["refused"])
        let unknown = try await Self.doctor(["http://stream.invalid/live.m3u8", "--json"])
        #expect(unknown.status == 3)
        #expect(try Self.rows(unknown) == ["name failed"])
        #expect(try Self.problems(unknown) == ["noSuchHost"])
        // A server that accepts connections and is silent when TLS begins.
        let silent = try await ScriptedServer { _ in [] }
        let hanging = try await Self.doctor([
            "https://127.0.0.1:\(silent.port)/live.m3u8", "--json", "--timeout", "300ms",
        ])
        try await silent.stop()
        #expect(try Self.rows(hanging) == ["name good", "connect good", "tls failed"], "\(hanging.output)")
        #expect(hanging.status == 3)
    }

    @Test(.enabled(if: CertificateFolder.openssl != nil, "there is no openssl program"))
    func certificatesAreShown() async throws {
        let folder = try CertificateFolder()
        try folder.issue("leaf", until: "20210304050607Z")
        let trust = ["--json", "--cacert", folder.file("ca.pem")]
        let (valid, old) = (try TLSServer(folder), try TLSServer(folder, name: "leaf"))
        let good = try await Self.doctor(["https://localhost:\(valid.port)/x.m3u8"] + trust)
        // The page of the server is no playlist.
        #expect(good.status == 3)
        #expect(try Self.rows(good).prefix(3) == ["name good", "connect good", "tls good"])
        let found = try good.json()["rows"]?.arrayValue?.dropFirst(2).first?["result"]?.stringValue ?? ""
        #expect(found.hasPrefix("TLS 1.3, server, issued by Issuer, valid until "), "\(found)")
        let url = "https://localhost:\(old.port)/x.m3u8"
        let expired = try await Self.doctor([url] + trust)
        #expect(try Self.rows(expired) == ["name good", "connect good", "tls failed"])
        #expect(try Self.problems(expired) == ["certificateExpired"])
        #expect(expired.output.contains("certificate expired on 2021-03-04 05:06Z: leaf, issued by Issuer"))
        let unknown = try await Self.doctor(["https://localhost:\(valid.port)/x.m3u8", "--json"])
        #expect(try Self.problems(unknown) == ["certificateUntrusted"])
        let modern = try await HTTP2Server(folder)
        let offered = try await Self.doctor([modern.url("/x.m3u8")] + trust)
        #expect(offered.output.contains("TLS 1.3, HTTP/2, server, issued by Issuer"))
        #expect(!modern.requests.isEmpty && modern.requests.allSatisfy { $0.hasSuffix(" 2") })
        let insecure = try await Self.doctor([url, "--json", "--insecure"])
        #expect(try Self.rows(insecure).prefix(3) == ["name good", "connect good", "tls warning"])
        #expect(insecure.output.contains("certificate not verified"))
    }

    @Test func proxiesAreAStep() async throws {
        let server = try await ScriptedServer { _ in [.answer(body: Self.playlist)] }
        let proxy = try await ScriptedProxy(login: "me:s3cret")
        let url = "http://stream.invalid:\(server.port)/live.m3u8"
        let right = try await Self.doctor([url, "--json", "--proxy", "http://me:s3cret@127.0.0.1:\(proxy.port)"])
        #expect(right.status == 0, "\(right.output)")
        #expect(try Self.rows(right).prefix(3) == ["name good", "connect good", "proxy good"])
        let socks = try await ScriptedProxy(.socks, login: "me:s3cret")
        let wrong = try await Self.doctor([url, "--json", "--proxy", "socks5h://me:0ther@127.0.0.1:\(socks.port)"])
        try await server.stop()
        #expect(wrong.status == 3)
        #expect(try Self.rows(wrong) == ["name good", "connect good", "proxy failed"], "\(wrong.output)")
        for secret in ["s3cret", "0ther"] { #expect(!(right.output + wrong.output + wrong.errors).contains(secret)) }
    }

    /// What gets a person in is sent with each request of the stream, and shown nowhere.
    @Test func secretsAreSentAndNotShown() async throws {
        let origin = try await GuardedOrigin { visit in
            visit.field("Authorization") == "Basic YW5uYTpzM2NyZXQ=" && visit.field("X-Key") == "w0rd"
                ? .pass(["Set-Cookie: s=c00kie; Path=/"]) : .answer(.answer("401 Unauthorized"))
        }
        let url = origin.url(as: "anna:s3cret@") + "?token=t0ken1234567"
        for form in [[], ["--json"]] {
            let run = try await Self.doctor([url, "--header", "X-Key: w0rd"] + form)
            #expect(run.status == 0, "\(run.output)")
            for secret in ["s3cret", "w0rd", "c00kie", "t0ken", "YW5uYTpz"] {
                #expect(!(run.output + run.errors).contains(secret), "\(secret) in \(run.output)")
            }
        }
        try await origin.stop()
        #expect(origin.beacons.isEmpty)
    }

    @Test(arguments: [
        (["ftp://h/x"], "'ftp://h/x'"), (["https://a:s3cret@/x"], "'https://***@/x' has no host"),
        (["https://h/x", "--header", "X"], "--header: '***' is not 'Name: value'"),
        (["https://h/x", "--variant", ""], "--variant: "),
    ]) func badValuesAreOneSentence(_ arguments: [String], _ start: String) async throws {
        let run = try await Self.doctor(arguments)
        #expect(run.status == 2 && run.errors.hasPrefix("adtop: \(start)"), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1 && !run.errors.contains("s3cret"))
    }
}
