import DemoOrigin
import Foundation
import Ports
import ScriptedServers
import TestSupport
import Testing

/// Ways of docs/connect.md on the screen: the stream is followed until an ad is on air. `ServerPeerTests` and `ProxyPeerTests` have those
/// of credentials, certificates and proxies.
@Suite struct WayScreenTests {
    /// A way, `%` for the server's port and `@` for a file of cookies.
    struct Way: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        /// Host and port of the URL.
        var host = "127.0.0.1:%"
        /// Where the server listens.
        var address = "127.0.0.1"
        /// What it demands.
        var field: String?
        var value = ""

        var testDescription: String { arguments.first ?? "" }
    }

    static let ways = [
        Way(arguments: ["--resolve", "stream.example:%:127.0.0.1"], host: "stream.example:%"),
        Way(arguments: ["--connect-to", "stream.example:80:127.0.0.1:%"], host: "stream.example"),
        Way(arguments: ["--interface", "127.0.0.1"]),
        Way(arguments: ["-4"], host: "localhost:%"),
        Way(arguments: ["--timeout", "5s"]),
        Way(arguments: ["--max-rate", "20/s"]),
        Way(arguments: ["--header-for", "127.0.0.1:%", "X-Lab: 7"], field: "X-Lab", value: "7"),
        Way(arguments: ["--cookie-jar", "@"], field: "Cookie", value: "sid=7"),
    ]

    private static func expectOnAir(_ way: Way) async throws {
        let origin = try await GuardedOrigin(on: way.address) { visit in
            guard let field = way.field, !visit.isBeacon, visit.field(field) != way.value else { return .pass() }
            return .answer(.answer("403 Forbidden"))
        }
        let folder = try TemporaryFolder()
        try folder.write("127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t7\n", to: "cookies.txt")
        func filled(_ text: String) -> String {
            text.replacing("%", with: "\(origin.port)").replacing("@", with: folder.file("cookies.txt"))
        }
        let url = "http://\(filled(way.host))\(OriginResponder.masterPath)"
        try await PeerScreen.expect("ON AIR", of: [url] + way.arguments.map(filled), typing: [("LIVE", "")])
        try await origin.stop()
        #expect(origin.requests.contains { $0.line.contains("/metadata") })
    }

    @Test(arguments: ways) func theStreamIsFollowed(_ way: Way) async throws {
        try await Self.expectOnAir(way)
    }

    @Test(.enabled(if: ScriptedServer.hasIPv6, "this machine has no address ::1"))
    func theStreamIsFollowedOverIPv6() async throws {
        try await Self.expectOnAir(Way(arguments: ["-6"], host: "[::1]:%", address: "::1"))
    }

    /// A live playlist of this moment.
    private static func playlist() -> String {
        let now = Int64(Date().timeIntervalSince1970)
        let segments = ((now - 8)..<now).map { second in
            "#EXT-X-PROGRAM-DATE-TIME:\(UnixTime(milliseconds: second * 1_000).iso8601)\n#EXTINF:1,\n\(second).ts\n"
        }
        return "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(now - 8)\n" + segments.joined()
    }

    /// A certificate that is not verified is marked all the time, and the session names HTTP/2.
    @Test(.enabled(if: CertificateFolder.openssl != nil, "there is no openssl program"))
    func aServerThatIsNotVerifiedIsMarked() async throws {
        let folder = try CertificateFolder()
        let server = try await HTTP2Server(folder) { _ in .body(Self.playlist()) }
        let url = server.url("/live.m3u8")
        try await PeerScreen.expect(
            "HTTP/2", of: [url, "--insecure"], typing: [("INSECURE", ""), ("LIVE", ":session\r")])
        #expect(!server.requests.isEmpty && server.requests.allSatisfy { $0.hasSuffix(" 2") })
        let count = server.requests.count
        try await PeerScreen.expect("is not trusted", of: [url])
        #expect(server.requests.count == count)
    }
}
