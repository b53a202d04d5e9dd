import Crypto
import Foundation
import Ports
import SwiftASN1
import X509

/// Certificates as PEM text.
enum CertificateText {
    /// Tolerance for clock differences between programs.
    private static let backdating: TimeInterval = 3_600
    private static let day: TimeInterval = 86_400
    private static let loopback4: [UInt8] = [127, 0, 0, 1]
    private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1]

    /// An authority whose certificates are valid only for `localhost` and the two loopback addresses, even if its key
    /// is stolen.
    static func authority(
        key: P256.Signing.PrivateKey, name: DistinguishedName, from now: UnixTime, days: Int
    ) throws -> String {
        let key = Certificate.PrivateKey(key)
        let constraints = NameConstraints(
            permittedDNSDomains: [LocalCertificates.name],
            permittedIPRanges: [
                ASN1OctetString(contentBytes: (loopback4 + [UInt8](repeating: 0xFF, count: 4))[...]),
                ASN1OctetString(contentBytes: (loopback6 + [UInt8](repeating: 0xFF, count: 16))[...]),
            ])
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
            notValidBefore: date(now), notValidAfter: date(now, days: days), issuer: name, subject: name,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
                Critical(constraints)
                SubjectKeyIdentifier(hash: key.publicKey)
            },
            issuerPrivateKey: key
        ).serializeAsPEM().pemString + "\n"
    }

    static func leaf(
        key: P256.Signing.PrivateKey, authority: Certificate, authorityKey: P256.Signing.PrivateKey,
        from now: UnixTime, days: Int
    ) throws -> String {
        let key = Certificate.PrivateKey(key)
        let issuer = Certificate.PrivateKey(authorityKey)
        let identifier = SubjectKeyIdentifier(hash: issuer.publicKey).keyIdentifier
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
            notValidBefore: date(now), notValidAfter: min(date(now, days: days), authority.notValidAfter),
            issuer: authority.subject, subject: DistinguishedName { CommonName(LocalCertificates.name) },
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames([
                    .dnsName(LocalCertificates.name), .ipAddress(ASN1OctetString(contentBytes: loopback4[...])),
                    .ipAddress(ASN1OctetString(contentBytes: loopback6[...])),
                ])
                AuthorityKeyIdentifier(keyIdentifier: identifier)
            },
            issuerPrivateKey: issuer
        ).serializeAsPEM().pemString + "\n"
    }

    private static func date(_ now: UnixTime, days: Int? = nil) -> Date {
        let seconds = Double(now.milliseconds) / 1_000
        return Date(timeIntervalSince1970: days.map { seconds + Double($0) * day } ?? (seconds - backdating))
    }
}
