import Foundation
import Ports
import ScriptedServers
import Testing

@testable import Live

/// What a person reads of a certificate that was rejected, against `openssl s_server`.
@Suite(.enabled(if: CertificateFolder.openssl != nil, "there is no openssl program")) struct RejectedCertificateTests {
    /// A server whose certificate is rejected.
    struct Fault: Sendable, CustomTestStringConvertible {
        var name: String
        var rejection: CertificateRejection
        /// The start of the failure.
        var message: String
        var prepare: @Sendable (CertificateFolder) throws -> Void = { _ in }
        /// The URL's host.
        var host = "localhost"
        /// Further arguments of the server.
        var arguments: @Sendable (CertificateFolder) -> [String] = { _ in [] }
        var isTrusted = true

        var testDescription: String { name }
    }

    static let faults = [
        Fault(
            name: "expired", rejection: .expired,
            message: "certificate expired on 2021-03-04 05:06Z: leaf, issued by Issuer",
            prepare: { try $0.issue("leaf", until: "20210304050607Z") }),
        Fault(
            name: "early", rejection: .notYetValid,
            message:
                "certificate is not valid before 2080-03-04 05:06Z: leaf, issued by Issuer, valid until 2090-01-01 00:00Z",
            prepare: { try $0.issue("leaf", from: "20800304050607Z") }),
        Fault(
            name: "other host", rejection: .otherHost,
            message:
                "certificate is for a.example, b.example, c.example and 1 more, not for localhost: leaf, issued by Issuer, valid until 2090-01-01 00:00Z",
            prepare: { try $0.issue("leaf", names: "DNS:a.example,DNS:b.example,DNS:c.example,DNS:d.example") }),
        Fault(
            name: "other address", rejection: .otherHost,
            message:
                "certificate is for localhost, 192.0.2.1, 2001:db8:0:0:0:0:0:1, not for 127.0.0.1: leaf, issued by Issuer, valid until 2090-01-01 00:00Z",
            prepare: { try $0.issue("leaf", names: "DNS:localhost,IP:192.0.2.1,IP:2001:db8::1") }, host: "127.0.0.1"),
        Fault(
            name: "unknown issuer", rejection: .unknownIssuer,
            message:
                "certificate issuer 'Issuer' is not trusted: leaf, issued by Issuer, valid until 2090-01-01 00:00Z; the server sent no intermediate certificate",
            prepare: { try $0.issue("leaf") }, isTrusted: false),
        Fault(
            name: "self-signed", rejection: .selfSigned,
            message: "certificate is self-signed: leaf, issued by leaf, valid until 2090-01-01 00:00Z",
            prepare: { try $0.issue("leaf", by: nil) }),
        Fault(
            name: "missing intermediate", rejection: .unknownIssuer,
            message:
                "certificate issuer 'between' is not trusted: leaf, issued by between, valid until 2090-01-01 00:00Z; the server sent no intermediate certificate",
            prepare: {
                try $0.issue("between", isIssuer: true)
                try $0.issue("leaf", by: "between")
            }),
        Fault(
            name: "unknown issuer above an intermediate", rejection: .unknownIssuer,
            message:
                "certificate issuer 'Issuer' is not trusted: leaf, issued by between, valid until 2090-01-01 00:00Z",
            prepare: {
                try $0.issue("between", isIssuer: true)
                try $0.issue("leaf", by: "between")
            }, arguments: { ["-cert_chain", $0.file("between.pem")] }, isTrusted: false),
        Fault(
            name: "expired intermediate", rejection: .expired,
            message: "intermediate certificate expired on 2021-03-04 05:06Z: between, issued by Issuer",
            prepare: {
                try $0.issue("between", until: "20210304050607Z", isIssuer: true)
                try $0.issue("leaf", by: "between")
            }, arguments: { ["-cert_chain", $0.file("between.pem")] }),
    ]

    private func send(
        _ url: String, _ plan: ConnectionPlan, _ audience: HTTPRequest.Audience = .stream
    ) async throws -> HTTPExchange {
        let transport = LiveHTTPTransport(plan: plan)
        var request = HTTPRequest(url: try WebURL(url), maximumBodyBytes: 1 << 20)
        request.audience = audience
        let exchange = await transport.send(request)
        await transport.shutdown()
        return exchange
    }

    @Test(arguments: faults) func theFailureNamesTheCertificate(_ fault: Fault) async throws {
        let folder = try CertificateFolder()
        try fault.prepare(folder)
        let server = try TLSServer(folder, fault.arguments(folder), name: "leaf")
        let url = "https://\(fault.host):\(server.port)/"
        var plan = ConnectionPlan()
        if fault.isTrusted { try plan.tls.trust(file: folder.file("ca.pem")) }
        let expected = HTTPFailure(.tls, fault.message, rejection: fault.rejection)
        #expect(try await send(url, plan).failure == expected)
        // The same through a proxy, where the connection is one of ours.
        let proxy = try await ScriptedProxy()
        var routed = plan
        routed.proxies = try ProxyChoice(proxy: try ProxyServer("http://127.0.0.1:\(proxy.port)"), environment: [:])
        #expect(try await send(url, routed).failure == expected)
        #expect(proxy.requests.count == 2)
        // The look does not weaken: what is rejected stays rejected, and is accepted only with the flag.
        #expect(try await send(url, plan, .tracker).failure?.kind == .tls)
        plan.tls.isInsecure = true
        #expect(try await send(url, plan).status == 200)
        try await proxy.stop()
    }

    /// The chain is complete with its intermediate certificate.
    @Test func aCompleteChainIsTrusted() async throws {
        let folder = try CertificateFolder()
        try folder.issue("between", isIssuer: true)
        try folder.issue("leaf", by: "between")
        let server = try TLSServer(folder, ["-cert_chain", folder.file("between.pem")], name: "leaf")
        var plan = ConnectionPlan()
        try plan.tls.trust(file: folder.file("ca.pem"))
        #expect(try await send("https://localhost:\(server.port)/", plan).status == 200)
    }

    /// A request that is not of a stream makes one connection.
    @Test func onlyStreamsAreExplained() async throws {
        let folder = try CertificateFolder()
        let server = try TLSServer(folder)
        let failure = try await send("https://localhost:\(server.port)/", ConnectionPlan(), .other).failure
        #expect(failure?.rejection == .untrusted)
        #expect(failure?.message == "certificate is not trusted (expired, self-signed or of an unknown issuer)")
    }
}
