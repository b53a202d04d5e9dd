import Foundation
import Live
import Monitoring
import Ports
import TestSupport
import Testing

@Suite struct SQLiteJournalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func claim(_ number: Int, url: String = "http://x/1") -> JournalClaim {
        let beacon = JournalBeacon(
            session: "s", breakName: "=b", adName: "=a", adStart: UnixTime(milliseconds: 1), type: "start",
            start: UnixTime(milliseconds: 1), url: url)
        return JournalClaim(number: number, beacon: beacon, round: 0, attempt: 1, at: UnixTime(milliseconds: 2))
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("j")).sorted()
    }

    @Test func keepsTheContract() async throws {
        let path = folder.file("contract")
        try await JournalContract { SQLiteJournal(folder: path) }.check()
    }

    /// A process that dies does not close: its file, copied while open, must hold every claim.
    @Test func claimsAreInTheFileWhenWriteClaimsReturns() async throws {
        let journal = SQLiteJournal(folder: folder.file("j"))
        _ = try await journal.open(SessionKey("k"))
        try await journal.writeClaims((1...500).map { claim($0, url: "http://x/\($0)") })
        try await journal.writeOutcomes([
            JournalOutcome(claim: 1, state: "acknowledged", status: 200, at: UnixTime(milliseconds: 3))
        ])
        try FileManager.default.copyItem(atPath: folder.file("j"), toPath: folder.file("crash"))
        await journal.close()
        let survivor = SQLiteJournal(folder: folder.file("crash"))
        let opening = try await survivor.open(SessionKey("k"))
        #expect(opening.entries.count == 500)
        #expect(opening.entries.first?.outcome == "acknowledged")
        #expect(opening.entries.dropFirst().allSatisfy { $0.outcome == nil })
        await survivor.close()
    }

    @Test(arguments: [
        Data("this is not a database, however long it may be, and was one".utf8), Data(repeating: 0xFF, count: 8_192),
    ])
    func aDamagedFileIsMovedAside(content: Data) async throws {
        let first = SQLiteJournal(folder: folder.file("j"))
        _ = try await first.open(SessionKey("k"))
        try await first.writeClaims([claim(1)])
        await first.close()
        let name = try #require(try files().first { $0.hasSuffix(".sqlite") })
        try content.write(to: URL(fileURLWithPath: folder.file("j/" + name)))
        let second = SQLiteJournal(folder: folder.file("j"))
        let opening = try await second.open(SessionKey("k"))
        #expect(opening.entries.isEmpty)
        #expect(opening.notice?.contains("was damaged, moved aside") == true)
        #expect(try files().contains(name + ".damaged-1"))
        try await second.writeClaims([claim(1)])
        await second.close()
    }

    @Test func aFolderThatCannotBeMadeIsSaid() async throws {
        try Data().write(to: URL(fileURLWithPath: folder.file("file")))
        let journal = SQLiteJournal(folder: folder.file("file/below"))
        do throws(JournalProblem) {
            _ = try await journal.open(SessionKey("k"))
            Issue.record("opened below a file")
        } catch {
            #expect(error.kind == .cannotOpen)
            #expect(error.message.contains(folder.file("file")))
        }
    }

    @Test func onlyTheOwnerMayRead() async throws {
        let journal = SQLiteJournal(folder: folder.file("j"))
        _ = try await journal.open(SessionKey("http://host/secret?sessid=1"))
        try await journal.writeClaims([claim(1)])
        for name in try files() {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("j/" + name))
            #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0, "\(name)")
            #expect(!name.contains("secret"))
        }
        await journal.close()
    }
}
