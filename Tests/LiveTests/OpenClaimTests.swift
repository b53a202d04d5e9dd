import Foundation
import GRDB
import Monitoring
import Ports
import TestSupport
import Testing

@testable import Live
@testable import Session

/// A claim gets its outcome in the journal, also if that could not be written when it was known.
@Suite struct OpenClaimTests {
    private let folder: TemporaryFolder
    private let path: String
    private let key = SessionKey("http://h/live.m3u8 S1")

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("j/journal.sqlite")
    }

    private func claim(_ number: Int, attempt: Int = 1) -> JournalClaim {
        JournalSamples.claim(number, of: key, url: "http://x/\(number)", attempt: attempt)
    }

    private func outcome(_ number: Int, _ state: String = "acknowledged") -> JournalOutcome {
        JournalOutcome(claim: number, state: state, status: 204, at: UnixTime(milliseconds: 42))
    }

    /// Another program's connection, which may leave a transaction open.
    private func lockable() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        // The journal may be looking after its file.
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private func execute(_ sql: String, on queue: DatabaseQueue) async throws {
        try await queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    private func impatient() -> JournalFile {
        var settings = JournalFile.Settings()
        settings.busyTimeout = .milliseconds(20)
        settings.lockPatience = .milliseconds(100)
        return JournalFile(path: path, settings: settings)
    }

    /// State, status and time of each claim, in the order of the claims.
    private func claims() throws -> [String] {
        try DatabaseQueue(path: path).read { database in
            try Row.fetchAll(database, sql: "SELECT state, status, endedAt FROM claim ORDER BY id").map { row in
                (0..<3).map { "\(row[$0] ?? "-" as (any DatabaseValueConvertible))" }.joined(separator: " ")
            }
        }
    }

    /// The batch that failed, what came while the journal could not be written, and a claim that nothing holds any more.
    @Test func outcomesThatCouldNotBeWrittenAreWrittenWithTheNextOpening() async throws {
        let journal = impatient().session()
        _ = try await journal.open(key)
        try await journal.writeClaims([claim(1), claim(2), claim(3), claim(4)])
        let lock = try lockable()
        try await execute("BEGIN IMMEDIATE", on: lock)
        #expect(await JournalSamples.problem { try await journal.writeOutcomes([outcome(1)]) }?.kind == .cannotWrite)
        // The session is told once; it opens the journal again.
        try await journal.writeOutcomes([outcome(2, "rejected")])
        #expect(await JournalSamples.problem { _ = try await journal.open(key) } != nil)
        try await journal.writeOutcomes([outcome(3, "skipped")])
        try await execute("ROLLBACK", on: lock)
        try lock.close()
        let held = JournalHolding(
            entry: JournalEntry(beacon: claim(1).beacon, round: 0, attempt: 1, outcome: "acknowledged"))
        let opening = try await journal.open(key, holding: [held])
        #expect(opening.entries.map(\.outcome) == ["acknowledged", "rejected", "skipped", nil])
        try await journal.writeOutcomes([outcome(4)])
        await journal.close()
        #expect(
            try claims() == [
                "acknowledged 204 42000", "rejected 204 42000", "skipped 204 42000", "acknowledged 204 42000",
            ])
    }

    /// A session that ends before its journal can be opened again.
    @Test func outcomesThatWaitAreWrittenWhenTheJournalIsClosed() async throws {
        let journal = impatient().session()
        _ = try await journal.open(key)
        try await journal.writeClaims([claim(1)])
        let lock = try lockable()
        try await execute("BEGIN IMMEDIATE", on: lock)
        #expect(await JournalSamples.problem { try await journal.writeOutcomes([outcome(1)]) } != nil)
        try await execute("ROLLBACK", on: lock)
        try lock.close()
        await journal.close()
        #expect(try claims() == ["acknowledged 204 42000"])
    }

    /// What is held ends a claim of the same try only.
    @Test func whatIsHeldEndsAnOpenClaim() async throws {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        try await journal.writeClaims([claim(1), claim(2), claim(2, attempt: 2)])
        func held(_ number: Int, _ outcome: String) -> JournalHolding {
            JournalHolding(
                entry: JournalEntry(beacon: claim(number).beacon, round: 0, attempt: 1, outcome: outcome), status: 500)
        }
        let opening = try await journal.open(key, holding: [held(1, "rejected"), held(2, "failed")])
        #expect(opening.entries.map(\.outcome) == ["rejected", nil])
        await journal.close()
        #expect(try claims() == ["rejected 500 -", "- - -", "- - -"])
    }

    /// The answer to a beacon of a session that was replaced is that session's.
    @Test func aBeaconOfTheFormerSessionEndsThere() async throws {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        try await journal.writeClaims([claim(1)])
        _ = try await journal.open(SessionKey("next"))
        try await journal.writeOutcomes([outcome(1)])
        await journal.close()
        #expect(try await journal.open(key).entries.map(\.outcome) == ["acknowledged"])
        await journal.close()
    }

    /// Rows of a journal that was deleted are not those of the new one.
    @Test func outcomesDoNotEndClaimsOfAnotherFile() async throws {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        try await journal.writeClaims([claim(1), claim(2)])
        try FileManager.default.removeItem(atPath: path)
        #expect(await JournalSamples.problem { try await journal.writeOutcomes([outcome(1)]) }?.kind == .lost)
        let held = JournalHolding(
            entry: JournalEntry(beacon: claim(2).beacon, round: 0, attempt: 1, outcome: nil), claim: 2)
        #expect(try await journal.open(key, holding: [held]).entries.map(\.outcome) == [nil])
        try await journal.writeOutcomes([outcome(2, "rejected")])
        await journal.close()
        #expect(try claims() == ["rejected 204 42000"])
    }
}
