import AdTracking
import Foundation
import GRDB
import Monitoring
import Ports
import TestSupport
import Testing

@testable import Live
@testable import Session

@Suite struct JournalReportTests {
    private let folder: TemporaryFolder
    private let path: String
    private let key = SessionKey("http://h S1")

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("journal.sqlite")
    }

    private func beacon(_ url: String, ad: String = "=a1", adBreak: String = "=b1", type: String = "start")
        -> JournalBeacon
    {
        JournalBeacon(
            session: key.text, breakName: adBreak, adName: ad, adStart: UnixTime(milliseconds: 1_000), type: type,
            start: UnixTime(milliseconds: 1_000), url: url)
    }

    private func claim(
        _ number: Int, _ beacon: JournalBeacon, attempt: Int = 1, round: Int = 0, late: Int64 = 20, at: Int64 = 2_000
    ) -> JournalClaim {
        JournalClaim(
            number: number, beacon: beacon, round: round, attempt: attempt, at: UnixTime(milliseconds: at),
            late: .milliseconds(late))
    }

    private func outcome(_ number: Int, _ state: String) -> JournalOutcome {
        JournalOutcome(claim: number, state: state, status: 200, at: UnixTime(milliseconds: 2_050))
    }

    /// Two breaks, three hosts, and one beacon of every kind.
    private func write(close: Bool = true) async throws -> SQLiteJournal {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        try await journal.writeClaims([
            claim(1, beacon("http://one/1")), claim(2, beacon("http://one/2"), late: 300),
            claim(3, beacon("http://two/3", ad: "=a2"), late: 40_000), claim(4, beacon("http://two/4", adBreak: "=b2")),
            claim(5, beacon("http://two/5", adBreak: "=b2")),
        ])
        try await journal.writeOutcomes([
            outcome(1, "acknowledged"), outcome(2, "failed"), outcome(3, "rejected"), outcome(4, "skipped"),
        ])
        // The second was retried; the viewer muted twice.
        try await journal.writeClaims([
            claim(6, beacon("http://one/2"), attempt: 2, late: 300),
            claim(7, beacon("http://one/m", type: "mute"), round: 1),
            claim(8, beacon("http://one/m", type: "mute"), round: 2, at: 9_000),
        ])
        try await journal.writeOutcomes([outcome(6, "acknowledged"), outcome(7, "acknowledged"), outcome(8, "failed")])
        func note(_ content: JournalNote.Content) -> JournalNote {
            JournalNote(at: UnixTime(milliseconds: 2_000), content)
        }
        try await journal.writeNotes([
            note(
                .session(
                    JournalNote.Session(
                        name: "live", mediaURL: "http://h/live.m3u8?token=secret", manifestURL: nil, metadataURL: nil,
                        provider: "harmonic", mode: "fire", retry: "safe", serviceMode: "hybrid"))),
            note(
                .adBreak(
                    JournalNote.Break(
                        name: "=b1", start: UnixTime(milliseconds: 1_000), duration: .seconds(30), source: "metadata",
                        hasVanished: false))),
            note(
                .unsent(
                    JournalNote.Unsent(
                        beacon: beacon("http://three/6"), state: "observed", reason: nil, late: .milliseconds(10)))),
            note(
                .unsent(
                    JournalNote.Unsent(
                        beacon: beacon("http://three/7"), state: "skipped", reason: "host-not-allowed", late: nil))),
            note(.finding(Finding(rule: "L03", severity: .warning, message: "first"), source: .metadata)),
            note(.finding(Finding(rule: "L03", severity: .warning, message: "second"), source: .metadata)),
            note(.finding(Finding(rule: "L01", severity: .error, message: "bad"), source: .metadata)),
        ])
        if close { await journal.close() }
        return journal
    }

    private func figures(_ tally: JournalReport.Tally) -> [Int] {
        [
            tally.due, tally.sent, tally.acknowledged, tally.failed, tally.unknown, tally.open, tally.observed,
            tally.skipped,
        ]
    }

    /// The answer brings when the request was written.
    @Test func aBeaconIsAsLateAsItWasSent() async throws {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        try await journal.writeClaims([claim(1, beacon("http://one/1")), claim(2, beacon("http://one/2"))])
        var delayed = outcome(1, "acknowledged")
        delayed.late = .seconds(4)
        try await journal.writeOutcomes([delayed, outcome(2, "acknowledged")])
        await journal.close()
        let lateness = try JournalReader(path: path).report().totals.lateness
        #expect(lateness.counts == [1, 0, 0, 0, 0, 1, 0, 0, 0] && lateness.sum == .milliseconds(4_020))
    }

    @Test func everythingIsCountedOnce() async throws {
        _ = try await write()
        let report = try JournalReader(path: path).report()
        // 1 acknowledged, 2 acknowledged at the second attempt, 3 rejected, 4 skipped, 5 never answered, 7 and 8 user
        // actions, 6 and 7 not sent.
        #expect(figures(report.totals) == [9, 6, 3, 2, 1, 0, 1, 2])
        #expect(report.totals.lateness.counts == [5, 0, 1, 0, 0, 0, 0, 0, 1])
        #expect(report.hosts.map(\.name) == ["one", "two", "three"])
        #expect(
            report.hosts.map { figures($0.tally) } == [
                [4, 4, 3, 1, 0, 0, 0, 0], [3, 2, 0, 1, 1, 0, 0, 1], [2, 0, 0, 0, 0, 0, 1, 1],
            ])
        #expect(report.sessions.map(\.name) == ["live"])
        #expect(report.sessions.map(\.service) == ["harmonic (hybrid)"])
        #expect(report.sessions.map { figures($0.tally) } == [figures(report.totals)])
        #expect(report.findings.map(\.rule) == ["L01", "L03"])
        #expect(report.findings.map(\.count) == [1, 2])
    }

    /// One process observed what another one sent, or both observed it; a viewer's actions count each.
    @Test func whatOneRunObservedAndAnotherSentIsOneBeacon() async throws {
        func unsent(_ url: String, type: String = "start", state: String = "observed", late: Int64?) -> JournalNote {
            JournalNote(
                at: UnixTime(milliseconds: 2_000),
                .unsent(
                    JournalNote.Unsent(
                        beacon: beacon(url, type: type), state: state, reason: nil, late: late.map { .milliseconds($0) }
                    )))
        }
        let sender = JournalFile(path: path).session()
        // One opening: at the next one, notes of 1970 are deleted for their age.
        _ = try await sender.open(key)
        for state in ["skipped", "observed"] {
            try await sender.writeNotes([
                unsent("http://one/1", late: 10), unsent("http://one/2", state: state, late: 10),
                unsent("http://one/m", type: "mute", late: nil),
            ])
        }
        try await sender.writeClaims([
            claim(1, beacon("http://one/1"), at: 3_000),
            claim(2, beacon("http://one/m", type: "mute"), round: 1, at: 3_000),
        ])
        try await sender.writeOutcomes([outcome(1, "acknowledged"), outcome(2, "acknowledged")])
        await sender.close()
        let report = try JournalReader(path: path).report()
        #expect(figures(report.totals) == [5, 2, 2, 0, 0, 0, 3, 0])
        #expect(report.course.stretches.map(\.unsent).reduce(0, +) == 3)
        let states = try await DatabaseQueue(path: path).read {
            try String.fetchAll($0, sql: "SELECT state FROM beacons ORDER BY url, state")
        }
        #expect(states == ["acknowledged", "observed", "acknowledged", "observed", "observed"])
    }

    /// A journal that only an earlier version has opened is read as it is, and gets its columns when a session of this one opens it.
    @Test func journalsOfEarlierVersionsAreRead() async throws {
        _ = try await write()
        try await DatabaseQueue(path: path).write {
            try $0.execute(
                sql: """
                    ALTER TABLE session DROP COLUMN serviceMode;
                    DELETE FROM grdb_migrations WHERE identifier LIKE '5:%'
                    """)
        }
        let earlier = try JournalReader(path: path).report()
        #expect(earlier.sessions.map(\.serviceMode) == [nil] && earlier.sessions.map(\.retry) == ["safe"])
        _ = try await write()
        let report = try JournalReader(path: path).report()
        #expect(report.sessions.map(\.serviceMode) == ["hybrid"] && report.sessions.map(\.name) == ["live"])
    }

    /// A beacon that was repeated with success is no failure, and a beacon without an answer has no status.
    @Test func failuresAreByHostAndAnswer() async throws {
        _ = try await write()
        let report = try JournalReader(path: path).report()
        #expect(report.failures.map(\.host) == ["one", "two"])
        #expect(report.failures.map(\.status) == [nil, 200])
        #expect(report.failures.map(\.count).reduce(0, +) == report.totals.failed)
        #expect(report.failures.map { $0.breaks.map { report.breaks[$0].name } } == [["b1"], ["b1"]])
        #expect(report.failures.first?.firstAt == UnixTime(milliseconds: 9_000))
    }

    @Test func breaksAndAdsAddUp() async throws {
        _ = try await write()
        let report = try JournalReader(path: path).report()
        #expect(Set(report.breaks.map(\.name)) == ["b1", "b2"])
        let first = try #require(report.breaks.first { $0.name == "b1" })
        #expect(first.start == UnixTime(milliseconds: 1_000))
        #expect(first.duration == .seconds(30))
        #expect(first.ads.map(\.name) == ["a1", "a2"])
        #expect(first.ads.map(\.tally.due) == [6, 1])
        #expect(first.ads.first?.hosts.map(\.name) == ["one", "three"])
        #expect(report.breaks.map(\.tally.due).reduce(0, +) == report.totals.due)
    }

    /// An unanswered beacon is open while its process is running, and unknown afterwards.
    @Test func openClaimsBecomeUnknown() async throws {
        let journal = try await write(close: false)
        let during = try JournalReader(path: path).report().totals
        #expect((during.open, during.unknown) == (1, 0))
        await journal.close()
        let after = try JournalReader(path: path).report().totals
        #expect((after.open, after.unknown) == (0, 1))
    }

    /// A session that follows another one holds what that one sent, so that none of it is sent again.
    @Test func whatLaterSessionsHoldIsCountedOnce() async throws {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        let ping = beacon("http://one/ping", ad: "=start 0", adBreak: "=ping/1", type: "ping")
        try await journal.writeClaims([claim(1, ping)])
        let held = JournalHolding(
            entry: JournalEntry(beacon: ping, round: 0, attempt: 1, outcome: nil), claim: 1, isCopy: true)
        for number in 2...4 {
            let opening = try await journal.open(SessionKey("s\(number)"), holding: [held])
            #expect(opening.entries.map(\.beacon.url) == ["http://one/ping"])
        }
        // Its answer comes when another session is there.
        try await journal.writeOutcomes([outcome(1, "failed")])
        await journal.close()
        let report = try JournalReader(path: path).report()
        #expect(figures(report.totals) == [1, 1, 0, 1, 0, 0, 0, 0])
        #expect(report.sessions.map(\.tally.due) == [1, 0, 0, 0])
        #expect(report.breaks.map(\.name) == ["ping/1"])
        #expect(report.failures.map(\.count) == [1])
        #expect(report.course.stretches.map(\.count) == [1])
        let rows = try await DatabaseQueue(path: path).read { database in
            try ["beacons", "hosts"].map { try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") }
        }
        #expect(rows == [1, 1])
        // The next process knows it in the last session, too.
        let next = JournalFile(path: path).session()
        #expect(try await next.open(SessionKey("s4")).entries.map(\.outcome) == ["failed"])
        await next.close()
    }

    /// Nothing else counts what a journal that was lost had of it.
    @Test func whatIsHeldAfterALossIsCounted() async throws {
        let journal = JournalFile(path: path).session()
        let held = JournalHolding(
            entry: JournalEntry(beacon: beacon("http://one/1"), round: 0, attempt: 1, outcome: "acknowledged"))
        _ = try await journal.open(key, holding: [held])
        await journal.close()
        #expect(figures(try JournalReader(path: path).report().totals) == [1, 1, 1, 0, 0, 0, 0, 0])
    }

    @Test func sinceOmitsEarlierEntries() async throws {
        _ = try await write()
        let report = try JournalReader(path: path).report(since: UnixTime(milliseconds: 5_000))
        #expect(figures(report.totals) == [1, 1, 0, 1, 0, 0, 0, 0])
        #expect(report.breaks.map(\.name) == ["b1"])
        #expect(report.findings.isEmpty)
    }

    @Test func theCourseHasEveryBeaconAndNoGaps() async throws {
        let journal = try await write(close: false)
        // It was sent, so it is not among those that were not.
        try await journal.writeOutcomes([outcome(5, "unknown")])
        await journal.close()
        let course = try JournalReader(path: path).report().course
        #expect(course.start == UnixTime(milliseconds: 2_000))
        #expect(course.length == .seconds(1))
        #expect(course.stretches.map(\.count) == [8, 0, 0, 0, 0, 0, 0, 1])
        #expect(course.stretches.first == .init(acknowledged: 3, failed: 1, unanswered: 1, unsent: 3))
    }

    @Test func anEmptyJournalIsNotAProblem() async throws {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        await journal.close()
        let report = try JournalReader(path: path).report()
        #expect(report.totals == JournalReport.Tally())
        #expect(report.course.stretches.isEmpty)
        #expect(report.sessions.map(\.runs) == [1])
    }

    @Test func readingChangesNothing() async throws {
        _ = try await write()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        _ = try JournalReader(path: path).report()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func aFileThatIsNotAJournalIsReported() throws {
        func problem(_ name: String) -> String? {
            do throws(FileProblem) {
                _ = try JournalReader(path: folder.file(name))
                return nil
            } catch {
                return "\(error)".replacing(folder.path + "/", with: "")
            }
        }
        #expect(problem("none.sqlite") == "none.sqlite: no such file; check the name")
        #expect(!FileManager.default.fileExists(atPath: folder.file("none.sqlite")))
        try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: false)
        #expect(problem("folder") == "folder: is a folder; name a file")
        try folder.write("", to: "empty.sqlite")
        #expect(problem("empty.sqlite") == "empty.sqlite: is not a journal of adtop")
        try folder.write("no database at all, just a text of some length", to: "text")
        #expect(problem("text") == "text: is not a journal, or damaged")
    }
}
