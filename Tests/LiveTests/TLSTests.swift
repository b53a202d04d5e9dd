import Foundation
import Live
import Ports
import ScriptedServers
import TestSupport
import Testing

/// TLS against `openssl s_server` with a certificate made for the test.
@Suite(.enabled(if: CertificateFolder.openssl != nil, "there is no openssl program")) struct TLSTests {
    private func exchange(
        with url: String, trusting file: String? = nil, _ change: (inout HTTPRequest) -> Void = { _ in }
    ) async throws -> HTTPExchange {
        var plan = ConnectionPlan()
        if let file { try plan.tls.trust(file: file) }
        let transport = LiveHTTPTransport(plan: plan)
        var request = HTTPRequest(url: try WebURL(url), maximumBodyBytes: 1 << 20)
        change(&request)
        let exchange = await transport.send(request)
        await transport.shutdown()
        return exchange
    }

    @Test func anUnknownIssuerIsNotTrusted() async throws {
        let folder = try CertificateFolder()
        let server = try TLSServer(folder)
        let exchange = try await exchange(with: "https://localhost:\(server.port)/")
        #expect(
            exchange.failure
                == HTTPFailure(
                    .tls, "certificate is not trusted (expired, self-signed or of an unknown issuer)",
                    rejection: .untrusted))
    }

    @Test func aTrustedCertificateIsAccepted() async throws {
        let folder = try CertificateFolder()
        let server = try TLSServer(folder)
        let exchange = try await exchange(with: "https://localhost:\(server.port)/", trusting: folder.file("ca.pem"))
        #expect(exchange.failure == nil)
        #expect(exchange.status == 200)
    }

    @Test func aCertificateForAnotherHostIsRejected() async throws {
        let folder = try CertificateFolder()
        let server = try TLSServer(folder)
        let exchange = try await exchange(with: "https://127.0.0.1:\(server.port)/", trusting: folder.file("ca.pem"))
        #expect(
            exchange.failure
                == HTTPFailure(.tls, "certificate is for another host", rejection: .otherHost))
    }

    /// A beacon that was encrypted is not sent on in the clear (docs/security.md).
    @Test(arguments: [false, true]) func aRedirectFromHTTPSToHTTP(isAllowed: Bool) async throws {
        let folder = try CertificateFolder()
        let target = try await ScriptedServer { _ in [.answer()] }
        let answer = "HTTP/1.1 302 Found\r\nLocation: \(target.url("/plain"))\r\nContent-Length: 0\r\n\r\n"
        try Data(answer.utf8).write(to: URL(filePath: folder.file("redirect")))
        let server = try TLSServer(folder, ["-HTTP"])
        let url = "https://localhost:\(server.port)/redirect"
        let exchange = try await exchange(with: url, trusting: folder.file("ca.pem")) {
            $0.redirectRule = RedirectRule(allowedHosts: nil, allowsDowngrade: isAllowed)
        }
        try await target.stop()
        #expect(exchange.failure?.kind == (isAllowed ? nil : .addressNotAllowed), "\(exchange)")
        #expect(target.requests.map(\.line) == (isAllowed ? ["GET /plain"] : []))
    }

    @Test func aFileWithoutCertificatesIsAnError() throws {
        var settings = TLSSettings()
        #expect(throws: FileProblem(path: "/no/such.pem", reason: .missing)) {
            try settings.trust(file: "/no/such.pem")
        }
        let folder = try TemporaryFolder()
        try Data("no certificate".utf8).write(to: URL(filePath: folder.file("x.pem")))
        #expect(
            throws: FileProblem(
                path: folder.file("x.pem"), reason: .malformed("is not a PEM file of certificates"))
        ) { try settings.trust(file: folder.file("x.pem")) }
    }
}
