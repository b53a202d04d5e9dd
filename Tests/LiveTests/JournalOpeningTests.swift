import Foundation
import GRDB
import Monitoring
import Ports
import TestSupport
import Testing

@testable import Live
@testable import Session

/// Journals that are hard to open: behind symbolic links, damaged where the header is sound, lost meanwhile.
@Suite struct JournalOpeningTests {
    private let folder: TemporaryFolder
    private let path: String
    private let key = SessionKey("http://h/live.m3u8 S1")

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("j/journal.sqlite")
    }

    private func claim(_ number: Int, url: String = "http://x/1") -> JournalClaim {
        JournalSamples.claim(number, of: key, url: url)
    }

    private func names(_ inside: String = "j") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file(inside)).sorted()
    }

    /// A journal with so many claims that it has many pages, closed.
    private func makeLarge(claims: Int = 2_000) async throws {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        try await journal.writeClaims((1...claims).map { claim($0, url: "http://x/\($0)") })
        await journal.close()
    }

    /// Overwrites all pages but those of the schema and the roots of tables, as `dd seek=64 conv=notrunc` does.
    private func damageBehindHeader() throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let size = try handle.seekToEnd()
        let damaged = Int(size) - 64 * 4_096
        try #require(damaged > 0)
        try handle.seek(toOffset: 64 * 4_096)
        try handle.write(contentsOf: Data(repeating: 0x5A, count: damaged))
        try handle.close()
    }

    @Test(arguments: [true, false]) func aSymbolicLinkIsFollowed(isThere: Bool) async throws {
        if isThere { try await makeLarge() } else { try folder.write("", to: "j/other") }
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "j/journal.sqlite")
        let journal = JournalFile(path: link).session()
        let opening = try await journal.open(key)
        #expect(opening.entries.count == (isThere ? 2_000 : 0))
        #expect(opening.notice == nil)
        try await journal.writeClaims([claim(1, url: "http://x/new")])
        let second = await JournalSamples.problem { _ = try await JournalFile(path: path).session().open(key) }
        #expect(second?.kind == .inUse)
        await journal.close()
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "j/journal.sqlite")
        let next = JournalFile(path: path).session()
        #expect(try await next.open(key).entries.count == (isThere ? 2_001 : 1))
        await next.close()
    }

    /// A link that names another file now: the open file is not what the next process opens.
    @Test func aLinkThatMovesIsALoss() async throws {
        try folder.write("", to: "j/other")
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "j/journal.sqlite")
        let journal = JournalFile(path: link).session()
        _ = try await journal.open(key)
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "j/elsewhere.sqlite")
        #expect(await JournalSamples.problem { try await journal.writeClaims([claim(1)]) }?.kind == .lost)
        _ = try await journal.open(key)
        try await journal.writeClaims([claim(1)])
        await journal.close()
        #expect(try names().contains("elsewhere.sqlite"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "j/elsewhere.sqlite")
    }

    @Test func damageBehindTheHeaderIsMovedAsideOnce() async throws {
        try await makeLarge(claims: 8_000)
        try damageBehindHeader()
        let journal = JournalFile(path: path).session()
        let opening = try await journal.open(key)
        #expect(opening.entries.isEmpty)
        #expect(opening.notice?.contains("/j/journal.sqlite.damaged-1") == true)
        try await journal.writeClaims([claim(1)])
        let aside = try names().filter { $0.contains("damaged") }
        #expect(aside.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == ["journal.sqlite.damaged-1"])
        await journal.close()
        let next = JournalFile(path: path).session()
        #expect(try await next.open(key).entries.count == 1)
        await next.close()
    }

    /// Each session on the file may lose its opening to another's; it succeeds with the next one.
    @Test func sessionsBehindALossOpenWithTheirNextTry() async throws {
        try await makeLarge(claims: 8_000)
        try damageBehindHeader()
        let file = JournalFile(path: path)
        let keys = [key] + (1..<12).map { SessionKey("s\($0)") }
        let results = await withTaskGroup(of: [JournalProblem?].self) { group in
            for key in keys {
                group.addTask {
                    let journal = file.session()
                    let first = await JournalSamples.problem { _ = try await journal.open(key) }
                    let second = first == nil ? nil : await JournalSamples.problem { _ = try await journal.open(key) }
                    let third = await JournalSamples.problem { try await journal.writeNotes([]) }
                    await journal.close()
                    return [first, second, third]
                }
            }
            return await group.reduce(into: [[JournalProblem?]]()) { $0.append($1) }
        }
        #expect(results.count == keys.count)
        for result in results {
            #expect(result[0] == nil || result[0]?.kind == .lost)
            #expect(result[1] == nil, "\(result[1]?.message ?? "")")
            // A session that opened before the loss learns of it with its next write.
            #expect(result[2] == nil || result[2]?.kind == .lost)
        }
        #expect(try names().filter { $0.hasPrefix("journal.sqlite.damaged-") && $0.hasSuffix("1") }.count == 1)
    }

    /// Every session without an entry in the new journal, also in later processes, until the damaged file is deleted.
    @Test func damageIsReportedUntilItsFileIsDeleted() async throws {
        try await makeLarge()
        try Data(repeating: 0xFF, count: 8_192).write(to: URL(fileURLWithPath: path))
        for key in [key, SessionKey("other"), key] {
            let journal = JournalFile(path: path).session()
            #expect(try await journal.open(key).damagedFile?.hasSuffix("/j/journal.sqlite.damaged-1") == true)
            await journal.close()
        }
        let armed = JournalFile(path: path).session()
        _ = try await armed.open(key)
        try await armed.writeClaims([claim(1)])
        await armed.close()
        #expect(try await armed.open(key).damagedFile == nil)
        await armed.close()
        #expect(try await armed.open(SessionKey("other")).damagedFile != nil)
        await armed.close()
        try FileManager.default.removeItem(atPath: path + ".damaged-1")
        #expect(try await armed.open(SessionKey("other")).damagedFile == nil)
        await armed.close()
    }

    /// Entries as old as that would have been deleted.
    @Test func anOldDamagedFileDoesNotCount() async throws {
        try folder.write("damaged", to: "j/journal.sqlite.damaged-7")
        let old = Date(timeIntervalSinceNow: -31 * 86_400)
        try FileManager.default.setAttributes(
            [.modificationDate: old], ofItemAtPath: folder.file("j/journal.sqlite.damaged-7"))
        let journal = JournalFile(path: path).session()
        #expect(try await journal.open(key).damagedFile == nil)
        await journal.close()
    }

    /// A lease that an ended process left must not name the lock file of a running one (equal process numbers, as in
    /// containers).
    @Test func aLeaseThatNamesOurOwnLockFileIsNobodys() async throws {
        let ended = JournalFile(path: path).session()
        _ = try await ended.open(key)
        try FileManager.default.copyItem(atPath: folder.file("j"), toPath: folder.file("crash"))
        await ended.close()
        let before = Set(try names("crash"))
        let file = JournalFile(path: folder.file("crash/journal.sqlite"))
        let (other, journal) = (file.session(), file.session())
        _ = try await other.open(SessionKey("other"))
        let holder = try #require(Set(try names("crash")).subtracting(before).first { $0.contains("-holder-") })
        #expect(holder.hasPrefix("journal.sqlite-holder-\(ProcessInfo.processInfo.processIdentifier)-"))
        // The other connection may still be at its upkeep.
        var patient = Configuration()
        patient.busyMode = .timeout(10)
        try await DatabaseQueue(path: folder.file("crash/journal.sqlite"), configuration: patient).write {
            try $0.execute(sql: "UPDATE process SET lockFile = ? WHERE id = 1", arguments: [holder])
        }
        #expect(try await journal.open(key).entries.isEmpty)
        await journal.close()
        await other.close()
    }

    @Test func lockFilesHaveNamesThatDoNotRepeat() throws {
        try folder.write("", to: "j/other")
        func name() throws -> String { try JournalHolder(beside: path).name }
        let names = try (0..<20).map { _ in try name() }
        #expect(Set(names).count == names.count)
    }
}
