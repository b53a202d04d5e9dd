import Foundation
import NIOSSL
import SwiftASN1
import X509

/// Whether a server presents a leaf certificate signed by this machine's authority. BoringSSL's own check rejects every
/// authority whose name constraints contain addresses (ADR 0010); the probe needs no more than this check.
struct LeafCheck: Sendable {
    /// Certificate of the authority as PEM.
    let authority: String
    /// The DNS name of the server.
    let name: String

    func isGood(_ chain: [NIOSSLCertificate], at now: Date = Date()) -> Bool {
        // Unreadable certificates are not valid.
        guard let authority = try? Certificate(pemEncoded: authority), let bytes = try? chain.first?.toDERBytes(),
            let leaf = try? Certificate(derEncoded: bytes),
            let names = try? leaf.extensions.subjectAlternativeNames
        else { return false }
        return authority.publicKey.isValidSignature(leaf.signature, for: leaf) && leaf.issuer == authority.subject
            && leaf.notValidBefore <= now && now < leaf.notValidAfter
            && names.contains { $0 == .dnsName(name) }
    }
}
