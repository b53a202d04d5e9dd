import Foundation
import TestSupport

/// Certificates made for a test: an issuer (`ca.pem`), a server for localhost and 192.0.2.1, and a client, with their keys.
/// `locked.key` is the client's key with the passphrase `open sesame`; there are the folders `hashed` and `empty`.
package final class CertificateFolder: Sendable {
    /// What went wrong.
    package struct Problem: Error {
        /// The command.
        package let arguments: [String]
    }

    /// The program that makes them; nil where it is not installed.
    package static let openssl = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl", "/usr/local/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    private let place: TemporaryFolder

    /// Makes them all.
    package init() throws {
        place = try TemporaryFolder()
        try make("-x509", "-subj", "/CN=Issuer", "-keyout", file("ca.key"), "-out", file("ca.pem"))
        try sign("server", extensions: "subjectAltName=DNS:localhost,IP:192.0.2.1")
        try sign("client", extensions: "extendedKeyUsage=clientAuth")
        try lock("locked", with: "open sesame")
        for name in ["hashed", "empty"] {
            try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
        }
    }

    /// Its own path.
    package var path: String { place.path }

    /// The path of a file or folder.
    package func file(_ name: String) -> String { place.file(name) }

    /// Writes the client's key as `NAME.key`, encrypted with a passphrase.
    package func lock(_ name: String, with passphrase: String) throws {
        try Self.run([
            "pkcs8", "-topk8", "-v2", "aes-256-cbc", "-passout", "pass:\(passphrase)", "-in", file("client.key"),
            "-out",
            file("\(name).key"),
        ])
    }

    private func sign(_ name: String, extensions: String) throws {
        try make(
            "-x509", "-subj", "/CN=\(name)", "-CA", file("ca.pem"), "-CAkey", file("ca.key"), "-addext",
            "basicConstraints=critical,CA:FALSE", "-addext", extensions, "-keyout", file("\(name).key"), "-out",
            file("\(name).pem"))
    }

    /// Adds the certificate `NAME.pem` with its key, signed by another of the folder: for localhost, or of an issuer.
    /// - Parameters:
    ///   - start, end: dates as `YYYYMMDDHHMMSSZ`.
    ///   - issuer: nil signs it with its own key.
    package func issue(
        _ name: String, names: String = "DNS:localhost", from start: String = "20200101000000Z",
        until end: String = "20900101000000Z", by issuer: String? = "ca", isIssuer: Bool = false
    ) throws {
        let kind = isIssuer ? "CA:TRUE" : "CA:FALSE\nsubjectAltName=\(names)"
        try place.write(
            """
            [ca]
            default_ca=d
            [d]
            database=\(file("index"))
            new_certs_dir=\(place.path)
            rand_serial=yes
            unique_subject=no
            default_md=sha256
            policy=p
            x509_extensions=x
            [p]
            commonName=supplied
            [x]
            basicConstraints=critical,\(kind)
            """, to: "issue.cnf")
        try place.write("", to: "index")
        let key = file("\(name).key")
        try Self.run([
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=\(name)",
            "-keyout", key, "-out", file("\(name).csr"),
        ])
        let signer =
            issuer.map { ["-cert", file("\($0).pem"), "-keyfile", file("\($0).key")] }
            ?? ["-selfsign", "-keyfile", key]
        try Self.run(
            [
                "ca", "-batch", "-notext", "-config", file("issue.cnf"), "-startdate", start, "-enddate", end, "-in",
                file("\(name).csr"), "-out", file("\(name).pem"),
            ] + signer)
    }

    private func make(_ arguments: String...) throws {
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        try Self.run(["req"] + key + arguments)
    }

    private static func run(_ arguments: [String]) throws {
        guard let openssl, ShortCommand.succeeds([openssl] + arguments) else { throw Problem(arguments: arguments) }
    }
}
