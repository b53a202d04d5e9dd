import Foundation
import ScriptedServers
import TestSupport
import Testing

/// What the program prints where a library or the system gives up: our sentences, with the option that helps.
@Suite struct PlainErrorTests {
    @Test(arguments: [
        (["demo", "--dump", "--port"], "--port"), (["origin", "--port"], "--port"),
        (["cache", "serve", "--memory-only", "--port"], "--port"),
        (["demo", "--dump", "--metrics-port"], "--metrics-port"),
        (["http://127.0.0.1:1/x.m3u8", "--dump", "--for", "1s", "--cache", "--cache-port"], "--cache-port"),
    ])
    func aTakenPortNamesItsOption(_ arguments: [String], _ option: String) async throws {
        let server = try await ScriptedServer { _ in [] }
        let port = server.port
        let state = try TemporaryFolder()
        let run = try await AdtopProcess.run(arguments + ["\(port)"], state: state.path)
        try await server.stop()
        #expect(run.status == 2)
        #expect(
            run.errors
                == "adtop: port \(port) is taken on 127.0.0.1; choose another with \(option), or 0 for any "
                + "(ss -ltnp shows who has it)\n")
    }

    @Test(arguments: [
        (["--record", "/dev/null/x"], "--record: /dev/null/x: part of the path is not a folder; name another file"),
        (["--log-file", "/nope/x"], "--log-file: /nope/x: there is no such folder; name another file"),
        (["--events", "/nope/x"], "--events: /nope/x: there is no such folder; name another file"),
    ])
    func aFileThatCannotBeWrittenIsNamed(_ arguments: [String], _ clause: String) async throws {
        let state = try TemporaryFolder()
        let run = try await AdtopProcess.run(
            ["http://127.0.0.1:1/x.m3u8", "--dump", "--for", "1s"] + arguments, state: state.path)
        #expect(run.status == 2 && run.errors == "adtop: \(clause)\n", "\(run.errors)")
    }

    @Test func aFolderForRecordingsThatCannotBeMadeIsNamed() async throws {
        let state = try TemporaryFolder()
        try state.write("a http://127.0.0.1:1/x.m3u8\n", to: "list.txt")
        let run = try await AdtopProcess.run(
            ["monitor", state.file("list.txt"), "--dump", "--for", "1s", "--record", "/dev/null/x"], state: state.path)
        #expect(run.status == 2)
        #expect(
            run.errors == "adtop: --record: /dev/null: not a folder; name a folder that can be created\n",
            "\(run.errors)")
    }

    @Test(arguments: [
        ("/nope/x", "/nope/x: there is no such folder; name another file"),
        ("/dev/null/x", "/dev/null/x: part of the path is not a folder; name another file"),
    ])
    func anExportThatCannotBeWrittenIsNamed(_ path: String, _ sentence: String) async throws {
        let origin = try await WatchedOrigin()
        try await PeerScreen.expect(sentence, of: [origin.url], typing: [("LIVE", ":export svg \(path)\r")])
        await origin.stop()
    }
}
