import Crypto
import Foundation
import NIOSSL
package import Ports
import SwiftASN1
import X509

/// The certificates of this machine: an authority that may certify only this machine, and a leaf signed by it
/// (CACHE-6). They are created on first use, never shipped, and never copied from another machine.
package struct LocalCertificates: Sendable {
    /// The existing certificates.
    package struct Status: Hashable, Sendable {
        package var folder: String
        package var authorityFile: String
        /// SHA-256 of the authority's DER form, as shown by browsers.
        package var fingerprint: String
        package var authorityEnd: UnixTime
        package var leafEnd: UnixTime
        /// Whether the key exists. Without it a new leaf needs a new authority, which users must trust again.
        package var hasAuthorityKey: Bool
    }

    /// The result of a request for certificates.
    package enum Change: Hashable, Sendable {
        case kept, renewed
        /// A new authority: browsers accept the leaf only after the user trusts it.
        case made
        /// The existing certificates were from another machine and were replaced.
        case madeForThisMachine
    }

    package static let authorityDays = 825
    package static let leafDays = 90
    /// A leaf is renewed when fewer days remain.
    package static let renewalDays = 10

    /// The name in the leaf, which the authority may certify.
    package static let name = "localhost"

    enum FileName {
        static let authority = "ca.crt"
        static let authorityKey = "ca.key"
        static let leaf = "leaf.crt"
        static let leafKey = "leaf.key"
        static let machine = "machine"
        static let all = [authority, authorityKey, leaf, leafKey, machine]
    }

    private let folder: PlainFolder
    private let machine: String
    private let wallClock: @Sendable () -> UnixTime
    private static let maximumBytes = 64 << 10

    /// `machine` identifies this machine; only its hash is stored.
    package init(
        folder: String, machine: String = MachineIdentity.text, wallClock: @escaping @Sendable () -> UnixTime
    ) throws(CreativeServerError) {
        self.folder = try Self.wrap { () throws(FileProblem) in try PlainFolder(making: folder) }
        self.machine = Array(SHA256.hash(data: Data("adtop \(machine)".utf8))).hexadecimal
        self.wallClock = wallClock
    }

    /// `$XDG_DATA_HOME/adtop/tls`, else below `~/.local/share`; nil when neither is an absolute path.
    package static func defaultPath(environment: [String: String]) -> String? {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/adtop/tls" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/share/adtop/tls" }
        return nil
    }

    // MARK: Keeping

    /// Ensures valid certificates: keeps the existing ones, renews a leaf that expires soon, or creates all if there
    /// are none.
    @discardableResult
    package func ensure(forgettingAuthorityKey: Bool = false) throws(CreativeServerError) -> Change {
        let isOurs = (try? text(FileName.machine)) == machine
        let hasOther = !isOurs && (try? text(FileName.authority)) != nil
        let now = wallClock()
        defer { if forgettingAuthorityKey { folder.remove(FileName.authorityKey) } }
        // Unreadable certificates are created again.
        guard isOurs, let status = try? status(), status.authorityEnd > now + Self.days(Self.renewalDays),
            (try? text(FileName.leafKey)) != nil
        else {
            try makeAll(at: now)
            return hasOther ? .madeForThisMachine : .made
        }
        guard status.leafEnd < now + Self.days(Self.renewalDays) else { return .kept }
        guard status.hasAuthorityKey else {
            guard status.leafEnd <= now else { return .kept }
            try makeAll(at: now)
            return .made
        }
        try makeLeaf(at: now)
        return .renewed
    }

    /// Creates a new leaf from the existing authority.
    package func renew() throws(CreativeServerError) {
        guard try status().hasAuthorityKey else {
            throw .certificates(
                "the authority's key was forgotten; run adtop cache cert remove, then init, and trust the new authority"
            )
        }
        try makeLeaf(at: wallClock())
    }

    /// Removes all files and returns their number.
    package func remove() -> Int { FileName.all.count { folder.remove($0) } }

    package func status() throws(CreativeServerError) -> Status {
        let authority = try certificate(FileName.authority)
        let leaf = try certificate(FileName.leaf)
        let der = try Self.wrapAny(damaged(FileName.authority)) { try authority.serializeAsPEM().derBytes }
        return Status(
            folder: folder.path, authorityFile: folder.file(FileName.authority),
            fingerprint: SHA256.hash(data: Data(der)).map(\.upperHexadecimal).joined(separator: ":"),
            authorityEnd: Self.time(authority.notValidAfter), leafEnd: Self.time(leaf.notValidAfter),
            hasAuthorityKey: (try? text(FileName.authorityKey)) != nil)
    }

    /// The certificates and keys for the server's TLS, created or renewed if necessary.
    package func identity() throws(CreativeServerError) -> TLSIdentity {
        try ensure()
        let end = try status().leafEnd
        let leaf = try text(FileName.leaf), key = try text(FileName.leafKey)
        let context = try Self.wrapAny(damaged(FileName.leaf)) {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(leaf.utf8)).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: configuration)
        }
        return TLSIdentity(context: context, end: end, authority: try text(FileName.authority))
    }

    // MARK: Making

    private func makeAll(at now: UnixTime) throws(CreativeServerError) {
        let key = P256.Signing.PrivateKey()
        let name = try Self.wrapAny {
            // Two authorities of one machine need different names in a trust store.
            try DistinguishedName {
                CommonName("adtop local authority \(UInt32.random(in: 0 ... .max))")
                OrganizationName("adtop, for this machine only")
            }
        }
        let authority = try Self.wrapAny {
            try CertificateText.authority(key: key, name: name, from: now, days: Self.authorityDays)
        }
        FileName.all.forEach { folder.remove($0) }
        try write(FileName.authorityKey, key.pemRepresentation)
        try write(FileName.authority, authority)
        try write(FileName.machine, machine)
        try makeLeaf(at: now)
    }

    private func makeLeaf(at now: UnixTime) throws(CreativeServerError) {
        let authority = try certificate(FileName.authority)
        let authorityKey = try text(FileName.authorityKey)
        let key = P256.Signing.PrivateKey()
        let leaf = try Self.wrapAny(damaged(FileName.authorityKey)) {
            try CertificateText.leaf(
                key: key, authority: authority,
                authorityKey: try P256.Signing.PrivateKey(pemRepresentation: authorityKey), from: now,
                days: Self.leafDays)
        }
        try write(FileName.leafKey, key.pemRepresentation)
        try write(FileName.leaf, leaf)
    }

    // MARK: Files

    private func certificate(_ name: String) throws(CreativeServerError) -> Certificate {
        let pem = try text(name)
        return try Self.wrapAny(damaged(name)) { try Certificate(pemEncoded: pem) }
    }

    private func damaged(_ name: String) -> String { "\(folder.file(name)) is damaged" }

    private func text(_ name: String) throws(CreativeServerError) -> String {
        try Self.wrap { () throws(FileProblem) in
            String(decoding: try folder.read(name, limit: Self.maximumBytes).bytes, as: UTF8.self)
        }
    }

    private func write(_ name: String, _ text: String) throws(CreativeServerError) {
        _ = try Self.wrap { () throws(FileProblem) in try folder.replace(name, with: Array(text.utf8)) }
    }

    private static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }

    private static func time(_ date: Date) -> UnixTime {
        UnixTime(milliseconds: Int64(date.timeIntervalSince1970) * 1_000)
    }

    private static func wrap<Value>(
        _ body: () throws(FileProblem) -> Value
    ) throws(CreativeServerError) -> Value {
        do throws(FileProblem) {
            return try body()
        } catch {
            throw .certificates(
                error.reason == .missing ? "\(error) (adtop cache cert init creates it)" : "\(error)")
        }
    }

    /// The errors of the certificate libraries name neither the file nor what helps.
    private static func wrapAny<Value>(
        _ clause: String = "certificates cannot be made here", _ body: () throws -> Value
    ) throws(CreativeServerError) -> Value {
        do {
            return try body()
        } catch {
            throw .certificates("\(clause); adtop cache cert remove, then init, makes new ones")
        }
    }
}

/// The certificates and key by which a server proves its name.
package struct TLSIdentity: Sendable {
    let context: NIOSSLContext
    /// The first moment at which it is no longer valid.
    package let end: UnixTime
    /// Certificate that clients must trust, as PEM.
    package let authority: String
}

/// Identifies this machine.
package enum MachineIdentity {
    /// The machine id of systemd or D-Bus, else the host name.
    package static var text: String {
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            // Containers often have no machine id.
            if let text = try? String(contentsOfFile: path, encoding: .utf8), !text.isEmpty { return text }
        }
        return ProcessInfo.processInfo.hostName
    }
}
