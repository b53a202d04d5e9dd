import DemoOrigin
import Foundation
import OriginServer
import Ports
import TestSupport
import Testing

/// `adtop monitor` as people run it: a list, one journal, a table.
@Suite(.serialized) struct MonitorVerbTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func origin() async throws -> (server: DemoServer, url: String) {
        let scenario = try #require(try BuiltinScenarios.load("rush")).scenario
        let server = DemoServer(.init(scenario: scenario), clock: { Int64(Date().timeIntervalSince1970 * 1_000) })
        return (server, try await server.start().streamURL)
    }

    private func list(_ text: String) throws -> String {
        try text.write(toFile: folder.file("list.txt"), atomically: true, encoding: .utf8)
        return folder.file("list.txt")
    }

    @Test func sessionsShareAJournalAndNoFate() async throws {
        let (server, url) = try await origin()
        // Nobody listens on port 1: that session fails, the others do not notice.
        let list = try list("ch \(url) count=3 mode=fire\nbad http://127.0.0.1:1/live/master.m3u8\n")
        let journal = folder.file("journal.sqlite")
        let run = try await AdtopProcess.run([
            "monitor", list, "--dump", "--format", "json", "--for", "25s", "--spread", "1s", "--journal", journal,
            "--log-file", folder.file("log"), "--record", folder.file("recordings"),
        ])
        let report = try await AdtopProcess.run(["report", journal, "--json"]).json()
        await server.stop()
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("adtop: 1 of 4 sessions are failing: bad: "), "\(run.errors)")
        let document = try run.json()
        let sessions = document["sessions"]?.arrayValue ?? []
        #expect(sessions.map { $0["name"]?.stringValue } == ["ch-1", "ch-2", "ch-3", "bad"])
        #expect(sessions.map { $0["phase"]?.stringValue } == ["running", "running", "running", "failing"])
        let sent = document["totals"]?["beacons"]?["sent"]?.integerValue ?? 0
        #expect(sent > 0)
        // Each session has a viewer of its own at the origin, and each of its beacons came once.
        #expect(server.receipts.count >= Int(sent) && server.receipts.allSatisfy { !$0.isDuplicate })
        #expect(Set(server.receipts.map(\.session)).count == 3)
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

    @Test func theTableOpensASessionAndComesBack() async throws {
        let (server, url) = try await origin()
        let list = try list("ch \(url) count=3 mode=observe\n")
        let folder = folder.path
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            // On a thread of its own: a blocked thread of the shared pool could be the one that the server needs.
            Thread.detachNewThread {
                continuation.resume(with: Result { try Self.walk(list: list, home: folder) })
            }
        }
        await server.stop()
    }

    private static func walk(list: String, home: String) throws {
        let terminal = try PseudoTerminal(columns: 120, rows: 40)
        try terminal.run(
            BuiltProduct.path("adtop"), ["monitor", list, "--no-journal", "--spread", "0s"],
            environment: [
                "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": home, "PATH": "/usr/bin:/bin",
                "SWIFT_BACKTRACE": "enable=no",
            ])
        try terminal.expect("by list")
        terminal.type("j\r")
        try expect("[1] Breaks", on: terminal)
        // The list's name of the second session, not that of its URL.
        try expect("ch-2", on: terminal)
        terminal.type("q")
        try expect("by list", on: terminal)
        terminal.type("Q")
        #expect(try terminal.waitForExit() == .status(0))
    }

    /// Asks for the whole picture until it holds the text: what two pictures have in common is not written again.
    private static func expect(_ text: String, on terminal: PseudoTerminal) throws {
        for _ in 0..<40 {
            let mark = terminal.transcript.count
            terminal.type("\u{0C}")
            // Not there yet: it is asked for again.
            if (try? terminal.expect(text, after: mark, within: .milliseconds(500))) != nil { return }
        }
        throw MissingText(text: text)
    }

    private struct MissingText: Error {
        let text: String
    }
}
