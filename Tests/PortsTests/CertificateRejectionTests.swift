import Testing

@testable import Ports

@Suite struct CertificateRejectionTests {
    private static func certificate(
        _ subject: String, by issuer: String, names: [String] = [], from start: Int64 = 0, until end: Int64 = 100
    ) -> ServerCertificate {
        ServerCertificate(
            subject: subject, issuer: issuer, names: names, notBefore: UnixTime(milliseconds: start * 1_000),
            notAfter: UnixTime(milliseconds: end * 1_000), isSelfIssued: subject == issuer)
    }

    private static func judge(
        _ chain: [ServerCertificate], isOtherHost: Bool = false, at seconds: Int64 = 50
    ) -> CertificateRejection? {
        CertificateRejection.judge(
            chain, for: "h.example", isOtherHost: isOtherHost, at: UnixTime(milliseconds: seconds * 1_000))?.reason
    }

    @Test func theFirstReasonOfThePathCounts() {
        let own = Self.certificate("h", by: "B")
        #expect(Self.judge([]) == nil)
        #expect(Self.judge([own]) == .unknownIssuer)
        #expect(Self.judge([own], at: 101) == .expired)
        #expect(Self.judge([own], at: -1) == .notYetValid)
        #expect(Self.judge([own], isOtherHost: true, at: 101) == .otherHost)
        #expect(Self.judge([Self.certificate("h", by: "h")]) == .selfSigned)
        #expect(Self.judge([own, Self.certificate("B", by: "R", until: 10)]) == .expired)
        #expect(Self.judge([own, Self.certificate("B", by: "R")]) == .unknownIssuer)
    }

    /// What is sent besides the path does not count: not a stray certificate, and not an expired root.
    @Test func onlyThePathIsJudged() {
        let own = Self.certificate("h", by: "B")
        let expired = Self.certificate("X", by: "R", until: 10)
        #expect(Self.judge([own, expired]) == .unknownIssuer)
        #expect(
            Self.judge([own, Self.certificate("B", by: "R"), Self.certificate("R", by: "R", until: 10)])
                == .unknownIssuer)
        // A circle ends.
        #expect(Self.judge([own, Self.certificate("B", by: "C"), Self.certificate("C", by: "B")]) == .unknownIssuer)
        #expect(Self.judge([Self.certificate("", by: ""), Self.certificate("", by: "")]) == .selfSigned)
    }

    @Test func aClauseIsShortWhateverTheCertificateHas() {
        let long = String(repeating: "x", count: 10_000)
        let own = ServerCertificate(
            subject: long, issuer: long, names: Array(repeating: long, count: 1_000),
            notBefore: UnixTime(microseconds: .min), notAfter: UnixTime(microseconds: .max), isSelfIssued: false)
        let judged = CertificateRejection.judge(
            [own], for: "h", isOtherHost: true, at: UnixTime(milliseconds: 0))
        #expect((judged?.clause.count ?? .max) < 600)
        #expect(judged?.clause.contains("and 97 more, not for h") == true)
    }
}
