import Foundation
import Ports
import TestSupport
import Testing

/// What the real program does when its journal fails: it goes on, says so, and sends nothing twice (ADR 0011).
@Suite struct JournalFailureTests {
    @Test func withoutAPlaceForTheJournalNothingIsSentAndThatIsSaid() async throws {
        let origin = try await WatchedOrigin()
        let run = try await origin.watch(["--until", "3-beacons"], state: "/dev/null/nowhere").end()
        let document = DumpedSession(json: try run.json())
        await origin.stop()
        #expect(run.status == 0)
        #expect(run.errors == "adtop: journal /dev/null: not a folder; beacons were not sent\n", "\(run.errors)")
        #expect(document["session"]?["lacksJournal"]?.boolValue == true)
        #expect(origin.receipts.isEmpty)
        #expect(document.mode == "observe")
        #expect(document["session"]?["canArm"]?.boolValue == false)
        #expect(document.findings.contains("journal-failed"))
        #expect(document["counters"]?["events"]?["observed"]?.integerValue ?? 0 > 0)
        #expect(document.latestError.hasSuffix("nothing is sent from now on"))
    }

    /// The event stream needs no journal.
    @Test func withoutAPlaceForTheJournalEventsAreTold() async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        _ = try await origin.watch(
            ["--until", "3-beacons", "--events", folder.file("events")], state: "/dev/null/nowhere"
        ).end()
        await origin.stop()
        let kinds = try String(contentsOfFile: folder.file("events"), encoding: .utf8).split(separator: "\n").map {
            line in
            try JSONReader.read(String(line))["kind"]?.stringValue ?? ""
        }
        #expect(
            Set(kinds).isSuperset(of: ["journalFailed", "session", "poll", "break", "ad", "observed"]), "\(Set(kinds))")
    }

    @Test func withoutAPlaceForTheJournalBeaconsAreSentWhereThatIsWanted() async throws {
        let origin = try await WatchedOrigin()
        let document = try await origin.dump(
            ["--until", "3-beacons", "--journal-loss", "send"], state: "/dev/null/nowhere")
        await origin.stop()
        #expect(origin.receipts.count >= 3)
        #expect(origin.duplicates.isEmpty)
        #expect(document.mode == "fire")
        #expect(document.findings.contains("journal-failed"))
    }

    /// A file system of its own that is too small for the journal, or full after its first entries.
    @Test(
        .enabled(if: Namespaces.areThere, "needs user and mount namespaces"),
        arguments: [("200k", "3-beacons", false), ("700k", "finding:journal-failed", true)])
    func aFullDiskStopsSendingAndNothingElse(size: String, until: String, sends: Bool) async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        let document = try await origin.dump(
            ["--until", until], state: folder.path, through: Namespaces.mounting("-o size=\(size)", at: folder))
        await origin.stop()
        #expect(origin.receipts.isEmpty != sends)
        #expect(origin.duplicates.isEmpty)
        #expect(document.phase == "running")
        #expect(document.mode == "observe")
        #expect(document.findings.contains("journal-failed"))
        #expect(
            document.log.contains { $0.contains("full") && $0.hasSuffix("nothing is sent from now on") },
            "\(document.log)")
    }

    /// The recording has no room; the session goes on and says so while it runs.
    @Test(.enabled(if: Namespaces.areThere, "needs user and mount namespaces"))
    func aFullDiskEndsTheRecordingAndNothingElse() async throws {
        let origin = try await WatchedOrigin()
        let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        let document = try await origin.dump(
            ["--until", "20-beacons", "--record", folder.file("r")], state: state.path,
            // The recording that was asked for is not whole.
            through: Namespaces.mounting("-o size=8k", at: folder), status: AdtopProcess.interrupted)
        await origin.stop()
        #expect(document.phase == "running")
        #expect(document.mode == "fire")
        let message = document["errors"]?["recording"]?["message"]?.stringValue
        #expect(message == "recording stopped: no space left on device")
    }

    /// A state folder on a file system that only reads, as on a live medium: root could write into any other.
    @Test(.enabled(if: Namespaces.areThere, "needs user and mount namespaces"))
    func aReadOnlyStateFolderStopsSendingAndSaysSo() async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        let document = try await origin.dump(
            ["--until", "3-beacons"], state: folder.path,
            through: Namespaces.mounting("", at: folder, "mount -o remount,ro \"$1\""))
        await origin.stop()
        #expect(origin.receipts.isEmpty)
        #expect(document.phase == "running")
        #expect(document.mode == "observe")
        #expect(document.findings.contains("journal-failed"))
        let message = document.latestError
        #expect(message.contains("read-only") && message.hasSuffix("nothing is sent from now on"), "\(message)")
        #expect(document["counters"]?["events"]?["observed"]?.integerValue ?? 0 > 0)
    }

    /// A state folder of somebody else: nothing may be made in it.
    @Test(.enabled(if: PlainRights.command != nil, "root may write into every folder"))
    func aStateFolderWithoutPermissionStopsSendingAndSaysSo() async throws {
        let command = try #require(PlainRights.command)
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        let state = try folder.close("state", 0o500)
        let run = try await origin.watch(["--until", "3-beacons"], state: state, through: command).end()
        let document = DumpedSession(json: try run.json())
        await origin.stop()
        #expect(run.status == 0)
        #expect(run.errors == "adtop: journal \(state)/adtop: not permitted; beacons were not sent\n", "\(run.errors)")
        #expect(origin.receipts.isEmpty)
        #expect(document.mode == "observe" && document.phase == "running")
        #expect(document.findings.contains("journal-failed"))
    }

    /// Two equal lines are one session also without a journal.
    @Test func equalLinesWithoutAJournalSendEachBeaconOnce() async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        let line = "\(origin.url) mode=fire\n"
        try folder.write("a \(line)b \(line)", to: "list")
        let child = try AdtopChild([
            "monitor", folder.file("list"), "--dump", "--format", "json", "--for", "150s", "--spread", "100ms",
            "--no-journal",
        ])
        // Both lines are started by then, and would have sent what the other one sent.
        try await origin.waitForNewBreaks(3)
        let run = try await child.interrupt()
        await origin.stop()
        #expect(run.status == AdtopProcess.interrupted, "\(run.errors)")
        #expect(origin.duplicates.isEmpty)
    }

    /// The folder of sessions is a symbolic link, and the journal in it another one.
    @Test func aJournalBehindSymbolicLinksIsUsed() async throws {
        let origin = try await WatchedOrigin(WatchedOrigin.keepMetadata)
        let (folder, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
        _ = try await origin.dump(["--until", "4-beacons"], state: folder.path)
        let files = FileManager.default
        let journals = try files.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".sqlite") }
        let journal = folder.file(try #require(journals.first))
        let sessions = (journal as NSString).deletingLastPathComponent
        try files.moveItem(atPath: journal, toPath: elsewhere.file("moved.sqlite"))
        try files.createSymbolicLink(atPath: journal, withDestinationPath: elsewhere.file("moved.sqlite"))
        try files.moveItem(atPath: sessions, toPath: elsewhere.file("sessions"))
        try files.createSymbolicLink(atPath: sessions, withDestinationPath: elsewhere.file("sessions"))
        let child = try origin.watch(state: folder.path)
        try await origin.waitForNewBreaks(2)
        let document = DumpedSession(json: try await child.interrupt().json())
        await origin.stop()
        #expect(document.mode == "fire")
        #expect(
            document.log.contains { $0.hasPrefix("journal: ") && $0.contains("from earlier runs") }, "\(document.log)")
        #expect(origin.duplicates.isEmpty)
    }

    /// A later version has written the file: what this one sent before is in it and cannot be read.
    @Test(arguments: [[], ["--journal-loss", "send"]])
    func withAnUnreadJournalNothingIsSent(options: [String]) async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        _ = try await origin.dump(["--until", "3-beacons"], state: folder.path)
        let sent = origin.receipts.count
        #expect(sent > 0)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.file("adtop/journal.sqlite")))
        // The user version (SQLite's file format, section 1.3).
        try handle.seek(toOffset: 60)
        try handle.write(contentsOf: Data([0x7F, 0xFF, 0xFF, 0xFF]))
        try handle.close()
        let document = try await origin.dump(["--until", "3-beacons"] + options, state: folder.path)
        await origin.stop()
        #expect(document.mode == "observe")
        #expect(document.latestError.contains("later version"), "\(document.latestError)")
        #expect(origin.receipts.count == sent)
    }

    /// Damage behind the header page: the next process cannot know what the first one sent.
    @Test(arguments: [[], ["--journal-loss", "send"]]) func afterDamageNothingIsSent(options: [String]) async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        _ = try await origin.dump(["--until", "3-beacons"], state: folder.path)
        let sent = origin.receipts.count
        #expect(sent > 0)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.file("adtop/journal.sqlite")))
        try handle.seek(toOffset: 4_096)
        try handle.write(contentsOf: Data(repeating: 0x5A, count: 200_000))
        try handle.close()
        for _ in 0..<2 {
            let document = try await origin.dump(["--until", "3-beacons"] + options, state: folder.path)
            #expect(document.mode == "observe")
            #expect(document.findings.contains("journal-damaged"))
            #expect(document["counters"]?["events"]?["observed"]?.integerValue ?? 0 > 0)
        }
        await origin.stop()
        #expect(origin.receipts.count == sent)
    }
}

