import Foundation
import Locks
import Ports
import ScriptedServers
import TestSupport
import Testing

/// Ways of docs/connect.md that few people need: folders of certificates, source addresses, a rate, lines of a list.
@Suite struct RareWayTests {
    private static let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n"

    private static func parse(
        _ url: String, _ arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> AdtopProcess {
        try await AdtopChild(["hls", "parse", url] + arguments, environment: environment).end()
    }

    @Test(.enabled(if: CertificateFolder.openssl != nil, "there is no openssl program"))
    func aFolderOfCertificatesReplacesTheSystems() async throws {
        let folder = try CertificateFolder()
        let server = try TLSServer(folder)
        let url = "https://localhost:\(server.port)/"
        try FileManager.default.copyItem(atPath: folder.file("ca.pem"), toPath: folder.file("hashed/0123abcd.0"))
        // The page of the server is not a playlist: exit code 1. A connection that fails gives 3.
        let both = "/nonexistent-folder:\(folder.file("hashed"))"
        #expect(try await Self.parse(url, environment: ["SSL_CERT_DIR": folder.file("hashed")]).status == 1)
        let wrong = try await Self.parse(url, environment: ["SSL_CERT_DIR": folder.file("empty")])
        #expect(wrong.status == 2)
        #expect(
            wrong.errors
                == "adtop: SSL_CERT_DIR: \(folder.file("empty")): has no certificates with hashed names; run openssl rehash on it\n"
        )
        let absent = try await Self.parse(url, environment: ["SSL_CERT_DIR": both])
        #expect(absent.status == 2 && absent.errors.hasPrefix("adtop: SSL_CERT_DIR: "), "\(absent.errors)")
        let file = try await Self.parse(url, environment: ["SSL_CERT_FILE": "/no/such.pem"])
        #expect(
            file.status == 2 && file.errors == "adtop: SSL_CERT_FILE: /no/such.pem: no such file; check the name\n",
            "\(file.errors)")
    }

    @Test func connectionsStartFromTheAddressThatWasChosen() async throws {
        let server = try await ScriptedServer { _ in [.answer(body: Self.playlist)] }
        let url = server.url("/live.m3u8")
        for source in ["lo", "127.0.0.1"] {
            #expect(try await Self.parse(url, ["--interface", source]).status == 0, "\(source)")
        }
        let count = server.connectionCount
        for source in ["no-such-if", "192.0.2.1"] {
            let wrong = try await Self.parse(url, ["--interface", source])
            #expect(wrong.status == 2)
            #expect(
                wrong.errors.hasPrefix("adtop: --interface: '\(source)' is neither an interface with an address"),
                "\(wrong.errors)")
        }
        #expect(server.connectionCount == count)
    }

    private static let curl = "/usr/bin/curl"

    /// curl reads a file of cookies that the program wrote, and the program one of curl.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: curl), "there is no curl program"))
    func filesOfCookiesAreThoseOfCurl() async throws {
        let server = try await ScriptedServer { request in
            let cookies = ["Set-Cookie: a=1; Path=/", "Set-Cookie: b=two; Path=/list; Max-Age=600; HttpOnly"]
            return [.answer("200 OK", request.line == "GET /set" ? cookies : [], body: Self.playlist)]
        }
        let state = try TemporaryFolder()
        func fetch(_ path: String, _ arguments: [String]) async throws {
            let run = try ChildProcess(
                Self.curl, ["-q", "--silent", "--fail", server.url(path)] + arguments, environment: [:])
            #expect(try await run.end().exit == .status(0))
        }
        let (curls, own) = (state.file("curl.txt"), state.file("own.txt"))
        try await fetch("/set", ["--cookie-jar", curls])
        #expect(try await Self.parse(server.url("/list/a"), ["--cookie-jar", curls]).status == 0)
        #expect(try await Self.parse(server.url("/set"), ["--cookie-jar", own]).status == 0)
        try await fetch("/list/b", ["--cookie", own])
        let sent = server.requests.map { "\($0.line) \(GuardedOrigin.field("Cookie", of: $0) ?? "-")" }
        #expect(sent == ["GET /set -", "GET /list/a b=two; a=1", "GET /set -", "GET /list/b b=two; a=1"])
        try await server.stop()
    }

    /// All requests of the process keep to the rate, and each beacon is sent once.
    @Test func theRateHoldsForASession() async throws {
        let times = Locked<[ContinuousClock.Instant]>([])
        let origin = try await GuardedOrigin { _ in
            times.withLock { $0.append(.now) }
            return .pass()
        }
        let state = try TemporaryFolder()
        let program = try AdtopChild(
            [origin.url(), "--max-rate", "4/s", "--fire", "--poll", "500ms", "--dump", "--for", "150s"],
            state: state.path)
        try await origin.waitForBeacons(5)
        _ = try await program.interrupt()
        try await origin.stop()
        let all = times.withLock { $0 }
        let span = try #require(all.last) - (try #require(all.first))
        // One request may leave at the start of the first interval and one at the end of the last; a server sees them late.
        #expect(Double(all.count) <= 4 * (span / .seconds(1)) + 3, "\(all.count) in \(span)")
        let targets = origin.beacons.map(\.line)
        #expect(Set(targets).count == targets.count)
    }

    /// Each line has its own header, cookie and token, and no line has those of another.
    @Test func linesOfAListHaveTheirOwnFields() async throws {
        let one = try await GuardedOrigin { _ in .pass() }
        let two = try await GuardedOrigin { _ in .pass() }
        let state = try TemporaryFolder()
        try state.write(
            """
            one \(one.url()) mode=fire "header=X-Key: 1" cookie=sid=1 bearer-env=FIRST
            two \(two.url()) mode=fire "header=X-Key: 2" cookie=sid=2 bearer-env=SECOND

            """, to: "list.txt")
        let program = try AdtopChild(
            ["monitor", state.file("list.txt"), "--dump", "--for", "150s", "--poll", "500ms", "--spread", "100ms"],
            state: state.path, environment: ["FIRST": "word1", "SECOND": "word2"])
        try await one.waitForBeacons(2)
        try await two.waitForBeacons(2)
        let run = try await program.interrupt()
        try await one.stop()
        try await two.stop()
        #expect(run.status == AdtopProcess.interrupted, "\(run.errors)")
        for (origin, number) in [(one, "1"), (two, "2")] {
            let stream = origin.requests.filter { !$0.line.contains(" /beacon/") }
            #expect(!stream.isEmpty)
            for request in stream {
                #expect(GuardedOrigin.field("X-Key", of: request) == number)
                #expect(GuardedOrigin.field("Cookie", of: request) == "sid=\(number)")
                #expect(GuardedOrigin.field("Authorization", of: request) == "Bearer word\(number)")
            }
            #expect(origin.beacons.allSatisfy { GuardedOrigin.field("X-Key", of: $0) == nil })
        }
        #expect(!run.output.contains("word1") && !run.errors.contains("word2"))
    }

    @Test func aLineWithABadFieldIsNamed() async throws {
        let state = try TemporaryFolder()
        try state.write("one http://127.0.0.1:1/x.m3u8 \"header=SECRET\"\n", to: "list.txt")
        let run = try await AdtopProcess.run(
            ["monitor", state.file("list.txt"), "--dump", "--for", "1s"], state: state.path)
        #expect(run.status == 4, "\(run.errors)")
        #expect(run.errors.contains("list.txt:1") && run.errors.contains("it has no colon"), "\(run.errors)")
        #expect(!run.errors.contains("SECRET"))
    }
}
