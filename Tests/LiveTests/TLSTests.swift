import Foundation
import Live
import Ports
import TestSupport
import Testing

/// TLS against `openssl s_server` with a certificate made for the test.
@Suite(.enabled(if: Tool.openssl != nil, "there is no openssl program")) struct TLSTests {
    /// The server's process, its port, and its certificate.
    private final class Server {
        let folder: TemporaryFolder
        let process = Process()
        let port: Int
        var certificate: String { folder.file("cert.pem") }

        init() throws {
            folder = try TemporaryFolder()
            let openssl = try #require(Tool.openssl)
            try #require(
                Tool.run(
                    openssl,
                    [
                        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                        "2",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout",
                        folder.file("key.pem"),
                        "-out", folder.file("cert.pem"),
                    ]) != nil)
            process.executableURL = URL(fileURLWithPath: openssl)
            process.arguments = [
                "s_server", "-accept", "127.0.0.1:0", "-cert", folder.file("cert.pem"), "-key", folder.file("key.pem"),
                "-www",
            ]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            try process.run()
            var text = ""
            var found: Int?
            while found == nil {
                let data = output.fileHandleForReading.availableData
                try #require(!data.isEmpty, "openssl s_server ended before it listened: \(text)")
                text += String(decoding: data, as: UTF8.self)
                found = text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1).first {
                    $0.hasPrefix("ACCEPT")
                }
                .flatMap { $0.split(separator: ":").last }.flatMap { Int($0) }
            }
            port = found ?? 0
        }

        deinit {
            // It inherits a signal mask that may block SIGTERM, because threads of a pool start it.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    private func exchange(with url: String, trusting file: String? = nil) async throws -> HTTPExchange {
        var plan = ConnectionPlan()
        if let file { try plan.tls.trust(file: file) }
        let transport = LiveHTTPTransport(plan: plan)
        let exchange = await transport.send(HTTPRequest(url: try WebURL(url), maximumBodyBytes: 1 << 20))
        await transport.shutdown()
        return exchange
    }

    @Test func aSelfSignedCertificateIsNotTrusted() async throws {
        let server = try Server()
        let exchange = try await exchange(with: "https://localhost:\(server.port)/")
        #expect(
            exchange.failure
                == HTTPFailure(
                    .tls, "certificate is not trusted (expired, self-signed or of an unknown issuer)",
                    rejection: .untrusted))
    }

    @Test func aTrustedCertificateIsAccepted() async throws {
        let server = try Server()
        let exchange = try await exchange(with: "https://localhost:\(server.port)/", trusting: server.certificate)
        #expect(exchange.failure == nil)
        #expect(exchange.status == 200)
    }

    @Test func aCertificateForAnotherHostIsRejected() async throws {
        let server = try Server()
        let exchange = try await exchange(with: "https://127.0.0.1:\(server.port)/", trusting: server.certificate)
        #expect(
            exchange.failure
                == HTTPFailure(.tls, "certificate is for another host", rejection: .otherHost))
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
