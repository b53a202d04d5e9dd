import DemoOrigin
import Foundation
import OriginServer
import Ports
import ScriptedServers
import TestSupport
import Testing

/// `adtop monitor` as people run it: a list, one journal.
@Suite struct MonitorVerbTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func list(_ text: String) throws -> String {
        try text.write(toFile: folder.file("list.txt"), atomically: true, encoding: .utf8)
        return folder.file("list.txt")
    }

    @Test func sessionsShareAJournalAndNoFate() async throws {
        let origin = try await WatchedOrigin()
        // Nobody listens on port 1: that session fails, the others do not notice.
        let list = try list("ch \(origin.streamURL) count=3 mode=fire\nbad http://127.0.0.1:1/live/master.m3u8\n")
        let journal = folder.file("journal.sqlite")
        let run = try await AdtopProcess.run([
            "monitor", list, "--dump", "--format", "json", "--for", "11s", "--poll", "500ms", "--spread", "1s",
            "--journal", journal,
            "--log-file", folder.file("log"), "--record", folder.file("recordings"),
        ])
        let report = try await AdtopProcess.run(["report", journal, "--json"]).json()
        await origin.stop()
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("adtop: 1 of 4 sessions are failing: bad: "), "\(run.errors)")
        let document = try run.json()
        let sessions = document["sessions"]?.arrayValue ?? []
        #expect(sessions.map { $0["name"]?.stringValue } == ["ch-1", "ch-2", "ch-3", "bad"])
        #expect(sessions.map { $0["phase"]?.stringValue } == ["running", "running", "running", "failing"])
        let sent = document["totals"]?["beacons"]?["sent"]?.integerValue ?? 0
        #expect(sent > 0)
        // Each session has a viewer of its own at the origin, and each of its beacons came once.
        #expect(origin.receipts.count >= Int(sent) && origin.duplicates.isEmpty)
        #expect(Set(origin.receipts.map(\.session)).count == 3)
        #expect(report["sessions"]?.arrayValue?.count == 3)
        let log = try String(contentsOfFile: folder.file("log"), encoding: .utf8)
        for name in ["ch-1", "ch-2", "ch-3", "bad"] { #expect(log.contains(" session=\(name)\n")) }
        for (name, phase) in [("ch-2", "running"), ("bad", "failing")] {
            let replay = try await AdtopProcess.run([
                "replay", folder.file("recordings/\(name).adtop"), "--dump", "--format", "json",
            ]).json()
            #expect(replay["session"]?["name"]?.stringValue == name)
            // The last input of a recording is the end of its session.
            #expect(["ended", phase].contains(replay["session"]?["phase"]?.stringValue), "\(phase)")
        }
    }

    /// As for one stream: a server that is silent when the time is up did not open it.
    @Test func silentServersAreFailures() async throws {
        let server = try await ScriptedServer { _ in [] }
        let origin = try await WatchedOrigin()
        let silent = server.url("/live.m3u8")
        func run(_ lines: String, for span: String = "4s") async throws -> AdtopProcess {
            try await AdtopProcess.run([
                "monitor", list(lines), "--dump", "--size", "100x30", "--no-journal", "--for", span, "--spread", "0s",
            ])
        }
        let all = try await run("quiet \(silent) count=2\n")
        #expect(all.status == 3)
        #expect(
            all.errors == "adtop: all sessions have no answer: quiet-1: no answer from \(silent); --for waits longer\n")
        let mixed = try await run("quiet \(silent)\nbad http://127.0.0.1:1/x.m3u8\n")
        #expect(mixed.status == 3 && mixed.output.contains("2 streams"))
        #expect(
            mixed.errors.hasPrefix("adtop: all sessions are failing or have no answer: bad: "), "\(mixed.errors)")
        // The good one has time on a busy machine.
        let some = try await run("good \(origin.streamURL)\nquiet \(silent)\n", for: "9s")
        await origin.stop()
        try await server.stop()
        #expect(some.status == 1)
        #expect(
            some.errors.hasPrefix("adtop: 1 of 2 sessions have no answer: quiet: no answer from "), "\(some.errors)")
    }

    @Test func aFileIsNoFolderForRecordings() async throws {
        let list = try list("ch http://127.0.0.1:1/x\n")
        let run = try await AdtopProcess.run(["monitor", list, "--dump", "--no-journal", "--record", list])
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(
            run.errors == "adtop: --record \(list): a file; give a folder for the recordings of many sessions\n")
    }

    @Test func aBadListIsOneLineThatNamesThePlace() async throws {
        let list = try list("ch http://127.0.0.1/x poll=never\n")
        let run = try await AdtopProcess.run(["monitor", list, "--dump"])
        #expect(run.status == 4)
        #expect(run.errors.hasPrefix("adtop: \(list):1: ") && run.errors.contains("'never'"), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1 && run.output.isEmpty)
    }
}