/// The journal is taken away or is another's, and the process that has it is killed.
@Suite struct LostJournalTests {
    @Test func aJournalDeletedWhileRunningIsReplaced() async throws {
        let origin = try await WatchedOrigin(WatchedOrigin.keepMetadata)
        let folder = try TemporaryFolder()
        let first = try origin.watch(state: folder.path)
        try await origin.waitForReceipts(2)
        // A file that the program makes anew meanwhile is not of the old journal.
        first.signal(SIGSTOP)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.file("adtop")) {
            try FileManager.default.removeItem(atPath: folder.file("adtop/" + name))
        }
        first.signal(SIGCONT)
        // Of the break in progress, beacons may still arrive that were claimed in the old file. Those of the second new break
        // were claimed after it was deleted, and so nothing of them left before the new file was there.
        try await origin.waitForNewBreaks(2)
        try await first.kill()
        // The next process reads the new file, which knows what was sent before the old one was deleted.
        let sent = Set(origin.targets)
        let document = try await origin.dump(["--until", "break-end", "--for", "120s"], state: folder.path)
        await origin.stop()
        #expect(origin.duplicates.isEmpty)
        let states = document.states
        for target in sent {
            #expect(
                ["acknowledged", "unknown"].contains(states[target]), "\(target): \(states[target] ?? "missing")")
        }
    }

    /// A session in use elsewhere is not a lost journal: what is wanted for that does not matter.
    @Test(arguments: [[], ["--journal-loss", "send"]])
    func twoProcessesOnOneSessionSendEachBeaconOnce(options: [String]) async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        let first = try origin.watch(options, state: folder.path)
        try await origin.waitForReceipts(1)
        let document = try await origin.dump(["--until", "3-beacons"] + options, state: folder.path)
        #expect(document.mode == "observe")
        #expect(document.latestError.contains("another adtop (pid \(first.pid) on "), "\(document.latestError)")
        try await first.kill()
        // A dead holder's session is free.
        let third = try await origin.dump(["--until", "break-end", "--for", "120s"], state: folder.path)
        await origin.stop()
        #expect(third.mode == "fire")
        #expect(origin.duplicates.isEmpty)
    }

    /// A person's transaction in `sqlite3`: what is due waits for it, and nothing is lost.
    @Test func aProgramThatLocksTheJournalForAWhileStopsNothing() async throws {
        let origin = try await WatchedOrigin()
        let state = try TemporaryFolder()
        let program = try origin.watch(state: state.path)
        try await origin.waitForReceipts(3)
        let lock = try ChildProcess(
            "/usr/bin/env",
            [
                "python3", "-c",
                "import sqlite3, sys, time; c = sqlite3.connect(sys.argv[1]); c.isolation_level = None; "
                    + "c.execute('BEGIN IMMEDIATE'); print('locked', flush=True); time.sleep(8); c.execute('ROLLBACK')",
                state.file("adtop/journal.sqlite"),
            ], environment: ["PATH": "/usr/sbin:/usr/bin:/bin:/usr/local/bin"], input: "")
        try await lock.expect("locked")
        _ = try await lock.end()
        // Those that became due in the meantime, and one after them.
        try await origin.waitForNewBreaks(3)
        let run = try await program.interrupt()
        await origin.stop()
        #expect(origin.duplicates.isEmpty)
        let document = DumpedSession(json: try run.json())
        #expect(document.mode == "fire")
        #expect(!document.findings.contains("journal-failed"), "\(document.log)")
        try document.expectNothingForgotten()
        #expect(document["counters"]?["events"]?["observed"] == nil)
    }

    /// Another process has the session: the events are reported as they happen, and a dump that was to send says why it did
    /// not.
    @Test func aSessionHeldElsewhereIsReportedAndNotSent() async throws {
        let origin = try await WatchedOrigin()
        let state = try TemporaryFolder()
        let first = try origin.watch(state: state.path)
        try await origin.waitForReceipts(1)
        let events = state.file("events")
        let second = try await origin.watch(
            ["--fire", "--events", events, "--until", "12-beacons"], state: state.path
        ).end()
        let run = try await first.interrupt()
        await origin.stop()
        #expect(origin.duplicates.isEmpty)
        #expect(run.status == AdtopProcess.interrupted)
        #expect(second.status == AdtopProcess.interrupted)
        #expect(second.errors.contains("--fire: nothing was sent: "), "\(second.errors)")
        #expect(second.errors.contains("has this session open"), "\(second.errors)")
        let kinds = try String(contentsOfFile: events, encoding: .utf8).split(separator: "\n")
            .compactMap { try JSONReader.read(String($0))["kind"]?.stringValue }
        #expect(
            Set(kinds).isSuperset(of: ["journalFailed", "session", "poll", "break", "ad", "observed"]), "\(kinds)")
    }

    /// Sessions of one list whose journal was damaged: one of them finds it, the others are behind its loss, and none sends what it may
    /// have sent before.
    @Test func sessionsOfAListBehindALossSendNothing() async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        try folder.write("ch \(origin.streamURL) count=6 mode=fire\n", to: "list.txt")
        let journal = folder.file("journal.sqlite")
        let watch = [
            "monitor", folder.file("list.txt"), "--dump", "--format", "json", "--poll", "500ms", "--spread", "100ms",
            "--journal", journal,
        ]
        let first = try AdtopChild(watch + ["--for", "150s"])
        try await origin.waitForReceipts(12)
        _ = try await first.interrupt()
        let sent = origin.receipts.count
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: journal))
        try handle.seek(toOffset: 4_096)
        try handle.write(contentsOf: Data(repeating: 0x5A, count: 200_000))
        try handle.close()
        let second = try await AdtopProcess.run(watch + ["--for", "6s"])
        await origin.stop()
        #expect(origin.receipts.count == sent)
        let document = try second.json()
        let sessions = document["sessions"]?.arrayValue ?? []
        #expect(sessions.count == 6)
        for session in sessions {
            #expect(session["phase"] == "running" && session["mode"] == "observe", "\(session)")
            let problem = session["problem"]?.stringValue ?? ""
            #expect(problem.contains("beacons sent before the journal was damaged are unknown"), "\(problem)")
        }
        #expect(document["totals"]?["beacons"]?["sent"] == 0)
        #expect(document["totals"]?["beacons"]?["due"]?.integerValue ?? 0 > 0)
        let aside = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix("journal.sqlite.damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        #expect(aside == ["journal.sqlite.damaged-1"])
    }
}
