import Foundation
import ScriptedServers
import TestSupport
import Testing

/// `--insecure` beside beacons, in the real program: wherever the mode is set, a public host needs a second flag.
@Suite struct InsecureFireTests {
    private static let url = "https://stream.example/live.m3u8"
    private static let sentence =
        "--insecure: with --fire the beacons of stream.example could go to any server; remove one of them, or add --fire-anyway"

    /// The config file, a variable and a line of a list are as good as the flag.
    @Test(arguments: ["flag", "environment", "config", "list"])
    func noWayAroundTheSecondFlag(place: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("mode: fire\n", to: "config.yaml")
        try folder.write("one \(Self.url) mode=fire\n", to: "list.txt")
        let watch = [Self.url, "--insecure"]
        let (arguments, variables): ([String], [String: String]) =
            switch place {
            case "environment": (watch, ["ADTOP_MODE": "fire"])
            case "config": (watch + ["--config", folder.file("config.yaml")], [:])
            case "list": (["monitor", folder.file("list.txt"), "--insecure"], [:])
            default: (watch + ["--fire"], [:])
            }
        let run = try await AdtopChild(
            arguments + ["--dump", "--for", "1s", "--no-journal"], state: folder.path, environment: variables
        ).end()
        #expect(run.status == 2 || run.status == 4, "\(run.errors)")
        #expect(run.errors.contains(Self.sentence), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    /// With the second flag the beacons are sent, each once.
    @Test func theSecondFlagSends() async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        let url = origin.url.replacing("127.0.0.1", with: "stream.example")
        func arguments(_ more: String...) -> [String] {
            [
                url, "--resolve", "stream.example:\(origin.port):127.0.0.1", "--allow-private", "--no-init-request",
                "--insecure", "--poll", "500ms", "--dump", "--format", "json",
            ] + more
        }
        let without = try await AdtopProcess.run(arguments("--for", "3s"), state: folder.path)
        #expect(without.status == 0, "\(without.errors)")
        #expect(DumpedSession(json: try without.json()).mode == "observe" && origin.receipts.isEmpty)
        let with = try AdtopChild(arguments("--fire", "--fire-anyway", "--for", "150s"), state: folder.path)
        try await origin.waitForReceipts(2)
        let run = try await with.interrupt()
        #expect(DumpedSession(json: try run.json()).mode == "fire", "\(run.errors)")
        #expect(origin.duplicates.isEmpty)
        await origin.stop()
    }
}
