import DemoOrigin
import Foundation
import Ports
import ScriptedServers
import TestSupport
import Testing

/// What a user gives to get in, and what a server sets as a cookie, is in no output of the real program.
@Suite struct SecretTests {
    /// Random words, each in one place; the same in every run.
    private struct Secrets {
        private var random = SplitMix64(seed: 16)
        private(set) var words: [String] = []

        mutating func make() -> String {
            let letters = Array("abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
            let word = String((0..<18).map { _ in letters[Int(random.next() % UInt64(letters.count))] })
            words.append(word)
            return word
        }

        mutating func make(_ count: Int) -> [String] { (0..<count).map { _ in make() } }
    }

    private struct Places {
        var secrets = Secrets()
        let user: String
        let password: String
        let headers: [String]
        let hostHeaders: [String]
        let cookies: [String]
        let jar: [String]
        let bearer: String
        let set: [String]

        init() {
            (user, password, bearer) = (secrets.make(), secrets.make(), secrets.make())
            headers = secrets.make(40)
            hostHeaders = secrets.make(40)
            cookies = secrets.make(38)
            jar = secrets.make(39)
            set = secrets.make(40)
        }

        /// The forms in which each may leave.
        var forms: [String] {
            let basic = Base64.encode(Array("\(user):\(password)".utf8))
            return secrets.words + secrets.words.map { Base64.encode(Array($0.utf8)) } + [basic]
        }

        func arguments(port: Int) -> [String] {
            headers.enumerated().flatMap { ["--header", "X-H\($0): \($1)"] }
                + hostHeaders.enumerated().flatMap { ["--header-for", "127.0.0.1:\(port)", "X-T\($0): \($1)"] }
                + cookies.enumerated().flatMap { ["--cookie", "c\($0)=\($1)"] } + ["--bearer-env", "TOKEN"]
        }

        var jarText: String {
            jar.enumerated().map { "127.0.0.1\tFALSE\t/\tFALSE\t0\tj\($0)\t\($1)\n" }.joined()
        }
    }

    private static func origin(_ places: Places) async throws -> GuardedOrigin {
        try await GuardedOrigin { visit in
            guard !visit.isBeacon, visit.number < places.set.count else { return .pass() }
            return .pass(["Set-Cookie: s\(visit.number % 10)=\(places.set[visit.number]); Path=/; HttpOnly"])
        }
    }

    /// Everything that a run wrote, by the name of its place.
    private static func outputs(_ run: AdtopProcess, _ folder: TemporaryFolder, but jar: String) throws -> [String:
        Data]
    {
        var outputs = ["stdout": Data(run.output.utf8), "stderr": Data(run.errors.utf8)]
        let files = FileManager.default.enumerator(atPath: folder.path)
        while let name = files?.nextObject() as? String {
            let path = folder.file(name)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue, name != jar
            else { continue }
            outputs[name] = try Data(contentsOf: URL(fileURLWithPath: path))
        }
        return outputs
    }

    /// What is in a recording.
    private static func unpacked(_ recording: String) async throws -> Data {
        let content = Data(try await ChildProcess("/bin/gzip", ["-dc", recording], environment: [:]).end().output)
        #expect(!content.isEmpty)
        return content
    }

    private static func expectNone(of forms: [String], in outputs: [String: Data]) {
        for (name, data) in outputs {
            let found = forms.filter { data.range(of: Data($0.utf8)) != nil }
            #expect(found.isEmpty, "\(name) has \(found.count) secrets")
        }
    }

    @Test func noOutputHoldsOne() async throws {
        let places = Places()
        #expect(places.secrets.words.count >= 200)
        let origin = try await Self.origin(places)
        let folder = try TemporaryFolder()
        try folder.write(places.jarText, to: "jar.txt")
        let common = [origin.url(as: "\(places.user):\(places.password)@")] + places.arguments(port: origin.port)
        let files = [
            "--cookie-jar", folder.file("jar.txt"), "--log-file", folder.file("adtop.log"), "--log-level", "debug",
            "--events", folder.file("events.jsonl"), "--record", folder.file("run.adtop"),
        ]
        let environment = ["TOKEN": places.bearer]
        let program = try AdtopChild(
            common + files + ["--poll", "500ms", "--dump", "--format", "json", "--for", "150s"], state: folder.path,
            environment: environment)
        try await origin.waitForBeacons(4)
        let run = try await program.interrupt()
        #expect(run.status == AdtopProcess.interrupted)
        // The requests had them: each place was used.
        let heads = origin.requests.map(\.head).joined()
        for word in [
            places.headers[0], places.hostHeaders[39], places.cookies[0], places.jar[38], places.bearer, places.set[0],
        ] {
            #expect(heads.contains(word))
        }
        // The search finds what it looks for: the jar holds what the server set.
        let jar = try Data(contentsOf: URL(fileURLWithPath: folder.file("jar.txt")))
        #expect(places.forms.contains { jar.range(of: Data($0.utf8)) != nil })
        var outputs = try Self.outputs(run, folder, but: "jar.txt")
        #expect(outputs.keys.contains { $0.hasSuffix("events.jsonl") } && outputs["adtop.log"]?.isEmpty == false)
        outputs["recording"] = try await Self.unpacked(folder.file("run.adtop"))
        for arguments in [["report"], ["report", "--json", "--unredacted"], ["report", "--html"]] {
            outputs[arguments.joined(separator: " ")] = Data(
                try await AdtopProcess.run(arguments, state: folder.path).output.utf8)
        }
        try await Self.shown(common + files.prefix(2), folder, environment, origin, &outputs)
        try await origin.stop()
        Self.expectNone(of: places.forms, in: outputs)
    }

