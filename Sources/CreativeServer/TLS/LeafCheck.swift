import Foundation
import NIOSSL
import SwiftASN1
import X509

/// Whether a server shows a leaf that this machine's authority signed. BoringSSL's own check refuses every authority whose
/// name constraints have addresses (ADR 0010); the probe needs no more than this one.
struct LeafCheck: Sendable {
    /// PEM.
    let authority: String
    /// A DNS name.
    let name: String

    func isGood(_ chain: [NIOSSLCertificate], at now: Date = Date()) -> Bool {
        // Whatever cannot be read is not good.
        guard let authority = try? Certificate(pemEncoded: authority), let bytes = try? chain.first?.toDERBytes(),
            let leaf = try? Certificate(derEncoded: bytes),
            let names = try? leaf.extensions.subjectAlternativeNames
        else { return false }
        return authority.publicKey.isValidSignature(leaf.signature, for: leaf) && leaf.issuer == authority.subject
            && leaf.notValidBefore <= now && now < leaf.notValidAfter
            && names.contains { $0 == .dnsName(name) }
    }
}
