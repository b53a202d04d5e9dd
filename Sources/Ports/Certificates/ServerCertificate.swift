/// The contents of a server's certificate, for people. None of it is verified.
package struct ServerCertificate: Hashable, Sendable {
    /// Most characters of a name that are kept, and most names.
    package static let nameLength = 80
    package static let nameCount = 100

    /// The common name of the subject with its organization, `R3 (Let's Encrypt)`, or one of both; empty without.
    package var subject: String
    /// The same of the issuer.
    package var issuer: String
    /// The hosts that it is for: DNS names and addresses.
    package var names: [String]
    package var notBefore: UnixTime
    package var notAfter: UnixTime
    /// Whether subject and issuer are the same, as in a root or a self-signed certificate.
    package var isSelfIssued: Bool

    package init(
        subject: String, issuer: String, names: [String], notBefore: UnixTime, notAfter: UnixTime, isSelfIssued: Bool
    ) {
        self.subject = String(subject.prefix(Self.nameLength))
        self.issuer = String(issuer.prefix(Self.nameLength))
        self.names = names.prefix(Self.nameCount).map { String($0.prefix(Self.nameLength)) }
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.isSelfIssued = isSelfIssued
    }

    /// `2027-01-31 12:00Z`
    package static func text(_ time: UnixTime) -> String {
        String(time.iso8601.prefix(16)).replacing("T", with: " ") + "Z"
    }

    /// Subject, issuer and expiry in one clause.
    package var summary: String {
        "\(subject.isEmpty ? "no name" : subject), issued by \(issuer.isEmpty ? "no name" : issuer), valid until \(Self.text(notAfter))"
    }
}

/// Why the certificate of a server was rejected.
package enum CertificateRejection: String, Hashable, Sendable, Codable, CaseIterable {
    case expired, notYetValid, otherHost, selfSigned, unknownIssuer
    /// Verification failed, and what the server sent does not show why.
    case untrusted
    /// The server requires a certificate of the client, or does not trust the one that it got.
    case clientCertificate

    /// Finds the reason in what the server sent, its own certificate first, and the clause that names it.
    /// - Parameters:
    ///   - isOtherHost: verification found that the certificate is for another host, which it does last.
    ///   - now: the time on this computer's clock, which may be wrong.
    package static func judge(
        _ chain: [ServerCertificate], for host: String, isOtherHost: Bool, at now: UnixTime
    ) -> (reason: CertificateRejection, clause: String)? {
        guard let own = chain.first else { return nil }
        if isOtherHost {
            return (.otherHost, "certificate is for \(list(own.names)), not for \(host): \(own.summary)")
        }
        let path = path(of: own, in: chain.dropFirst())
        for certificate in path {
            if certificate.notAfter < now { return (.expired, expired(certificate, own)) }
            if now < certificate.notBefore {
                let time = ServerCertificate.text(certificate.notBefore)
                return (.notYetValid, "certificate is not valid before \(time): \(certificate.summary)")
            }
        }
        if own.isSelfIssued {
            return (.selfSigned, "certificate is self-signed: \(own.summary)")
        }
        let issuer = path.last?.issuer ?? own.issuer
        let lack = path.count == 1 ? "; the server sent no intermediate certificate" : ""
        return (.unknownIssuer, "certificate issuer '\(issuer)' is not trusted: \(own.summary)\(lack)")
    }

    private static func expired(_ certificate: ServerCertificate, _ own: ServerCertificate) -> String {
        let time = ServerCertificate.text(certificate.notAfter)
        let whose = certificate == own ? "certificate" : "intermediate certificate"
        let subject = certificate.subject.isEmpty ? "no name" : certificate.subject
        return "\(whose) expired on \(time): \(subject), issued by \(certificate.issuer)"
    }

    /// From the server's own certificate to the last one that was sent of those above it. What a server sends besides
    /// is not part of it.
    private static func path(
        of own: ServerCertificate, in others: ArraySlice<ServerCertificate>
    ) -> [ServerCertificate] {
        var (path, others) = ([own], others)
        while let last = path.last, !last.isSelfIssued,
            let index = others.firstIndex(where: { $0.subject == last.issuer && !$0.subject.isEmpty })
        {
            path.append(others.remove(at: index))
        }
        // An expired root may stand above a certificate that another root vouches for.
        if path.count > 1, path.last?.isSelfIssued == true { path.removeLast() }
        return path
    }

    private static func list(_ names: [String]) -> String {
        guard !names.isEmpty else { return "no host" }
        let shown = names.prefix(3).joined(separator: ", ")
        return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
    }
}
