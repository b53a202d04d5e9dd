import Foundation
import Ports
import ScriptedServers
import TestSupport
import Testing

/// What a person is advised when a proxy is at fault: on the card of a stream that cannot be opened, and by `adtop doctor`.
@Suite struct ProxyFaultTests {
    /// A proxy that does not work.
    struct Fault: Sendable, CustomTestStringConvertible {
        var name: String
        var kind = ScriptedProxy.Kind.http
        var login: String?
        var refusal: ScriptedProxy.Refusal?
        /// The scheme of the proxy, and of the stream.
        var scheme = "http"
        var stream = "https"
        var problem: String
        /// Words of the advice.
        var advice: String
        /// Those on the card, where a session does not know as much: a proxy that is silent may not be there.
        var cardAdvice: String?

        var testDescription: String { name }
    }

    static let faults = [
        Fault(name: "login, tunnel", login: "u:p", problem: "proxyLogin", advice: "user and password in its URL"),
        Fault(
            name: "login, forwarded", login: "u:p", stream: "http", problem: "proxyLogin",
            advice: "user and password in its URL"),
        Fault(
            name: "login, SOCKS", kind: .socks, login: "u:p", scheme: "socks5h", problem: "proxyLogin",
            advice: "user and password in its URL"),
        // It answers as a server does, and it is not known who did.
        Fault(
            name: "401, forwarded", refusal: .answer("HTTP/1.1 401 Login\r\nContent-Length: 0\r\n\r\n"), stream: "http",
            problem: "unauthorized", advice: "The proxy may have answered instead"),
        Fault(
            name: "not HTTP, tunnel", refusal: .answer("220 mail.example\r\n\r\n"), problem: "notAProxy",
            advice: "no proxy of this kind"),
        Fault(
            name: "not HTTP, forwarded", refusal: .answer("220 mail.example\r\n\r\n"), stream: "http",
            problem: "notAProxy", advice: "no proxy of this kind"),
        Fault(
            name: "HTTP, not SOCKS", scheme: "socks5h", problem: "notAProxy", advice: "no proxy of this kind",
            cardAdvice: "or does not answer"),
        Fault(name: "closed", refusal: .close, problem: "notAProxy", advice: "no proxy of this kind"),
        Fault(
            name: "forbidden", refusal: .answer("HTTP/1.1 403 no\r\nContent-Length: 0\r\n\r\n"),
            problem: "proxyRejected", advice: "does not allow this connection"),
        Fault(
            name: "bad gateway", refusal: .answer("HTTP/1.1 502 no\r\nContent-Length: 0\r\n\r\n"),
            problem: "proxyWithoutServer", advice: "cannot reach the server"),
        Fault(
            name: "rule of SOCKS", kind: .socks, refusal: .code(2), scheme: "socks5h", problem: "proxyRejected",
            advice: "does not allow this connection"),
        Fault(
            name: "no host, SOCKS", kind: .socks, refusal: .code(4), scheme: "socks5h", problem: "proxyWithoutServer",
            advice: "cannot reach the server"),
    ]

    @Test(arguments: faults) func theAdviceIsAboutTheProxy(_ fault: Fault) async throws {
        let proxy = try await ScriptedProxy(fault.kind, login: fault.login, refusal: fault.refusal)
        try await Self.check(fault, port: proxy.port)
        try await proxy.stop()
    }

    /// A tool names both, with and without a login in the proxy's URL. SOCKS proxies answer nothing of HTTP.
    @Test(arguments: ["", "u:p@"]) func a401IsTheServersOrTheProxys(login: String) async throws {
        let refusal = ScriptedProxy.Refusal.answer("HTTP/1.1 401 Login\r\nContent-Length: 0\r\n\r\n")
        let proxy = try await ScriptedProxy(refusal: refusal)
        let run = try await AdtopProcess.run([
            "hls", "parse", "http://stream.invalid/live.m3u8", "--proxy", "http://\(login)127.0.0.1:\(proxy.port)",
        ])
        let place = "http://127.0.0.1:\(proxy.port)"
        try await proxy.stop()
        #expect(
            run.status == 3 && run.errors.contains("the server, or the proxy \(place), answered 401"), "\(run.errors)")
    }

    @Test func aProxyThatIsAwayIsTheProxysMatter() async throws {
        for stream in ["http", "https"] {
            // Nothing listens on the first port.
            try await Self.check(
                Fault(
                    name: "away", stream: stream, problem: "proxyUnreachable",
                    advice: "The proxy cannot be reached, or does not answer"),
                port: 1)
        }
    }

    @Test(.enabled(if: CertificateFolder.openssl != nil, "there is no openssl program"))
    func anUntrustedCertificateOfAProxyIsTheProxys() async throws {
        let folder = try CertificateFolder()
        let context = try ScriptedProxy.context(certificate: folder.file("server.pem"), key: folder.file("server.key"))
        let proxy = try await ScriptedProxy(tls: context)
        try await Self.check(
            Fault(
                name: "certificate", scheme: "https", problem: "proxyCertificate",
                advice: "--cacert FILE trusts its issuer"),
            port: proxy.port, host: "localhost")
        try await proxy.stop()
    }

    private static func check(_ fault: Fault, port: Int, host: String = "127.0.0.1") async throws {
        let way = ["\(fault.stream)://stream.invalid/live.m3u8", "--proxy", "\(fault.scheme)://\(host):\(port)"]
        let state = try TemporaryFolder()
        let doctor = try await AdtopChild(["doctor"] + way + ["--json"], state: state.path).end()
        #expect(doctor.status == 3, "\(doctor.errors)")
        let rows = try doctor.json()["rows"]?.arrayValue ?? []
        let failed = rows.filter { $0["state"] == "failed" }
        #expect(failed.first?["problem"]?.stringValue == fault.problem, "\(doctor.output)")
        #expect(failed.first?["advice"]?.stringValue?.contains(fault.advice) == true, "\(doctor.output)")
        // Usually the first frame has it; a busy machine may need longer.
        let advice = fault.cardAdvice ?? fault.advice
        var (words, screen) = ("", "")
        for span in ["1s", "4s", "16s"] where !words.contains(advice) {
            let frame = try await AdtopChild(
                way + ["--dump", "--for", span, "--size", "160x40", "--no-journal", "--no-init-request"],
                state: state.path
            ).end()
            screen = frame.output + frame.errors
            words = frame.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        #expect(words.contains(advice), "\(screen)")
    }
}
