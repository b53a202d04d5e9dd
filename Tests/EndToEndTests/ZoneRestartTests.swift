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
}
