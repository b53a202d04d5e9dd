import AdTracking
import Live
import Ports
import Session

/// Which certificates are trusted, and which one is shown.
struct CertificateSettings: Equatable, Sendable {
    /// PEM file of further roots.
    var trusted: String?
    /// PEM file of the client certificate.
    var certificate: String?
    /// PEM file of its key; nil is that of the certificate.
    var key: String?
    /// Variable of the environment with the passphrase of the key.
    var passphraseVariable: String?
    var isInsecure = false
    /// Whether beacons may leave for public hosts although their certificates are not verified.
    var firesAnyway = false

    /// Reads the files. Errors name the flag or variable.
    func tls(environment: [String: String]) throws(CommandFailure) -> TLSSettings {
        var tls = TLSSettings()
        tls.isInsecure = isInsecure
        tls.verifiesTrackers = !firesAnyway
        if let file = Self.value("SSL_CERT_FILE", environment) {
            try Self.reading("SSL_CERT_FILE") { () throws(FileProblem) in try tls.trustOnly(file: file) }
        }
        for folder in Self.value("SSL_CERT_DIR", environment)?.split(separator: ":") ?? [] {
            try Self.reading("SSL_CERT_DIR") { () throws(FileProblem) in try tls.trustOnly(folder: String(folder)) }
        }
        if let trusted { try Self.reading("--cacert") { () throws(FileProblem) in try tls.trust(file: trusted) } }
        let passphrase = try passphrase(environment)
        guard let certificate else {
            guard key == nil else {
                throw CommandFailure(.usage, "--key: there is no certificate for it; add --cert FILE")
            }
            return tls
        }
        try Self.reading(key == nil ? "--cert" : "--key") { () throws(FileProblem) in
            try tls.show(certificate: certificate, key: key ?? certificate, passphrase: passphrase)
        }
        return tls
    }

    private func passphrase(_ environment: [String: String]) throws(CommandFailure) -> String? {
        guard let name = passphraseVariable else { return nil }
        guard let value = environment[name] else {
            throw CommandFailure(.usage, "--key-passphrase-env: the variable '\(name)' is not set; export it")
        }
        return value
    }

    private static func value(_ name: String, _ environment: [String: String]) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func reading(_ place: String, _ body: () throws(FileProblem) -> Void) throws(CommandFailure) {
        do throws(FileProblem) {
            try body()
        } catch {
            throw CommandFailure(.usage, "\(place): \(error)")
        }
    }

    /// The variables that are used, for `adtop config`.
    static func variables(in environment: [String: String]) -> [ConnectionSettings.Variable] {
        let known = [
            ("SSL_CERT_FILE", "certificates trusted instead of the system's"),
            ("SSL_CERT_DIR", "folders of certificates trusted instead of the system's"),
        ]
        return known.compactMap { name, explanation in
            value(name, environment).map { .init(name: name, shown: $0, explanation: explanation) }
        }
    }

    /// Whether beacons of a stream may leave. On a public host, any server that answers would get them.
    func mayFire(for url: WebURL) -> Bool {
        guard isInsecure, !firesAnyway else { return true }
        return url.literalReach == .loopback || url.literalReach == .local
    }

    /// Throws if the settings ask for beacons that may not leave.
    func check(_ mode: ReportingMode?, _ url: WebURL) throws(CommandFailure) {
        guard mode == .fire, !mayFire(for: url) else { return }
        throw CommandFailure(
            .usage,
            "--insecure: with --fire the beacons of \(url.host) could go to any server; remove one of them, or add --fire-anyway"
        )
    }

    /// The same for the notices of an auction.
    func checkNotices() throws(CommandFailure) {
        guard isInsecure, !firesAnyway else { return }
        throw CommandFailure(
            .usage,
            "--insecure: with --fire the notices could go to any server; remove one of them, or add --fire-anyway")
    }
}
