import CreativeCache
import CreativeServer
import Foundation
import Ports
import TestSupport
import Testing

/// A common client gets a creative over HTTPS when it trusts the authority, and nothing otherwise.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "curl is not installed"))
final class CurlTests {
    private let folder: TemporaryFolder
    private let server: LoopbackServer
    private let port: Int
    private let authority: String

    init() throws {
        folder = try TemporaryFolder()
        let clock = { @Sendable in UnixTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
        let certificates = try LocalCertificates(folder: folder.file("tls"), wallClock: clock)
        let shelf = CreativeShelf(limits: StoreLimits(), rules: LoopbackRules(), wallClock: clock)
        shelf.put(
            CachedCreative(
                id: try #require(CreativeID("a")), kind: .banner,
                content: CachedCreative.Content(body: Array("<b>one</b>".utf8))))
        var configuration = LoopbackServer.Configuration()
        configuration.port = 0
        configuration.identity = try certificates.identity()
        server = LoopbackServer(shelf, configuration: configuration)
        port = try server.start().port
        authority = try certificates.status().authorityFile
    }

    deinit { server.stop() }

    private func curl(_ arguments: String...) async throws -> ChildProcess.Ending {
        try await ChildProcess(
            "/usr/bin/curl", ["-sS", "--noproxy", "*", "--max-time", "10"] + arguments, environment: [:]
        ).end()
    }

    @Test(arguments: ["localhost", "127.0.0.1"]) func theCreativeComes(host: String) async throws {
        let answer = try await curl("--cacert", authority, "-4", "https://\(host):\(port)/a")
        #expect(answer.exit == .status(0) && answer.output == Array("<b>one</b>".utf8))
    }

    @Test func theSamePortSpeaksPlainHTTP() async throws {
        #expect(try await curl("http://localhost:\(port)/a", "-4").output == Array("<b>one</b>".utf8))
    }

    @Test func aWrongNameFails() async throws {
        let answer = try await curl(
            "--cacert", authority, "--resolve", "cache.example:\(port):127.0.0.1", "https://cache.example:\(port)/a")
        #expect(answer.exit == .status(60), "\(String(decoding: answer.errors, as: UTF8.self))")
    }

    @Test func withoutTheAuthorityItFails() async throws {
        #expect(try await curl("-4", "https://localhost:\(port)/a").exit == .status(60))
    }
}
