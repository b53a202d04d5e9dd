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

    /// Folders in which nothing may be made, and one in which nothing may be looked for.
    @Test(
        .enabled(if: PlainRights.command != nil, "root may write into every folder"),
        arguments: [
            ("--record", 0o500, "name another file"), ("--log-file", 0, "name another file"),
            ("--events", 0o500, "name another file"), ("--cookie-jar", 0o500, "name another file"),
            ("monitor --record", 0o500, "name a folder that can be created"),
        ])
    func aFolderWithoutPermissionIsNamed(_ words: String, _ mode: Int, _ remedy: String) async throws {
        let command = try #require(PlainRights.command)
        let server = try await ScriptedServer { _ in [.answer("404 Not Found")] }
        let state = try TemporaryFolder()
        let path = try state.close("closed", mode) + "/x"
        try state.write("a \(server.url("/x.m3u8"))\n", to: "list.txt")
        let flag = String(words.split(separator: " ").last ?? "")
        let start = words == flag ? [server.url("/x.m3u8")] : ["monitor", state.file("list.txt")]
        let run = try await AdtopProcess.run(
            start + ["--dump", "--for", "1s", "--no-journal", flag, path], state: state.path, through: command)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errors == "adtop: \(flag): \(path): not permitted; \(remedy)\n", "\(run.errors)")
        #expect(server.requests.isEmpty)
        try await server.stop()
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

    /// Output that is lost must not look like success.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
        arguments: [
            ["--version"], ["--help"], ["report", "--help"], ["explain", "TRK-15"], ["demo", "--list"],
            ["vast", "parse", "-", "--json"], ["vast", "lint", "-", "--json"], ["config"], ["cache", "creative"],
            ["--generate-completion-script", "bash"],
        ])
    func aFullDiskBehindStandardOutputIsNamed(_ arguments: [String]) async throws {
        let run = try await AdtopProcess.run(
            arguments, input: "<VAST version=\"4.2\"></VAST>",
            through: ["/bin/sh", "-c", "exec \"$@\" >/dev/full", "sh"])
        #expect(run.status == 5)
        #expect(
            run.errors == "adtop: standard output: no space left on device; what was printed is incomplete\n",
            "\(run.errors)")
    }

    /// A report is written in pieces, and a frame at the end of a session.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
    func aFullDiskBehindAReportOrAFrameIsNamed() async throws {
        let state = try TemporaryFolder()
        let full = ["/bin/sh", "-c", "exec \"$@\" >/dev/full", "sh"]
        let frame = try await AdtopProcess.run(
            ["demo", "--dump", "--format", "json", "--journal", state.file("j.sqlite")], state: state.path,
            through: full)
        let sentence = "adtop: standard output: no space left on device; what was printed is incomplete\n"
        #expect(frame.status == 5 && frame.errors.hasSuffix(sentence), "\(frame.status) \(frame.errors)")
        for form in [[], ["--json"], ["--csv"], ["--html"]] {
            let report = try await AdtopProcess.run(
                ["report", state.file("j.sqlite")] + form, state: state.path, through: full)
            #expect(report.status == 5 && report.errors == sentence, "\(form) \(report.status) \(report.errors)")
        }
    }

    /// A stream that is closed from the start: no file of the program takes its place, so that nothing is printed into one.
    @Test func aClosedStandardOutputIsNamedAndReplacesNoFile() async throws {
        let state = try TemporaryFolder()
        let recording = state.file("demo.adtop")
        let closed = ["/bin/sh", "-c", "exec \"$@\" <&- >&-", "sh"]
        let run = try await AdtopProcess.run(
            ["demo", "--dump", "--for", "1s", "--record", recording, "--journal", state.file("j.sqlite")],
            state: state.path, through: closed)
        #expect(run.status == 5, "\(run.errors)")
        #expect(run.errors.contains("standard output: closed already; what was printed is incomplete"), "\(run.errors)")
        let replay = try await AdtopProcess.run(["replay", recording, "--dump"])
        #expect(replay.status == 0 && replay.errors.isEmpty && replay.output.contains("REPLAY"), "\(replay.errors)")
        let silent = try await AdtopProcess.run(
            ["vast", "parse", "/nonexistent"], through: ["/bin/sh", "-c", "exec \"$@\" 2>&-", "sh"])
        #expect(silent.status == 4 && silent.output.isEmpty && silent.errors.isEmpty)
    }

    /// A reader that has gone wants no more, and no result was lost. A session does not go on without it, and send beacons, for its hour.
    @Test(arguments: [["demo", "--list"], ["demo", "--dump", "--for", "1h", "--no-journal", "--events", "-"]])
    func aReaderThatGoesIsNoError(_ arguments: [String]) async throws {
        let run = try await AdtopProcess.run(
            arguments, through: ["/bin/sh", "-c", "{ \"$@\"; echo \"ended with $?\" >&2; } | head -n 1", "sh"])
        #expect(run.errors.hasSuffix("ended with 0\n") && !run.errors.contains("cut short"), "\(run.errors)")
    }

    /// Some programs make the pipes of those that they start non-blocking: a full pipe then waits for its reader, and an empty one for its
    /// writer.
    @Test(.enabled(if: PythonPlugin.canRun, "there is no /usr/bin/python3"))
    func pipesThatDoNotBlockAreWaitedFor() async throws {
        let script =
            "import os, sys; os.set_blocking(0, False); os.set_blocking(1, False); os.execv(sys.argv[1], sys.argv[1:])"
        let python = ["/usr/bin/python3", "-c", script]
        let help = try await AdtopProcess.run(["--experimental-dump-help"])
        let again = try await AdtopProcess.run(["--experimental-dump-help"], through: python)
        #expect(help.output.utf8.count > 1 << 17 && again.output == help.output && again.status == 0)
        let read = try await AdtopProcess.run(
            ["vast", "parse", "-"], input: "<VAST version=\"4.2\"></VAST>", through: python)
        #expect(read.status == 0, "\(read.errors)")
    }

    /// The user of many services has a home that is no folder.
    @Test(arguments: ["/dev/null", "/nope", ""]) func aHomeWithoutFilesHasNoConfigFile(_ home: String) async throws {
        let child = try AdtopChild(["config"], environment: ["HOME": home])
        let run = try await child.end()
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let asked = try AdtopChild(["config", "--config", "/dev/null/x.yaml"], environment: ["HOME": home])
        #expect(try await asked.end().status == 2)
    }
}
