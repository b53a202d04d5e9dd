import Foundation
import Ports
import TestSupport
import Testing

/// A session that is started again uses the rewarded zones of the one before, for their hour (CACHE-15).
@Suite struct ZoneRestartTests {
    private func slot(_ folder: TemporaryFolder, _ flags: [String]) async throws -> (slot: JSONValue, zones: JSONValue)
    {
        let run = try await AdtopProcess.run(
            [
                "demo", "--seed", "1", "--dump", "--format", "json", "--for", "2s", "--slot",
                "o=rewarded:rewarded-1",
            ] + flags)
        #expect(run.status == 0, "\(run.errors)")
        let json = try run.json()
        return (try #require(json["formats"]?["slots"]?.arrayValue?.first), json["zones"] ?? .null)
    }

    @Test func theNextSessionNeedsNoCall() async throws {
        let folder = try TemporaryFolder()
        let flags = ["--zones", folder.file("zones")]
        let first = try await slot(folder, flags)
        #expect(first.slot["state"] == "loaded" && first.slot["ad"]?["media"]?["ageMs"] == .null)
        #expect(first.zones.arrayValue?.first?["zone"] == "rewarded-1")
        let second = try await slot(folder, flags)
        #expect(second.slot["state"] == "loaded")
        #expect(second.slot["ad"]?["media"]?["why"] == "kept from an earlier download", "\(second.slot.text())")
        #expect(second.zones.arrayValue?.first?["hits"] == 1)
        // Without a folder a demo leaves nothing, and remembers within itself.
        let third = try await slot(folder, ["--no-zones"])
        #expect(third.slot["ad"]?["media"]?["ageMs"] == .null && third.zones.arrayValue?.count == 1)
    }

    @Test func aKeyDeletesTheFilesAndTheReplayKnows() async throws {
        let folder = try TemporaryFolder()
        let (zones, recording) = (folder.file("zones"), folder.file("session.adtop"))
        func files() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: zones)) ?? [] }
        let demo = try RunningDemo([
            "--seed", "1", "--view", "cache", "--slot", "o=rewarded:rewarded-1", "--zones", zones, "--record",
            recording,
        ])
        try demo.terminal.read(waitingFor: "the zone's row") {
            guard files().count == 2 else { return false }
            // The last row; drawn anew, or a letter that stood there before would be left out of it.
            demo.terminal.type("G\u{0C}")
            return String(decoding: demo.terminal.transcript, as: UTF8.self).contains("rewarded-1")
        }
        demo.terminal.type("Gd")
        try demo.terminal.read(waitingFor: "the end of its files") { files().isEmpty }
        try demo.terminal.read(waitingFor: "the line of the log") {
            String(decoding: demo.terminal.transcript, as: UTF8.self).contains("answer and video deleted")
        }
        demo.terminal.type("Q")
        #expect(try demo.terminal.waitForExit() == .status(0))
        let replay = try await AdtopProcess.run(["replay", recording, "--at", "60s", "--dump", "--format", "json"])
        let json = try replay.json()
        #expect(json["zones"] == [])
        #expect(json["formats"]?["slots"]?.arrayValue?.first?["state"] == "loaded", "\(replay.errors)")
    }
}
