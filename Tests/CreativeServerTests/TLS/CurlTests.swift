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

    private func curl(_ arguments: String...) throws -> (status: Int32, output: String) {
        try Program.run("/usr/bin/curl", ["-sS", "--noproxy", "*", "--max-time", "10"] + arguments)
    }

    @Test(arguments: ["localhost", "127.0.0.1"]) func theCreativeComes(host: String) throws {
        let answer = try curl("--cacert", authority, "-4", "https://\(host):\(port)/a")
        #expect(answer.status == 0 && answer.output == "<b>one</b>")
    }

    @Test func theSamePortSpeaksPlainHTTP() throws {
        #expect(try curl("http://localhost:\(port)/a", "-4").output == "<b>one</b>")
    }

    @Test func aWrongNameFails() throws {
        let answer = try curl(
            "--cacert", authority, "--resolve", "cache.example:\(port):127.0.0.1", "https://cache.example:\(port)/a")
        #expect(answer.status == 60, "\(answer.output)")
    }

    @Test func withoutTheAuthorityItFails() throws {
        #expect(try curl("-4", "https://localhost:\(port)/a").status == 60)
    }
}
