import DemoOrigin
import Foundation
import Ports
import ScriptedServers
import TestSupport
import Testing

/// What a user gives to get in, and what a server sets as a cookie, is in no output of the real program.
@Suite struct SecretTests {
    private static func origin(_ places: SecretPlaces) async throws -> GuardedOrigin {
        try await GuardedOrigin { visit in
            guard !visit.isBeacon, visit.number < places.set.count else { return .pass() }
            return .pass(["Set-Cookie: s\(visit.number % 10)=\(places.set[visit.number]); Path=/; HttpOnly"])
        }
    }

    /// Everything that a run wrote, by the name of its place.
    private static func outputs(_ run: AdtopProcess, _ folder: TemporaryFolder, but input: String = "") throws
        -> [String: Data]
    {
        var outputs = ["stdout": Data(run.output.utf8), "stderr": Data(run.errors.utf8)]
        let files = FileManager.default.enumerator(atPath: folder.path)
        while let name = files?.nextObject() as? String {
            let path = folder.file(name)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
                name != input
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
            let found = forms.filter { data.holds($0) }
            #expect(found.isEmpty, "\(name) has \(found.count) secrets")
        }
    }

    /// How the settings are given.
    enum Way: String, CaseIterable { case flags, file, environment }

    /// A stream behind a proxy, and all that a person gives to get there.
    private struct Scene {
        let places = SecretPlaces()
        let origin: GuardedOrigin
        let proxy: ScriptedProxy
        let certificates: CertificateFolder
        /// What a person wrote: jar, list, config file.
        let inputs: TemporaryFolder
        /// What the program writes.
        let folder: TemporaryFolder
        let url: String
        let arguments: [String]
        let environment: [String: String]

        init(_ way: Way) async throws {
            origin = try await SecretTests.origin(places)
            proxy = try await ScriptedProxy(login: "\(places.proxyUser):\(places.proxyPassword)")
            certificates = try CertificateFolder()
            try certificates.lock("secret", with: places.passphrase)
            (inputs, folder) = (try TemporaryFolder(), try TemporaryFolder())
            url = origin.url(as: "\(places.user):\(places.password)@")
            try inputs.write(places.jarText, to: "jar.txt")
            try inputs.write("one \(url)\n", to: "list.txt")
            let (port, proxyPort) = (origin.port, proxy.port)
            try inputs.write(
                way == .file ? places.configuration(port: port, proxy: proxyPort, certificates) : "", to: "config.yaml")
            arguments =
                (way == .flags ? places.arguments(port: port, proxy: proxyPort, certificates) : [])
                + ["--cookie-jar", inputs.file("jar.txt")]
            let words =
                way == .environment ? places.variables(port: port, proxy: proxyPort, certificates) : places.words
            let own = ["ADTOP_CONFIG": inputs.file("config.yaml"), "HOME": folder.path]
            environment = words.merging(own) { $1 }
        }

        func run(_ arguments: [String], input: String = "") async throws -> AdtopProcess {
            try await AdtopChild(arguments, input: input, state: folder.path, environment: environment).end()
        }

        func stop() async throws {
            try await proxy.stop()
            try await origin.stop()
        }
    }

    @Test(.enabled(if: CertificateFolder.openssl != nil, "there is no openssl program"), arguments: Way.allCases)
    func noOutputHoldsOne(_ way: Way) async throws {
        let scene = try await Scene(way)
        let (places, folder) = (scene.places, scene.folder)
        #expect(places.secrets.words.count >= 200)
        let files = [
            "--log-file", folder.file("adtop.log"), "--log-level", "debug", "--events", folder.file("events.jsonl"),
            "--record", folder.file("run.adtop"),
        ]
        let program = try AdtopChild(
            [scene.url] + scene.arguments + files + ["--poll", "500ms", "--dump", "--format", "json", "--for", "150s"],
            state: folder.path, environment: scene.environment)
        try await scene.origin.waitForBeacons(4)
        let run = try await program.interrupt()
        #expect(run.status == AdtopProcess.interrupted, "\(run.errors)")
        Self.expectUse(of: places, in: scene.origin)
        // The search finds what it looks for: the jar holds what the server set.
        let jar = try Data(contentsOf: URL(fileURLWithPath: scene.inputs.file("jar.txt")))
        #expect(places.forms.contains { jar.holds($0) })
        let screen = try await SecretScreen.run(scene.url, scene.arguments, scene.environment, folder)
        var outputs = try Self.outputs(run, folder)
        #expect(outputs.keys.contains { $0.hasSuffix("events.jsonl") } && outputs["adtop.log"]?.isEmpty == false)
        outputs["recording"] = try await Self.unpacked(folder.file("run.adtop"))
        outputs.merge(screen) { $1 }
        outputs.merge(try await Self.printed(scene)) { $1 }
        outputs["metrics"] = try await Self.metrics(scene)
        try await scene.stop()
        Self.expectNone(of: places.forms, in: outputs)
    }

