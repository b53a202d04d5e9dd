import DemoOrigin
import Foundation
import Ports
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What the real program does when its journal fails: it goes on, says so, and sends nothing twice (ADR 0011).
@Suite(.serialized) struct JournalFailureTests {
    private static let hasNamespaces = run("/usr/bin/unshare", ["-rm", "true"]) == 0

    @Test func aJournalDeletedWhileRunningIsMadeAnew() async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        let first = try origin.watch(["--for", "120s"], state: folder.path)
        try await origin.waitForReceipts(2)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.file("adtop")) {
            try FileManager.default.removeItem(atPath: folder.file("adtop/" + name))
        }
        let before = origin.receipts.count
        try await origin.waitForReceipts(before + 3)
        kill(first.processIdentifier, SIGKILL)
        first.waitUntilExit()
        // The next process reads the new file, which knows what was sent before the old one was deleted.
        let sent = Set(origin.receipts)
        let document = try await origin.dump(["--until", "break-end", "--for", "120s"], state: folder.path)
        await origin.stop()
        #expect(origin.receipts.count == Set(origin.receipts).count)
        let states = Self.urlStates(document)
        for target in sent {
            let state = states.first { $0.key.hasSuffix(target) }?.value
            #expect(["acknowledged", "unknown"].contains(state), "\(target): \(state ?? "missing")")
        }
    }

    @Test func withoutAPlaceForTheJournalNothingIsSentAndThatIsSaid() async throws {
        let origin = try await WatchedOrigin()
        let document = try await origin.dump(["--for", "20s"], state: "/dev/null/nowhere")
        await origin.stop()
        #expect(origin.receipts.isEmpty)
        #expect(document["session"]?["mode"]?.stringValue == "observe")
        #expect(document["session"]?["canArm"]?.boolValue == false)
        #expect(Self.findings(document).contains("journal-failed"))
        #expect(document["counters"]?["events"]?["observed"]?.integerValue ?? 0 > 0)
        #expect(document["latestError"]?["message"]?.stringValue?.hasSuffix("nothing is sent from now on") == true)
    }

    @Test func withoutAPlaceForTheJournalBeaconsAreSentWhereThatIsWanted() async throws {
        let origin = try await WatchedOrigin()
        let document = try await origin.dump(
            ["--for", "20s", "--journal-loss", "send"], state: "/dev/null/nowhere")
        await origin.stop()
        #expect(!origin.receipts.isEmpty)
        #expect(origin.receipts.count == Set(origin.receipts).count)
        #expect(document["session"]?["mode"]?.stringValue == "fire")
        #expect(Self.findings(document).contains("journal-failed"))
    }

    /// A file system of its own that is too small for the journal.
    @Test(.enabled(if: hasNamespaces, "needs user and mount namespaces"))
    func aFullDiskStopsSendingAndNothingElse() async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        let script = "mount -t tmpfs -o size=200k tmpfs \"$1\" && shift && exec \"$@\""
        let document = try await origin.dump(
            ["--for", "60s"], state: folder.path,
            through: ["/usr/bin/unshare", "-rm", "sh", "-c", script, "sh", folder.path])
        await origin.stop()
        #expect(origin.receipts.count == Set(origin.receipts).count)
        #expect(document["session"]?["phase"]?.stringValue == "running")
        #expect(document["session"]?["mode"]?.stringValue == "observe")
        #expect(Self.findings(document).contains("journal-failed"))
        let log = (document["log"]?.arrayValue ?? []).compactMap { $0["message"]?.stringValue }
        #expect(log.contains { $0.contains("full") && $0.hasSuffix("nothing is sent from now on") }, "\(log)")
    }

    /// The recording has no room; the session goes on and says so while it runs.
    @Test(.enabled(if: hasNamespaces, "needs user and mount namespaces"))
    func aFullDiskEndsTheRecordingAndNothingElse() async throws {
        let origin = try await WatchedOrigin()
        let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        let script = "mount -t tmpfs -o size=8k tmpfs \"$1\" && shift && exec \"$@\""
        let document = try await origin.dump(
            ["--for", "12s", "--record", folder.file("r")], state: state.path,
            through: ["/usr/bin/unshare", "-rm", "sh", "-c", script, "sh", folder.path])
        await origin.stop()
        #expect(document["session"]?["phase"]?.stringValue == "running")
        #expect(document["session"]?["mode"]?.stringValue == "fire")
        let message = document["errors"]?["recording"]?["message"]?.stringValue
        #expect(message == "recording stopped: no space left on device")
    }

    /// A state folder on a file system that only reads, as on a live medium: root could write into any other.
    @Test(.enabled(if: hasNamespaces, "needs user and mount namespaces"))
    func aReadOnlyStateFolderStopsSendingAndSaysSo() async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        let script = "mount -t tmpfs tmpfs \"$1\" && mount -o remount,ro \"$1\" && shift && exec \"$@\""
        let document = try await origin.dump(
            ["--for", "20s"], state: folder.path,
            through: ["/usr/bin/unshare", "-rm", "sh", "-c", script, "sh", folder.path])
        await origin.stop()
        #expect(origin.receipts.isEmpty)
        #expect(document["session"]?["phase"]?.stringValue == "running")
        #expect(document["session"]?["mode"]?.stringValue == "observe")
        #expect(Self.findings(document).contains("journal-failed"))
        let message = document["latestError"]?["message"]?.stringValue ?? ""
        #expect(message.contains("read-only") && message.hasSuffix("nothing is sent from now on"), "\(message)")
        #expect(document["counters"]?["events"]?["observed"]?.integerValue ?? 0 > 0)
    }

    @Test func twoProcessesOnOneSessionSendEachBeaconOnce() async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        let first = try origin.watch(["--for", "120s"], state: folder.path)
        try await origin.waitForReceipts(1)
        let document = try await origin.dump(["--for", "15s"], state: folder.path)
        #expect(document["session"]?["mode"]?.stringValue == "observe")
        let message = document["latestError"]?["message"]?.stringValue ?? ""
        #expect(message.contains("another adtop (pid \(first.processIdentifier) on "), "\(message)")
        kill(first.processIdentifier, SIGKILL)
        first.waitUntilExit()
        // A dead holder's session is free.
        let third = try await origin.dump(["--until", "break-end", "--for", "120s"], state: folder.path)
        await origin.stop()
        #expect(third["session"]?["mode"]?.stringValue == "fire")
        #expect(origin.receipts.count == Set(origin.receipts).count)
    }

    /// Two equal lines are one session also without a journal.
    @Test func equalLinesWithoutAJournalSendEachBeaconOnce() async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        let line = "\(origin.url) mode=fire\n"
        try folder.write("a \(line)b \(line)", to: "list")
        let run = try await AdtopProcess.run([
            "monitor", folder.file("list"), "--dump", "--format", "json", "--for", "20s", "--spread", "100ms",
            "--no-journal",
        ])
        await origin.stop()
        #expect(!origin.receipts.isEmpty, "\(run.errors)")
        #expect(origin.receipts.count == Set(origin.receipts).count)
    }

    /// Damage behind the header page: the next process cannot know what the first one sent.
    @Test(arguments: [false, true]) func afterDamageNothingIsSent(sendsOnLoss: Bool) async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        _ = try await origin.dump(["--for", "15s"], state: folder.path)
        let sent = origin.receipts.count
        #expect(sent > 0)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.file("adtop/journal.sqlite")))
        try handle.seek(toOffset: 4_096)
        try handle.write(contentsOf: Data(repeating: 0x5A, count: 200_000))
        try handle.close()
        for _ in 0..<2 {
            let document = try await origin.dump(
                ["--for", "10s"] + (sendsOnLoss ? ["--journal-loss", "send"] : []), state: folder.path)
            #expect(document["session"]?["mode"]?.stringValue == "observe")
            #expect(Self.findings(document).contains("journal-damaged"))
        }
        await origin.stop()
        #expect(origin.receipts.count == sent)
    }

    private static func findings(_ document: JSONValue) -> [String] {
        (document["findings"]?.arrayValue ?? []).compactMap { $0["rule"]?.stringValue }
    }

    private static func urlStates(_ document: JSONValue) -> [String: String] {
        var states: [String: String] = [:]
        let ads = (document["breaks"]?.arrayValue ?? []).flatMap { $0["ads"]?.arrayValue ?? [] }
        for event in ads.flatMap({ $0["events"]?.arrayValue ?? [] }) {
            for url in event["urls"]?.arrayValue ?? [] {
                states[url["url"]?.stringValue ?? ""] = url["state"]?.stringValue ?? ""
            }
        }
        return states
    }

    private static func run(_ path: String, _ arguments: [String]) -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        // A program that is not there says no as well.
        guard (try? process.run()) != nil else { return -1 }
        process.waitUntilExit()
        return process.terminationStatus
    }
}