    /// An address after `--variant` holds the token of the address that it was copied from.
    @Test func aVariantIsShownWithoutItsToken() async throws {
        var secrets = Secrets()
        let places = Places()
        let origin = try await Self.origin(places)
        let folder = try TemporaryFolder()
        let token = secrets.make()
        let wish = ["--variant", "video.m3u8?hdnts=exp=1~hmac=\(token)"]
        let stream = [origin.url(as: "")] + wish
        let files = ["--log-file", folder.file("adtop.log"), "--events", folder.file("events.jsonl")]
        var outputs: [String: Data] = [:]
        for (name, arguments) in [
            ("text", stream + files + ["--dump", "--for", "1s"]), ("plain", stream + ["--plain", "--for", "1s"]),
            ("config", ["config"] + wish), ("config --json", ["config", "--json"] + wish),
        ] {
            let run = try await AdtopProcess.run(arguments, state: folder.path)
            #expect((run.output + run.errors).contains("video.m3u8"), "\(name)")
            outputs.merge(try Self.outputs(run, folder, but: "")) { _, new in new }
            for (place, data) in outputs where data.range(of: Data(token.utf8)) != nil {
                Issue.record("\(name): \(place) has the token")
            }
        }
        #expect(outputs["adtop.log"]?.isEmpty == false)
        try await origin.stop()
    }

    /// An API key in the address is sent in the form that asks for a session (PRV-44). It is in no output, and not in the journal.
    @Test func aKeyInTheAddressIsInNoOutput() async throws {
        var secrets = Secrets()
        let (key, token) = (secrets.make(), secrets.make())
        let origin = try await WatchedOrigin { $0.session.dialect = .dai }
        let folder = try TemporaryFolder()
        let stream = "\(origin.streamURL)?api-key=\(key)&auth-token=\(token)"
        try folder.write("one \(stream)\ntwo \(stream)&iu=2\n", to: "list.txt")
        let files = [
            "--log-file", folder.file("adtop.log"), "--log-level", "debug", "--events", folder.file("events.jsonl"),
        ]
        var outputs: [String: Data] = [:]
        func keep(_ run: AdtopProcess, _ name: String) throws {
            #expect((run.output + run.errors).contains("127.0.0.1"), "\(name): \(run.errors)")
            for (place, data) in try Self.outputs(run, folder, but: "list.txt") { outputs["\(name): \(place)"] = data }
        }
        // Until a beacon has come, so that the journal has claims.
        let program = try AdtopChild(
            [stream] + files + ["--record", folder.file("run.adtop"), "--dump", "--format", "json", "--for", "150s"],
            state: folder.path)
        try await origin.waitForReceipts(1)
        let run = try await program.interrupt()
        #expect(run.status == AdtopProcess.interrupted)
        try keep(run, "json")
        outputs["recording"] = try await Self.unpacked(folder.file("run.adtop"))
        let screens = ["session", "log"].map { [stream, "--dump", "--for", "2s", "--pane", $0] }
        let lists = [["monitor", folder.file("list.txt"), "--dump", "--format", "json", "--for", "3s"]]
        let doctors = [["doctor", stream], ["doctor", stream, "--json"]]
        let reports = [[], ["--json", "--unredacted"], ["--html"], ["--csv"]].map { ["report"] + $0 }
        for arguments in screens + [[stream, "--plain", "--for", "2s"]] + lists + doctors + reports {
            try keep(
                try await AdtopProcess.run(arguments, state: folder.path),
                arguments.filter { $0 != stream }.joined(separator: " "))
        }
        await origin.stop()
        let gone = try await AdtopProcess.run([stream, "--dump", "--for", "1s"], state: folder.path)
        #expect(gone.status == 3)
        try keep(gone, "gone")
        let bad = try await AdtopProcess.run(
            [stream.replacing("http:", with: "ftp:"), "--dump"], state: folder.path)
        #expect(bad.status == 2)
        try keep(bad, "bad")
        for place in ["json: adtop/journal.sqlite", "json: events.jsonl", "json: adtop.log"] {
            #expect(outputs[place]?.isEmpty == false, "\(outputs.keys.sorted())")
        }
        Self.expectNone(of: [key, token], in: outputs)
    }

    /// The screens of the session, the settings, and a failure.
    private static func shown(
        _ arguments: [String], _ folder: TemporaryFolder, _ environment: [String: String], _ origin: GuardedOrigin,
        _ outputs: inout [String: Data]
    ) async throws {
        for pane in ["session", "log"] {
            let screen = try await AdtopChild(
                arguments + [
                    "--no-journal", "--dump", "--for", "2s", "--pane", pane, "--unredacted", "--size", "200x80",
                ],
                environment: environment
            ).end()
            #expect(screen.status == 0, "\(screen.errors)")
            outputs["pane \(pane)"] = Data(screen.output.utf8)
        }
        #expect(outputs["pane session"].map { String(decoding: $0, as: UTF8.self).contains("X-H0: ***") } == true)
        let config = try await AdtopChild(
            ["config", "--json"] + arguments.dropFirst(), environment: environment
        ).end()
        #expect(config.status == 0, "\(config.errors)")
        outputs["config"] = Data(config.output.utf8)
        // The same with a server that has gone: errors name the stream, not who asked.
        var gone = arguments
        gone[0] = gone[0].replacing(":\(origin.port)/", with: ":1/")
        let failure = try await AdtopChild(
            gone + ["--no-journal", "--dump", "--for", "1s"], environment: environment
        ).end()
        #expect(failure.status == 3)
        outputs["failure"] = Data((failure.output + failure.errors).utf8)
        gone[0] = arguments[0].replacing("http:", with: "ftp:")
        let bad = try await AdtopChild(gone + ["--dump"], environment: environment).end()
        outputs["bad URL"] = Data((bad.output + bad.errors).utf8)
    }
}
