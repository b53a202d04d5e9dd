import Foundation
import Monitoring
import Ports
import TestSupport
import Testing

@testable import Live
@testable import Session

/// A journal that lacks, at its next opening, what a killed process had written; and files that are none.
@Suite struct JournalLossTests {
    private let folder: TemporaryFolder
    private let path: String
    private let key = SessionKey("http://h/live.m3u8 S1")

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("j/journal.sqlite")
    }

    /// The files of a process that is killed, copied while it has the journal open: nobody holds the copy of its lock file.
    private func killed(in name: String = "crash") async throws -> String {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        for number in 1...3 {
            try await journal.writeClaims([JournalSamples.claim(number, of: key, url: "http://x/\(number)")])
        }
        try FileManager.default.copyItem(atPath: folder.file("j"), toPath: folder.file(name))
        await journal.close()
        return folder.file("\(name)/journal.sqlite")
    }

    private func names(_ inside: String = "crash") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file(inside)).sorted()
    }

    private func opening(_ path: String, of key: SessionKey? = nil) async throws -> JournalOpening {
        let journal = JournalFile(path: path).session()
        let opening = try await journal.open(key ?? self.key)
        await journal.close()
        return opening
    }

    enum Loss: CaseIterable {
        case logIsCut, logIsDamaged, logIsDeleted, allIsDeleted

        func befall(_ path: String) throws {
            let log = URL(fileURLWithPath: path + "-wal")
            var bytes = try Data(contentsOf: log)
            switch self {
            case .logIsCut: try bytes.dropLast(100).write(to: log)
            case .logIsDamaged:
                bytes[bytes.endIndex - 2_000] ^= 1
                try bytes.write(to: log)
            case .logIsDeleted: try Self.remove(path, "-wal", "-shm")
            case .allIsDeleted: try Self.remove(path, "", "-wal", "-shm")
            }
        }

        private static func remove(_ path: String, _ endings: String...) throws {
            for ending in endings { try FileManager.default.removeItem(atPath: path + ending) }
        }
    }

    /// It is unknown what was sent, so it is moved aside like a damaged one, once, and its sessions observe.
    @Test(arguments: Loss.allCases) func lostClaimsAreNoticed(loss: Loss) async throws {
        let crash = try await killed()
        try loss.befall(crash)
        for key in [key, SessionKey("other"), key] {
            let opening = try await opening(crash, of: key)
            #expect(opening.entries.isEmpty)
            #expect(opening.damagedFile == crash + ".damaged-1")
        }
        let aside = try names().filter { $0.contains("damaged") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        #expect(aside == ["journal.sqlite.damaged-1"])
        #expect(try !names().contains { $0.contains("-holder-") })
        try FileManager.default.removeItem(atPath: crash + ".damaged-1")
        #expect(try await opening(crash).damagedFile == nil)
    }

    /// A kill alone loses nothing, and its lock file does not stay.
    @Test func aKillIsNoLoss() async throws {
        let crash = try await killed()
        #expect(try names().contains { $0.contains("-holder-") })
        let opening = try await opening(crash)
        #expect(opening.entries.count == 3 && opening.notice == nil && opening.damagedFile == nil)
        #expect(try names() == ["journal.sqlite"])
    }

    /// The next process answers for what the killed one had written, although it claims nothing itself.
    @Test func theNextProcessAnswersForIt() async throws {
        let crash = try await killed()
        let journal = JournalFile(path: crash).session()
        _ = try await journal.open(key)
        try FileManager.default.copyItem(atPath: folder.file("crash"), toPath: folder.file("again"))
        await journal.close()
        let again = folder.file("again/journal.sqlite")
        try Loss.logIsDeleted.befall(again)
        #expect(try await opening(again).damagedFile == again + ".damaged-1")
    }

    /// A journal that was closed can be copied, restored from an older copy, or deleted.
    @Test func aJournalThatWasClosedMayBeReplaced() async throws {
        _ = try await killed()
        try FileManager.default.copyItem(atPath: path, toPath: folder.file("older"))
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        try await journal.writeClaims([JournalSamples.claim(4, of: key, url: "http://x/4")])
        await journal.close()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: folder.file("older"), toPath: path)
        let opening = try await opening(path)
        #expect(opening.entries.count == 3 && opening.damagedFile == nil && opening.notice == nil)
    }

    /// Lock files of earlier versions are empty.
    @Test func lockFilesOfEndedProcessesDoNotAddUp() async throws {
        try folder.write("", to: "j/journal.sqlite-holder-1-0123456789abcdef")
        let (running, journal) = (JournalFile(path: path).session(), JournalFile(path: path).session())
        _ = try await running.open(SessionKey("running"))
        _ = try await journal.open(key)
        // Those of both processes, and not the old one.
        #expect(try names("j").filter { $0.contains("-holder-") }.count == 2)
        #expect(try !names("j").contains { $0.hasSuffix("-holder-1-0123456789abcdef") })
        await journal.close()
        await running.close()
    }

    // MARK: Files that are no journal

    /// A text that is named by mistake stays as it is.
    @Test func whatNeverWasADatabaseIsLeftAlone() async throws {
        try folder.write("remember the milk, and other things", to: "j/notes.txt")
        let notes = folder.file("j/notes.txt")
        let problem = await JournalSamples.problem { _ = try await opening(notes) }
        #expect(problem?.kind == .unread)
        #expect(problem?.message == "journal \(notes): is no database; name another file")
        #expect(try names("j") == ["notes.txt"])
        #expect(try String(contentsOfFile: notes, encoding: .utf8) == "remember the milk, and other things")
    }

    /// Without its name, its log tells that it was a journal.
    @Test func aJournalWithoutItsHeaderIsDamaged() async throws {
        let crash = try await killed()
        let other = folder.file("crash/other")
        for ending in ["", "-wal", "-shm"] {
            try FileManager.default.moveItem(atPath: crash + ending, toPath: other + ending)
        }
        for ending in ["", "-wal"] {
            try Data(repeating: 0x5A, count: 4_096).write(to: URL(fileURLWithPath: other + ending))
        }
        #expect(try await opening(other).damagedFile == other + ".damaged-1")
    }

    @Test func aFolderIsLeftAlone() async throws {
        try folder.write("", to: "j/x/y")
        let problem = await JournalSamples.problem { _ = try await opening(folder.file("j/x")) }
        #expect(problem?.message.hasPrefix("journal \(folder.file("j/x"))") == true)
        #expect(try names("j") == ["x"] && names("j/x") == ["y"])
    }
}