    /// The requests had them: each place was used.
    private static func expectUse(of places: SecretPlaces, in origin: GuardedOrigin) {
        let heads = origin.requests.map(\.head).joined()
        for word in [
            places.headers[0], places.hostHeaders[39], places.cookies[0], places.jar[38], places.bearer, places.set[0],
            places.referer,
        ] {
            #expect(heads.contains(word))
        }
    }

    /// A run with the same settings, its name, and the exit code that it has.
    private struct Printed: Sendable {
        var name: String
        var arguments: [String]
        var status: Int32 = 0
    }

    /// Screens of the session in each form, the settings, tables, failures.
    private static func prints(_ scene: Scene) -> [Printed] {
        let given = scene.arguments
        let screen = ["--no-journal", "--dump", "--for", "2s", "--unredacted", "--size", "200x80"]
        let dump: [String] = [scene.url] + given + screen
        let list: [String] = ["monitor", scene.inputs.file("list.txt")] + given + screen
        // The same with a server that has gone, and a URL that is none: errors name the stream, not who asked.
        let gone = scene.url.replacing(":\(scene.origin.port)/", with: ":1/")
        let bad = scene.url.replacing("http:", with: "ftp:")
        var rows: [Printed] = []
        for pane in ["session", "log"] {
            rows.append(Printed(name: "pane \(pane)", arguments: dump + ["--pane", pane]))
        }
        for form in ["ansi", "svg"] {
            rows.append(Printed(name: form, arguments: dump + ["--pane", "session", "--format", form]))
        }
        let plain: [String] = [scene.url] + given + ["--no-journal", "--plain", "--for", "2s", "--unredacted"]
        rows.append(Printed(name: "plain", arguments: plain))
        rows.append(Printed(name: "monitor", arguments: list))
        rows.append(Printed(name: "monitor json", arguments: list + ["--format", "json"]))
        rows.append(Printed(name: "monitor session", arguments: list + ["--keys", "Enter 5 5"]))
        rows.append(Printed(name: "doctor", arguments: ["doctor", scene.url] + given))
        rows.append(Printed(name: "doctor json", arguments: ["doctor", scene.url, "--json"] + given))
        rows.append(Printed(name: "config", arguments: ["config"] + given))
        rows.append(Printed(name: "config json", arguments: ["config", "--json"] + given))
        for form in [[], ["--json", "--unredacted"], ["--html"], ["--csv"]] as [[String]] {
            rows.append(Printed(name: "report \(form)", arguments: ["report"] + form))
        }
        let short = ["--no-journal", "--dump", "--for", "1s"]
        rows.append(Printed(name: "gone", arguments: [gone] + given + short, status: 3))
        rows.append(Printed(name: "gone doctor", arguments: ["doctor", gone] + given, status: 3))
        rows.append(Printed(name: "bad URL", arguments: [bad] + given + short, status: 2))
        return rows
    }

    /// What those runs print.
    private static func printed(_ scene: Scene) async throws -> [String: Data] {
        let rows = prints(scene)
        let outputs = try await withThrowingTaskGroup(of: (String, Data).self) { group in
            for row in rows {
                group.addTask {
                    let run = try await scene.run(row.arguments, input: row.name == "plain" ? "5\n" : "")
                    #expect(run.status == row.status, "\(row.name): \(run.errors)")
                    return (row.name, Data((run.output + run.errors).utf8))
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        // They are about what the secrets are in.
        for name in ["pane session", "ansi", "svg", "plain", "monitor session", "config", "config json"] {
            let text = outputs[name].map { String(decoding: $0, as: UTF8.self) } ?? ""
            #expect(text.contains("X-H0: ***"), "\(name): \(text)")
        }
        return outputs
    }

    /// The metrics of a running session.
    private static func metrics(_ scene: Scene) async throws -> Data {
        let program = try AdtopChild(
            [scene.url] + scene.arguments + [
                "--no-journal", "--dump", "--for", "60s", "--metrics-port", "0", "--events", "-",
            ], through: ["/bin/sh", "-c", "exec \"$@\" 2>&1", "sh"], environment: scene.environment)
        let greeting = try await program.expect("/metrics")
        let port = try #require(greeting.firstMatch(of: /127\.0\.0\.1:([0-9]+)\/metrics/).flatMap { Int($0.output.1) })
        try await program.expect("\"kind\":\"break\"")
        let metrics = await LoopbackClient(port: port).get("/metrics").body
        #expect(metrics.contains("adtop_build_info"))
        let run = try await program.interrupt()
        return Data((metrics + run.output).utf8)
    }

    /// An address after `--variant` holds the token of the address that it was copied from.
    @Test func aVariantIsShownWithoutItsToken() async throws {
        var secrets = SecretWords()
        let places = SecretPlaces()
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
            for (place, data) in outputs where data.holds(token) {
                Issue.record("\(name): \(place) has the token")
            }
        }
        #expect(outputs["adtop.log"]?.isEmpty == false)
        try await origin.stop()
    }

    /// An API key in the address is sent in the form that asks for a session (PRV-44). It is in no output, and not in the journal.
    @Test func aKeyInTheAddressIsInNoOutput() async throws {
        var secrets = SecretWords()
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
}
