import DemoOrigin
import Foundation
import Ports
import ScriptedServers
import TestSupport
import Testing

/// The ways into the program that are no verb: nothing, files, several URLs, words that are wrong.
@Suite struct EntranceTests {
    @Test func aloneItShowsHowItIsCalled() async throws {
        let run = try await AdtopProcess.run([])
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.output.contains("adtop demo") && run.output.contains("adtop --help"))
    }

    @Test func theScenariosOfTheDemoAreListedEachWithItsSentence() async throws {
        let run = try await AdtopProcess.run(["demo", "--list"])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let names = lines.map { String($0.prefix { $0 != " " }) }
        #expect(names == BuiltinScenarios.names && Set(names).count == names.count)
        let column = (names.map(\.count).max() ?? 0) + 2
        for (line, name) in zip(lines, names) {
            let sentence = line.dropFirst(column)
            #expect(line.dropFirst(name.count).prefix { $0 == " " }.count == column - name.count, "\(line)")
            #expect(sentence.first?.isUppercase == true && sentence.hasSuffix("."), "\(line)")
            #expect(BuiltinScenarios.summaries.contains { $0.name == name && $0.summary == sentence }, "\(line)")
        }
    }

    /// A name in Latin-1: the file is there, and the program says why it does not open it.
    @Test(arguments: [["hls", "parse"], ["vast", "lint"], ["replay"], ["--config"], []])
    func aNameThatIsNotUTF8IsNamedAndNotOpened(_ verb: [String]) async throws {
        let folder = try TemporaryFolder()
        let script = "cd '\(folder.path)' && name=$(printf 'caf\\351.m3u8') && : >\"$name\" && exec \"$@\" \"$name\""
        let run = try await AdtopProcess.run(verb, through: ["/bin/sh", "-c", script, "sh"])
        #expect(run.status == 2 && run.output.isEmpty, "\(run.output)")
        let place = "argument \(verb.count + 1) 'caf\\xE9.m3u8': not UTF-8 from byte 4 on"
        #expect(
            run.errors == "adtop: \(place); give the file another name, or give it on standard input as -\n",
            "\(run.errors)")
    }

    @Test func helpIsOnePageAndAllOfIt() async throws {
        let short = try await AdtopProcess.run(["--help"])
        let all = try await AdtopProcess.run(["--help", "all"])
        #expect(short.status == 0 && short.output.split(separator: "\n").count <= 25)
        #expect(all.status == 0 && all.output.contains("DOCUMENTS SUBCOMMANDS:"), "\(all.output)")
        #expect(all.output.contains("lineitems"))
    }

    @Test(arguments: [
        (["moniter", "x"], "adtop: 'moniter' is not a verb; did you mean 'monitor'? See adtop --help\n"),
        (["moniter", "--nope"], "adtop: 'moniter' is not a verb; did you mean 'monitor'? See adtop --help\n"),
        (["hls", "pars"], "adtop: hls: no verb 'pars'; did you mean 'parse'? See adtop hls --help\n"),
        (["help", "nope"], "adtop: no verb 'nope'; see adtop --help\n"),
    ])
    func aMistypedVerbHasASuggestion(arguments: [String], sentence: String) async throws {
        let run = try await AdtopProcess.run(arguments)
        #expect(run.status == 2 && run.errors == sentence)
    }

    @Test func aFileIsNamedByItsContent() async throws {
        let folder = try TemporaryFolder()
        try folder.write("#EXTM3U\n", to: "live.m3u8")
        let run = try await AdtopProcess.run([folder.file("live.m3u8"), "--dump"])
        #expect(run.status == 2)
        #expect(run.errors.contains("is a playlist; adtop hls parse "), "\(run.errors)")
    }

    @Test func aRecordingIsReplayed() async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        let file = folder.file("session.adtop")
        _ = try await origin.dump(["--record", file, "--until", "1-beacons"], state: folder.path)
        await origin.stop()
        let frame = ["--dump", "--size", "80x24"]
        let direct = try await AdtopProcess.run([file] + frame)
        let replayed = try await AdtopProcess.run(["replay", file] + frame)
        #expect(direct.status == 0 && !direct.output.isEmpty)
        #expect(direct.output == replayed.output)
    }

    /// What the demo hides of its log at the start is hidden in its replay.
    @Test func aRecordingOfTheDemoShowsItsLog() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("demo.adtop")
        let frame = ["--dump", "--size", "200x60"]
        let live = try await AdtopProcess.run(
            ["demo", "--seed", "1", "--for", "3s", "--record", file] + frame, state: folder.path)
        let replayed = try await AdtopProcess.run(["replay", file] + frame)
        #expect(live.status == 0 && live.output.contains("no auction no formats"), "\(live.output)")
        #expect(replayed.status == 0 && replayed.output.contains("no auction no formats"), "\(replayed.output)")
    }

    @Test func severalURLsAreATable() async throws {
        let origin = try await WatchedOrigin()
        let folder = try TemporaryFolder()
        let child = try AdtopChild(
            [origin.streamURL, origin.streamURL, "--dump", "--for", "150s", "--no-journal", "--poll", "500ms"],
            state: folder.path)
        // Two viewers: each sends the beacons of its own session.
        try await origin.wait(for: "beacons of two sessions") { Set($0.map(\.session)).count == 2 }
        let run = try await child.interrupt()
        await origin.stop()
        #expect(run.status == AdtopProcess.interrupted)
        #expect(run.output.contains("-2"), "\(run.output)")
    }

    /// A server that is still silent when the time is up did not open the stream.
    @Test func aSilentServerIsAFailure() async throws {
        let server = try await ScriptedServer { _ in [] }
        let folder = try TemporaryFolder()
        let start = [server.url("/live.m3u8"), "--dump", "--size", "100x30", "--no-journal"]
        let waiting = try await AdtopProcess.run(start + ["--for", "1s"], state: folder.path)
        #expect(waiting.status == 3 && waiting.errors.contains("no answer from \(server.url("/live.m3u8"))"))
        // One request has failed, the next waits.
        let late = try await AdtopProcess.run(start + ["--for", "3s", "--timeout", "2s"], state: folder.path)
        try await server.stop()
        #expect(late.status == 3 && late.errors.contains("--timeout waits longer."), "\(late.errors)")
    }

    /// What is neither a playlist nor a session: one sentence on the card, on standard error, and from the doctor.
    @Test(arguments: [
        (
            #"{"ok": true}"#, "application/json", "JSON instead of a playlist",
            "This is JSON, but neither a playlist nor a session."
        ),
        ("", "text/plain", "no segment and no variant in it", "There is nothing in the answer:"),
        ("hello", "text/plain", "not a playlist", "This is not a playlist: it does not begin with #EXTM3U."),
        ("<MPD/>", "application/dash+xml", "DASH manifest: adtop watches HLS", "This is a DASH manifest"),
    ])
    func anAnswerThatIsNoStreamHasOneSentence(body: String, type: String, found: String, sentence: String) async throws
    {
        let server = try await ScriptedServer { request in
            request.head.hasPrefix("POST")
                ? [.answer("405 Method Not Allowed")] : [.answer("200 OK", ["Content-Type: \(type)"], body: body)]
        }
        let folder = try TemporaryFolder()
        let url = server.url("/live.m3u8?token=SECRET")
        let run = try await AdtopProcess.run(
            [url, "--dump", "--size", "120x40", "--no-journal"], state: folder.path)
        #expect(run.status == 3)
        let start = "adtop: cannot open \(server.url("/live.m3u8?token=***")): answered 200 (\(type)). \(sentence)"
        #expect(run.errors.hasPrefix(start) && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        #expect(!run.errors.contains("init"), "\(run.errors)")
        #expect(run.output.contains("Cannot open this stream") && run.output.contains(", next in "), "\(run.output)")
        #expect(run.output.contains(sentence.prefix(30)), "\(run.output)")
        let doctor = try await AdtopProcess.run(["doctor", url], state: folder.path)
        #expect(doctor.status == 3)
        #expect(
            doctor.output.hasSuffix("The stream cannot be opened: session: 200 \(type), \(found).\n"),
            "\(doctor.output)")
        try folder.write("news \(url)\n", to: "list.txt")
        let table = try await AdtopProcess.run(
            ["monitor", folder.file("list.txt"), "--dump", "--size", "160x40", "--no-journal"],
            state: folder.path)
        try await server.stop()
        let row = table.output.split(separator: "\n").first { $0.contains("news") }
        #expect(row?.contains(found) == true, "\(table.output)")
    }

    /// The keys of the card, in a terminal: another try at once, and another stream in its place.
    @Test func theCardTriesAgainAndOpensAnotherStream() async throws {
        let first = try await ScriptedServer { _ in [.answer("404 Not Found", ["Retry-After: 32"])] }
        let second = try await ScriptedServer { _ in [.answer("200 OK", ["Content-Type: application/json"], body: "{}")]
        }
        // The server wants a pause of half a minute, which a person does not wait for.
        try await PeerScreen.expect(
            "This is JSON", of: [first.url("/live.m3u8")],
            typing: [("next in 2", "r"), ("try 2", "u"), (":open", "\(second.url("/other.m3u8"))\r")])
        #expect(first.requests.count == 2 && second.requests.count >= 1)
        try await first.stop()
        try await second.stop()
    }

    /// A terminal that the system does not know is used as another one, which a notice names.
    @Test func anUnknownTerminalIsNamed() async throws {
        let server = try await ScriptedServer { _ in [.answer("404 Not Found")] }
        try await PeerScreen.expect(
            "TERM no-such-terminal has no terminfo entry: drawn as xterm", of: [server.url("/live.m3u8")],
            environment: ["TERM": "no-such-terminal"])
        try await server.stop()
    }

    /// A stream that cannot be opened: the sentence that helps is on standard error too.
    @Test func whyAStreamCannotBeOpenedIsPrinted() async throws {
        let folder = try TemporaryFolder()
        let run = try await AdtopProcess.run(
            ["http://127.0.0.1:1/live.m3u8", "--dump", "--size", "100x30"], state: folder.path)
        #expect(run.status == 3)
        #expect(run.errors.contains("connection refused. Nothing accepts connections there."), "\(run.errors)")
        #expect(run.output.contains("Cannot open this stream") && run.output.contains("Nothing accepts connections"))
        #expect(!run.output.contains("no ad metadata"))
    }

    /// Each kind of failure has its sentence, on the screen and on standard error.
    @Test(arguments: [
        (
            ScriptedServer.Step.answer("200 OK", ["Content-Type: application/dash+xml"], body: "<MPD/>"),
            "This is a DASH manifest, and adtop follows HLS only."
        ),
        (.answer("200 OK", ["Content-Type: application/vnd.apple.mpegurl"]), "There is nothing in the answer"),
        (.answer("302 Found", ["Location: /live.m3u8"]), "The redirects lead nowhere."),
        (.answer("404 Not Found"), "The server has nothing at this path."),
        (.answer("403 Forbidden"), "Sent with X-Key: ***, Authorization: Basic ***, Cookie: a=***."),
    ]) func eachReasonIsASentence(_ answer: ScriptedServer.Step, _ sentence: String) async throws {
        let server = try await ScriptedServer { _ in [answer] }
        let folder = try TemporaryFolder()
        let run = try await AdtopProcess.run(
            [
                "http://u:p@127.0.0.1:\(server.port)/live.m3u8", "--header", "X-Key: s3cret", "--cookie", "a=s3cret",
                "--dump", "--for", "3s", "--size", "200x60",
            ], state: folder.path)
        #expect(run.status == 3)
        #expect(run.errors.contains(sentence) && !run.errors.contains("s3cret"), "\(run.errors)")
        // A longer sentence is wrapped.
        #expect(run.output.contains(sentence.prefix(24)) && !run.output.contains("s3cret"), "\(run.output)")
    }

    @Test func aNameWithoutAddressIsSaid() async throws {
        let folder = try TemporaryFolder()
        let run = try await AdtopProcess.run(
            ["http://stream.invalid/live.m3u8", "--dump", "--for", "3s", "--size", "200x60"], state: folder.path)
        #expect(run.status == 3 && run.errors.contains("no such host. The name has no address."), "\(run.errors)")
        #expect(run.output.contains("The name has no address."))
    }
}
