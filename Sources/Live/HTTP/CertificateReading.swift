import NIOSSL
import Ports

extension ServerCertificate {
    /// The library has checked the form of the dates when it read the certificate.
    init(_ certificate: NIOSSLCertificate) {
        let (subject, issuer) = (certificate.subjectName, certificate.issuerName)
        self.init(
            subject: Self.name(subject), issuer: Self.name(issuer),
            names: certificate._subjectAlternativeNames().prefix(Self.nameCount).compactMap(Self.host),
            notBefore: Self.time(certificate.notValidBefore), notAfter: Self.time(certificate.notValidAfter),
            isSelfIssued: subject == issuer)
    }

    private static func name(_ parts: [SSLCertificateName]) -> String {
        let common = parts.last { $0.type == .commonName }?.value
        let organization = parts.last { $0.type == .organization }?.value
        guard let common else { return organization ?? "" }
        guard let organization, organization != common else { return common }
        return "\(common) (\(organization))"
    }

    private static func host(_ name: _SubjectAlternativeName) -> String? {
        let bytes = Array(name.contents)
        switch name.nameType {
        case .dnsName: return String(decoding: bytes, as: UTF8.self)
        case .ipAddress: return NetworkAddress(bytes: bytes)?.text
        default: return nil
        }
    }

    /// A certificate may have any date: those beyond the year 9999 count as its end.
    private static func time(_ seconds: Int) -> UnixTime {
        UnixTime(microseconds: Int64(max(-62_135_596_800, min(253_402_300_799, seconds))) * 1_000_000)
    }
}

extension NetworkAddress {
    /// 4 or 16 bytes in network order; nil for another number.
    init?(bytes: [UInt8]) {
        func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 4: self = .v4(UInt32(truncatingIfNeeded: number(0..<4)))
        case 16: self = .v6(number(0..<8), number(8..<16))
        default: return nil
        }
    }
}
