import Foundation
import Ports
import TestSupport
import Testing

/// Plugins in another language fill ad spaces of a session: `--plugins` and `@PLUGIN` of `adtop demo` and `watch`.
@Suite(.serialized) struct SessionPluginTests {
    static let units = ["home", "die", "lie", "flood", "chatter", "hang"]

    /// The flags of one ad space for each unit, each with a plugin process of its own.
    static func flags(_ folder: TemporaryFolder) -> [String] {
        ["--plugins", folder.path] + units.flatMap { ["--slot", "\($0)=banner:\($0)@py-\($0)"] }
    }

    static func folder() throws -> TemporaryFolder { try PythonPlugin.folder(units.map { "py-\($0)" }) }

    private func slot(_ name: String, _ json: JSONValue) throws -> JSONValue {
        try #require(json["formats"]?["slots"]?.arrayValue?.first { $0["name"] == .string(name) })
    }

    @Test(.enabled(if: PythonPlugin.canRun, "there is no /usr/bin/python3"))
    func pluginsServeAndFailBesideTheStream() async throws {
        let folder = try Self.folder()
        let recording = folder.file("session.adtop")
        let run = try await AdtopProcess.run(
            ["demo", "--seed", "1", "--dump", "--format", "json", "--for", "4s", "--record", recording]
                + Self.flags(folder))
        // A plugin that hangs is killed at the end, or this would not return.
        #expect(run.status == 0, "\(run.errors)")
        let json = try run.json()
        let home = try slot("home", json)
        #expect(home["state"] == "impressed" && home["provider"] == "py-home")
        #expect(home["ad"]?["text"] == ["From [1] Python"])
        let details = [
            "die": "the plugin ended with status 3", "lie": "none today",
            "flood": "a line of its output is longer than 1 MiB",
            "chatter": "the plugin writes more than 200 lines or 4 MiB per second",
        ]
        for (unit, detail) in details {
            let slot = try slot(unit, json)
            #expect(slot["state"] == "failed" && slot["error"]?["detail"] == .string(detail), "\(unit): \(slot.text())")
        }
        #expect(try slot("hang", json)["state"] == "loading")
        // The stream went on beside them.
        #expect(json["playhead"]?["state"] == "playing")
        try await replayIsTheSame(recording, json)
    }

    private func replayIsTheSame(_ recording: String, _ live: JSONValue) async throws {
        let run = try await AdtopProcess.run([
            "replay", recording, "--at", "3900ms", "--dump", "--format", "json",
        ])
        #expect(run.status == 0, "\(run.errors)")
        let replayed = try run.json()
        for unit in Self.units {
            let (old, new) = (try slot(unit, live), try slot(unit, replayed))
            #expect(old["state"] == new["state"] && old["ad"] == new["ad"] && old["error"] == new["error"], "\(unit)")
        }
    }

    @Test(
        arguments: [
            (["--slot", "a=banner:u@nobody"], "no usable plugin 'nobody'"),
            (["--slot", "a=native:u@py"], "does not declare"),
            (["--slot", "a=banner:u"], "--ad-server"),
        ])
    func whatCannotBeFilledIsAUsageError(slot: [String], words: String) async throws {
        let folder = try PythonPlugin.folder()
        let run = try await AdtopProcess.run(
            ["watch", "http://127.0.0.1:9/live.m3u8", "--dump", "--plugins", folder.path] + slot)
        #expect(run.status == 2 && run.errors.contains(words), "\(run.errors)")
    }
}
