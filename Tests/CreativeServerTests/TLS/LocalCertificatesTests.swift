import CreativeCache
import CreativeServer
import Foundation
import Locks
import Ports
import TestSupport
import Testing

@Suite struct LocalCertificatesTests {
    private final class Clock: Sendable {
        let now = Locked(UnixTime(milliseconds: Int64(Date().timeIntervalSince1970) * 1_000))
        func advance(days: Int) { now.withLock { $0 += .seconds(days * 86_400) } }
    }

    private let folder: TemporaryFolder
    private let clock = Clock()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func certificates(machine: String = "this one") throws -> LocalCertificates {
        let clock = clock
        return try LocalCertificates(
            folder: folder.file("tls"), machine: machine, wallClock: { clock.now.withLock { $0 } })
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.file("tls/\(name)"), encoding: .utf8)
    }

    @Test func firstUseMakesThemAndTheyStay() throws {
        let certificates = try certificates()
        #expect(try certificates.ensure() == .made)
        let authority = try text("ca.crt")
        #expect(try certificates.ensure() == .kept)
        #expect(try text("ca.crt") == authority)
        let status = try certificates.status()
        let now = clock.now.withLock { $0 }
        #expect(status.leafEnd == now + .seconds(90 * 86_400) && status.authorityEnd == now + .seconds(825 * 86_400))
        #expect(status.fingerprint.count == 95 && status.hasAuthorityKey)
    }

    @Test func keysAreTheOwnersAlone() throws {
        try certificates().ensure()
        for name in ["ca.key", "leaf.key"] {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.file("tls/\(name)"))[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("tls"))[.posixPermissions]
        #expect(mode as? Int == 0o700)
    }

    @Test func aLeafThatEndsSoonIsRenewed() throws {
        let certificates = try certificates()
        try certificates.ensure()
        let (authority, leaf) = (try text("ca.crt"), try text("leaf.crt"))
        clock.advance(days: 80)
        #expect(try certificates.ensure() == .kept)
        clock.advance(days: 1)
        #expect(try certificates.ensure() == .renewed)
        #expect(try text("ca.crt") == authority && (try text("leaf.crt")) != leaf)
        clock.advance(days: 740)
        #expect(try certificates.ensure() == .made)
        #expect(try text("ca.crt") != authority)
    }

    @Test func theAuthoritysKeyCanBeForgotten() throws {
        let certificates = try certificates()
        try certificates.ensure(forgettingAuthorityKey: true)
        #expect(try !certificates.status().hasAuthorityKey)
        let problem = #expect(throws: CreativeServerError.self) { try certificates.renew() }
        #expect(problem?.description.contains("trust the new authority") == true)
        #expect(try certificates.ensure() == .kept)
        clock.advance(days: 91)
        #expect(try certificates.ensure() == .made)
    }

    @Test func anotherMachinesAreNotTakenOver() throws {
        try certificates(machine: "the other").ensure()
        let authority = try text("ca.crt")
        #expect(try certificates().ensure() == .madeForThisMachine)
        #expect(try text("ca.crt") != authority)
    }

    @Test func twoMachinesShareNoKey() throws {
        try certificates().ensure()
        let keys = [try text("ca.key"), try text("leaf.key")]
        #expect(try certificates().remove() == 5)
        try certificates().ensure()
        #expect(Set(keys + [try text("ca.key"), try text("leaf.key")]).count == 4)
    }

    /// Another library accepts the chain, and rejects one with another host name.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "openssl is not installed"))
    func opensslTakesTheChain() async throws {
        try certificates().ensure()
        func run(_ arguments: [String]) async throws -> ChildProcess.Ending {
            try await ChildProcess("/usr/bin/openssl", arguments, environment: [:]).end()
        }
        let (authority, leaf) = (folder.file("tls/ca.crt"), folder.file("tls/leaf.crt"))
        for check in [["-verify_hostname", "localhost"], ["-verify_ip", "127.0.0.1"], ["-verify_ip", "::1"]] {
            let ending = try await run(["verify", "-x509_strict", "-CAfile", authority] + check + [leaf])
            #expect(ending.exit == .status(0))
        }
        let ofAnother = try await run(["verify", "-CAfile", authority, "-verify_hostname", "example.com", leaf])
        #expect(ofAnother.exit != .status(0))
        let text = try await run(["x509", "-in", authority, "-noout", "-text"]).output
        let constraints = String(decoding: text, as: UTF8.self)
        #expect(constraints.contains("X509v3 Name Constraints: critical"))
        #expect(constraints.contains("DNS:localhost") && constraints.contains("IP:127.0.0.1/255.255.255.255"))
    }
}
