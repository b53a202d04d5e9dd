import NIOSSL
package import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Which certificates are trusted, and which one is shown.
package struct TLSSettings: Sendable {
    /// Whether the certificates of servers are not verified.
    package var isInsecure = false
    /// Whether those of trackers on public hosts are verified all the same.
    package var verifiesTrackers = true
    private var roots: [NIOSSLCertificate]?
    private var additionalRoots: [NIOSSLCertificate] = []
    private var chain: [NIOSSLCertificate] = []
    private var key: NIOSSLPrivateKey?

    /// Most files that are read of a folder of certificates.
    package static let folderFiles = 4_096

    /// The system's roots, and no certificate of ours.
    package init() {}

    /// Trusts the certificates of a PEM file as well.
    package mutating func trust(file path: String) throws(FileProblem) {
        additionalRoots += try Self.certificates(path)
    }

    /// Trusts the certificates of a PEM file instead of the system's roots.
    package mutating func trustOnly(file path: String) throws(FileProblem) {
        trustOnly(try Self.certificates(path))
    }

    /// Trusts the certificates of a folder instead of the system's roots. Their files have hashed names, such as
    /// `5ed36f99.0`, as OpenSSL wants them (`openssl rehash`).
    package mutating func trustOnly(folder path: String) throws(FileProblem) {
        guard let folder = opendir(path) else { throw FileProblem(path: path, code: errno) }
        defer { closedir(folder) }
        var found: [NIOSSLCertificate] = []
        var files = 0
        while let entry = readdir(folder), files < Self.folderFiles {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard Self.isHashed(name) else { continue }
            files += 1
            // A file that is not readable is as good as none, as it is for OpenSSL.
            found += (try? Self.certificates("\(path)/\(name)")) ?? []
        }
        guard !found.isEmpty else {
            throw FileProblem(
                path: path, reason: .malformed("has no certificates with hashed names; run openssl rehash on it"))
        }
        trustOnly(found)
    }

    /// Each once: a file and a folder of certificates usually hold the same ones.
    private mutating func trustOnly(_ certificates: [NIOSSLCertificate]) {
        var known = Set(roots ?? [])
        roots = (roots ?? []) + certificates.filter { known.insert($0).inserted }
    }

    /// Shows a certificate to servers that ask for one.
    /// - Parameters:
    ///   - certificate: a PEM file with the certificate and those between it and its root.
    ///   - key: the PEM file of its private key, which may be the same.
    ///   - passphrase: of an encrypted key.
    package mutating func show(certificate: String, key path: String, passphrase: String?) throws(FileProblem) {
        let chain = try Self.certificates(certificate)
        let bytes = try FileText.read(path, maximumBytes: Limits.certificateFileBytes)
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(bytes: bytes, format: .pem) { set in set((passphrase ?? "").utf8) }
        } catch {
            let isEncrypted = String(decoding: bytes, as: UTF8.self).contains("ENCRYPTED")
            throw FileProblem(
                path: path, reason: .malformed(Self.problem(isEncrypted, hasPassphrase: passphrase != nil)))
        }
        self.chain = chain
        self.key = key
        do {
            _ = try NIOSSLContext(configuration: configuration(showsIdentity: true))
        } catch {
            throw FileProblem(
                path: path, reason: .malformed("is not the key of \(certificate); give the key that fits it"))
        }
    }

    private static func problem(_ isEncrypted: Bool, hasPassphrase: Bool) -> String {
        guard isEncrypted else { return "is not a PEM file with a private key" }
        return hasPassphrase
            ? "is encrypted with another passphrase; correct the variable of --key-passphrase-env"
            : "is encrypted; name the variable with its passphrase with --key-passphrase-env"
    }

    private static func isHashed(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].utf8.count == 8 && parts[0].allSatisfy(\.isHexDigit)
            && !parts[1].isEmpty && parts[1].allSatisfy { ("0"..."9").contains($0) }
    }

    /// Whether there is a certificate to show.
    var hasIdentity: Bool { key != nil }

    /// For servers.
    func configuration(showsIdentity: Bool) -> TLSConfiguration {
        var configuration = proxyConfiguration
        if isInsecure { configuration.certificateVerification = .none }
        if showsIdentity, let key {
            configuration.certificateChain = chain.map { .certificate($0) }
            configuration.privateKey = .privateKey(key)
        }
        return configuration
    }

    /// For proxies.
    var proxyConfiguration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        if let roots { configuration.trustRoots = .certificates(roots) }
        if !additionalRoots.isEmpty { configuration.additionalTrustRoots = [.certificates(additionalRoots)] }
        return configuration
    }

    private static func certificates(_ path: String) throws(FileProblem) -> [NIOSSLCertificate] {
        let bytes = try FileText.read(path, maximumBytes: Limits.certificateFileBytes)
        let certificates = (try? NIOSSLCertificate.fromPEMBytes(bytes)) ?? []
        guard !certificates.isEmpty else {
            throw FileProblem(path: path, reason: .malformed("is not a PEM file of certificates"))
        }
        return certificates
    }
}
