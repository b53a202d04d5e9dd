import Foundation
import NIOCore
import NIOPosix
import Ports
import ScriptedServers
import TestSupport
import Testing

@testable import Live

/// Certificates of both sides, against `openssl s_server` and proxies in this process.
@Suite(.enabled(if: CertificateFolder.openssl != nil, "there is no openssl program")) struct CertificateTests {
    private func send(
        _ url: String, _ plan: ConnectionPlan, audience: HTTPRequest.Audience = .stream
    ) async throws -> HTTPExchange {
        let transport = LiveHTTPTransport(plan: plan)
        var request = HTTPRequest(url: try WebURL(url), maximumBodyBytes: 1 << 20)
        request.audience = audience
        let exchange = await transport.send(request)
        await transport.shutdown()
        return exchange
    }

    private func plan(
        trusting folder: CertificateFolder, _ change: (inout ConnectionPlan) throws -> Void = { _ in }
    ) throws -> ConnectionPlan {
        var plan = ConnectionPlan()
        try plan.tls.trust(file: folder.file("ca.pem"))
        try change(&plan)
        return plan
    }

    @Test func insecureAcceptsAnything() async throws {
        let folder = try CertificateFolder()
        let server = try TLSServer(folder)
        let strict = try await send("https://localhost:\(server.port)/", ConnectionPlan())
        #expect(strict.failure?.kind == .tls)
        var plan = ConnectionPlan()
        plan.tls.isInsecure = true
        #expect(try await send("https://127.0.0.1:\(server.port)/", plan).status == 200)
        // Through a proxy and by another address, too.
        let proxy = try await ScriptedProxy()
        plan.proxies = try ProxyChoice(
            proxy: try ProxyServer("http://127.0.0.1:\(proxy.port)"), environment: [:])
        #expect(try await send("https://192.0.2.1:\(server.port)/", plan).status == 200)
        #expect(proxy.requests == ["CONNECT 192.0.2.1:\(server.port)"])
    }

    /// Who is not verified may be anyone: beacons for public hosts do not go there, those for this computer do.
    @Test func insecureDoesNotHoldForTrackers() async throws {
        let folder = try CertificateFolder()
        let server = try TLSServer(folder)
        var plan = ConnectionPlan()
        plan.tls.isInsecure = true
        try plan.overrides.addConnection("t.example:443:127.0.0.1:\(server.port)")
        #expect(try await send("https://t.example/", plan).status == 200)
        #expect(try await send("https://t.example/", plan, audience: .tracker).failure?.kind == .tls)
        #expect(try await send("https://localhost:\(server.port)/", plan, audience: .tracker).status == 200)
        plan.tls.verifiesTrackers = false
        #expect(try await send("https://t.example/", plan, audience: .tracker).status == 200)
    }

    @Test func rootsMayBeReplaced() async throws {
        let folder = try CertificateFolder()
        let server = try TLSServer(folder)
        var plan = ConnectionPlan()
        try plan.tls.trustOnly(file: folder.file("ca.pem"))
        #expect(try await send("https://localhost:\(server.port)/", plan).status == 200)
        let hashed = folder.file("hashed")
        try FileManager.default.copyItem(atPath: folder.file("ca.pem"), toPath: hashed + "/0123abcd.0")
        var other = ConnectionPlan()
        try other.tls.trustOnly(folder: hashed)
        #expect(try await send("https://localhost:\(server.port)/", other).status == 200)
        #expect(
            throws: FileProblem(
                path: folder.file("empty"),
                reason: .malformed("has no certificates with hashed names; run openssl rehash on it"))
        ) { try other.tls.trustOnly(folder: folder.file("empty")) }
    }

    /// The stream's servers see the certificate if they ask; trackers do not, even on the same host.
    @Test(arguments: [false, true]) func onlyTheStreamSeesTheClientCertificate(_ isRouted: Bool) async throws {
        let folder = try CertificateFolder()
        let server = try TLSServer(folder, ["-Verify", "1", "-CAfile", folder.file("ca.pem"), "-verify_return_error"])
        let plan = try plan(trusting: folder) {
            try $0.tls.show(certificate: folder.file("client.pem"), key: folder.file("client.key"), passphrase: nil)
            if isRouted { try $0.overrides.addResolve("localhost:\(server.port):127.0.0.1") }
        }
        let url = "https://localhost:\(server.port)/"
        #expect(try await send(url, plan).status == 200)
        for audience in [HTTPRequest.Audience.tracker, .other] {
            let exchange = try await send(url, plan, audience: audience)
            #expect(exchange.failure != nil, "\(audience)")
        }
        // In TLS 1.3 the alert comes after the handshake, in 1.2 as its end.
        let without = try await send(url, try self.plan(trusting: folder))
        #expect(without.failure?.message == "server requires a client certificate")
        #expect(without.failure?.rejection == .clientCertificate)
    }

    @Test func keysThatDoNotFitAreErrors() throws {
        let folder = try CertificateFolder()
        var settings = TLSSettings()
        let (certificate, key) = (folder.file("client.pem"), folder.file("server.key"))
        #expect(
            throws: FileProblem(
                path: key, reason: .malformed("is not the key of \(certificate); give the key that fits it"))
        ) { try settings.show(certificate: certificate, key: key, passphrase: nil) }
        #expect(
            throws: FileProblem(path: certificate, reason: .malformed("is not a PEM file with a private key"))
        ) { try settings.show(certificate: certificate, key: certificate, passphrase: nil) }
        let locked = folder.file("locked.key")
        #expect(
            throws: FileProblem(
                path: locked,
                reason: .malformed("is encrypted; name the variable with its passphrase with --key-passphrase-env"))
        ) { try settings.show(certificate: certificate, key: locked, passphrase: nil) }
        #expect(
            throws: FileProblem(
                path: locked,
                reason: .malformed(
                    "is encrypted with another passphrase; correct the variable of --key-passphrase-env"))
        ) { try settings.show(certificate: certificate, key: locked, passphrase: "wrong") }
        try settings.show(certificate: certificate, key: locked, passphrase: "open sesame")
        #expect(settings.hasIdentity)
    }

    /// TLS with the proxy, then the tunnel, then TLS with the server: each with its own name.
    @Test func anHTTPSProxyIsVerified() async throws {
        let folder = try CertificateFolder()
        let server = try TLSServer(folder)
        let proxy = try await ScriptedProxy(
            tls: ScriptedProxy.context(certificate: folder.file("server.pem"), key: folder.file("server.key")))
        func through(_ plan: inout ConnectionPlan) throws {
            plan.proxies = try ProxyChoice(
                proxy: try ProxyServer("https://localhost:\(proxy.port)"), environment: [:])
        }
        #expect(try await send("https://localhost:\(server.port)/", plan(trusting: folder, through)).status == 200)
        #expect(proxy.requests == ["CONNECT localhost:\(server.port)"])
        let plain = try await ScriptedServer { _ in [.answer()] }
        #expect(try await send("http://name.invalid:\(plain.port)/", plan(trusting: folder, through)).status == 200)
        var untrusting = ConnectionPlan()
        untrusting.tls.isInsecure = true
        try through(&untrusting)
        let failure = try await send("http://name.invalid:\(plain.port)/", untrusting).failure
        #expect(failure?.kind == .proxy)
        #expect(
            failure?.message
                == "proxy https://localhost:\(proxy.port): certificate is not trusted (expired, self-signed or of an unknown issuer)"
        )
    }

    /// Where the peer is another address than that of the URL, the certificate must be for that of the URL.
    @Test func addressesInURLsAreCompared() async throws {
        let folder = try CertificateFolder()
        let server = try TLSServer(folder)
        let plan = try plan(trusting: folder) {
            try $0.overrides.addConnection("192.0.2.1:443:127.0.0.1:\(server.port)")
            try $0.overrides.addConnection("192.0.2.2:443:127.0.0.1:\(server.port)")
            try $0.overrides.addConnection("other.invalid:443:127.0.0.1:\(server.port)")
        }
        #expect(try await send("https://192.0.2.1/", plan).status == 200)
        for host in ["192.0.2.2", "other.invalid"] {
            let failure = try await send("https://\(host)/", plan).failure
            #expect(failure?.rejection == .otherHost)
            #expect(failure?.message.hasPrefix("certificate is for localhost, 192.0.2.1, not for \(host): ") == true)
        }
    }
}
