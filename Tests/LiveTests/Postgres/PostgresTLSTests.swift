import Fleet
import Foundation
import Ports
import ScriptedServers
import Testing

@testable import Live

/// Who may answer for the host of a store: with TLS, on a server of Debian's package.
@Suite(
    .enabled(
        if: TestDatabase.isPossible && CertificateFolder.openssl != nil,
        "PostgreSQL or openssl is not installed (scripts/setup peers)"),
    .timeLimit(.minutes(2)))
struct PostgresTLSTests {
    /// A server on a port of 127.0.0.1 with a certificate for localhost.
    private struct Desk {
        let server: PrivatePostgres
        let certificates: CertificateFolder
        let port: Int

        init() async throws {
            certificates = try CertificateFolder()
            try certificates.issue("stranger", by: nil, isIssuer: true)
            port = try Peer.freePorts(1)[0]
            server = try PrivatePostgres(port: port)
            try await server.waitUntilReady()
        }

        /// The server reads its certificate when it comes to it, and nothing announces that.
        func offerTLS() async throws {
            for name in ["server.pem", "server.key"] { try give(name) }
            let owner = PostgresConnection(
                try PostgresAddress(server.address()), application: "adtop/tests", task: .own)
            try await owner.open()
            for (setting, value) in [
                ("ssl_cert_file", "\(server.folder)/server.pem"), ("ssl_key_file", "\(server.folder)/server.key"),
                ("ssl", "on"),
            ] {
                _ = try await owner.call("ALTER SYSTEM SET \(setting) = '\(value)'")
            }
            _ = try await owner.call("SELECT pg_reload_conf()")
            for _ in 0..<500 {
                if try await problem(self.address("localhost", "sslmode=require")) == nil { return }
                try await Task.sleep(for: .milliseconds(10))
            }
        }

        /// A file that only the user of the server may read.
        private func give(_ name: String) throws {
            let files = FileManager.default
            let copy = "\(server.folder)/\(name)"
            try files.copyItem(atPath: certificates.file(name), toPath: copy)
            let folder = try files.attributesOfItem(atPath: server.folder)
            var attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            if getuid() == 0 {
                attributes[.ownerAccountID] = folder[.ownerAccountID]
                attributes[.groupOwnerAccountID] = folder[.groupOwnerAccountID]
            }
            try files.setAttributes(attributes, ofItemAtPath: copy)
        }

        func address(_ host: String, _ settings: String) -> String {
            "postgres://\(PrivatePostgres.owner)@\(host):\(port)/postgres?hostaddr=127.0.0.1&\(settings)"
        }

        /// Verified with the certificate of an issuer.
        func verified(_ host: String = "localhost", by issuer: String = "ca") -> String {
            address(host, "sslmode=verify-full&sslrootcert=\(certificates.file("\(issuer).pem"))")
        }

        /// Why no connection is made; nil where one is.
        func problem(_ address: String) async throws -> StoreProblem? {
            let connection = PostgresConnection(
                try PostgresAddress(address), application: "adtop/tests", task: .agent)
            return try await storeProblem { try await connection.open() }
        }

        /// What the library reports of a handshake that failed.
        func words(_ address: String) async throws -> String? {
            guard case .noHandshake(_, let words)? = try await problem(address) else { return nil }
            return words
        }
    }

    @Test func onlyTheHostItselfIsBelieved() async throws {
        let desk = try await Desk()
        defer { desk.server.stop() }
        let silent = try await desk.words(desk.verified())
        #expect(silent == "server does not support SSL, but SSL was required")
        try await desk.offerTLS()
        let connection = PostgresConnection(
            try PostgresAddress(desk.verified()), application: "adtop/tests", task: .agent)
        try await connection.open()
        let row = try await connection.call("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()").row
        #expect(try row.flag("ssl"))
        let other = try await desk.words(desk.verified("db.example"))
        #expect(other?.hasPrefix("server certificate for \"localhost\"") == true)
        #expect(other?.hasSuffix("does not match host name \"db.example\"") == true)
        #expect(try await desk.words(desk.verified(by: "stranger")) == "SSL error: certificate verify failed")
        // The library goes on to advise not to verify the certificate.
        let missing = desk.certificates.file("none.pem")
        #expect(
            try await desk.words(desk.verified(by: "none")) == "root certificate file \"\(missing)\" does not exist")
        let problem = try await desk.problem(desk.verified(by: "stranger"))
        #expect(
            problem?.sentence
                == "store: localhost:\(desk.port): SSL error: certificate verify failed; look at sslmode and sslrootcert"
        )
        #expect(problem?.exitCode == 3)
    }

    /// Away from this machine nothing but a verified host gets as far as a connection.
    @Test(arguments: ["", "disable", "allow", "prefer", "require", "verify-ca"])
    func otherHostsAreVerified(mode: String) async throws {
        let setting = mode.isEmpty ? "" : "&sslmode=\(mode)"
        for (address, host) in [
            ("postgres://a@192.0.2.1/adtop?connect_timeout=1\(setting)", "192.0.2.1"),
            ("postgres://a@localhost/adtop?hostaddr=192.0.2.1\(setting)", "localhost"),
            ("postgres://a@localhost,db.invalid/adtop?connect_timeout=1\(setting)", "db.invalid"),
        ] {
            let connection = PostgresConnection(
                try PostgresAddress(address), application: "adtop/tests", task: .agent)
            let problem = try await storeProblem { try await connection.open() }
            #expect(problem == .weakTLS(host: host, given: mode.isEmpty ? "prefer" : mode))
            #expect(problem?.sentence.hasPrefix("store: \(host) needs sslmode=verify-full (given: ") == true)
        }
    }
}
