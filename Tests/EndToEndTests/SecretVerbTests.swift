import ArgumentParser
import Foundation
import Locks
import Ports
import ScriptedServers
import TestSupport
import Testing

@testable import adtop

/// Every verb that fetches carries what a user gives to get in, and prints none of it.
@Suite struct SecretVerbTests {
    /// One verb. `%` is a URL with user and password, `^` one without, `@NAME` a file of the folder.
    struct Row: Sendable, CustomTestStringConvertible {
        var verb: String
        var arguments: [String]
        var answer = ""
        var hasJSON = true
        /// Whether the verb reads a document that the user names, which gets `--header` as a stream does; the other
        /// verbs make ad calls.
        var before: [String] = []

        init(_ verb: String, _ arguments: String..., answer: String = "{}", json: Bool = true, after: [String] = []) {
            (self.verb, self.arguments, self.answer, hasJSON, before) = (verb, arguments, answer, json, after)
        }

        var testDescription: String { verb }
        var words: [String] { verb.components(separatedBy: " ") }
    }

    static let rows = [
        Row("hls parse", "%", answer: playlist), Row("hls schedule", "%", answer: playlist),
        Row("hls timeline", "%", "--reloads", "1", answer: playlist), Row("scte35", "%", answer: playlist),
        Row("vast parse", "%", answer: "<VAST/>"), Row("vast lint", "%", answer: "<VAST/>", json: false),
        Row("vast resolve", "%", answer: "<VAST/>"), Row("vmap parse", "%", answer: "<VAST/>"),
        Row("choose", "%", answer: "<VAST/>"), Row("rewarded", "%", answer: "<VAST/>"), Row("native", "%"),
        Row("mraid", "%"), Row("check", "%", "--secure"), Row("lineitems check", "%"),
        Row("metadata parse", "%", "--provider", "mediatailor", answer: #"{"avails":[]}"#),
        Row("auction run", "%", "--no-journal"), Row("auction targeting", "%"),
        Row("auction bucket", "1", "--granularity", "%"), Row("auction bid", "--pbs", "%", "--live"),
        Row("cache warm", "%", "--folder", "@cache"),
        Row("cache bench", "--remote", "%", "--n", "1", "--size", "10"),
        Row(
            "cache get", "a", "--verify-remote", "--folder", "@cache",
            after: ["cache", "put", "@a.html", "--id", "a", "--folder", "@cache", "--fallback", "^"]),
        Row("format load", "--url", "%", "--unit", "u", "--no-zones"),
        Row("format show", "--url", "%", "--unit", "u", "--type", "rewarded", "--no-zones"),
        Row("zone warm", "z=%", "--folder", "@zones"), Row("zone preview", "%", "--folder", "@zones"),
    ]
    /// Those with tests of their own (`SecretTests`, `DoctorTests`).
    private static let sessions: Set<String> = [
        "watch", "attach", "monitor", "demo", "config", "doctor", "fleet agent",
    ]

    static let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n"
    private static let flags = [
        "--header", "--header-for", "--cookie", "--cookie-jar", "--bearer-env", "--user-agent", "--forwarded-for",
        "--referer", "--origin",
    ]

    /// The verbs whose help has the proxy, with their parents.
    static func fetching(
        below root: any ParsableCommand.Type = Adtop.self, path: [String] = []
    ) -> [(path: String, help: String)] {
        let commands = root.configuration.subcommands
        guard commands.isEmpty else {
            return commands.flatMap { fetching(below: $0, path: path + [$0.configuration.commandName ?? "\($0)"]) }
        }
        let help = Adtop.helpMessage(for: root)
        return help.contains("--proxy") ? [(path.joined(separator: " "), help)] : []
    }

    @Test func everyVerbThatFetchesHasTheFlags() {
        let verbs = Self.fetching()
        for (path, help) in verbs {
            for flag in Self.flags { #expect(help.contains("\(flag) <"), "\(path) has no \(flag)") }
        }
        #expect(Set(verbs.map(\.path)) == Set(Self.rows.map(\.verb)).union(Self.sessions))
    }

    /// The secrets of one run, each in its place.
    private struct Places {
        let user, password, bearer, header, hostHeader, cookie, jar, set: String

        init(seed: String) {
            var random = SplitMix64(seed: seed.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
            let letters = Array("abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
            func make() -> String {
                String((0..<18).map { _ in letters[Int(random.next() % UInt64(letters.count))] })
            }
            (user, password, bearer, header) = (make(), make(), make(), make())
            (hostHeader, cookie, jar, set) = (make(), make(), make(), make())
        }

        var basic: String { Base64.encode(Array("\(user):\(password)".utf8)) }
        var forms: [String] {
            [user, password, bearer, header, hostHeader, cookie, jar, set, basic]
        }

        func arguments(port: Int, _ folder: TemporaryFolder) -> [String] {
            [
                "--header", "X-A: \(header)", "--header-for", "127.0.0.1:\(port)", "X-B: \(hostHeader)", "--cookie",
                "c=\(cookie)", "--cookie-jar", folder.file("jar.txt"), "--user-agent", "probe/7",
            ]
        }
    }

    static func complete(_ row: [String], _ url: (Bool) -> String, _ folder: TemporaryFolder) -> [String] {
        row.map { word in
            if word.hasPrefix("@") { return folder.file(String(word.dropFirst())) }
            return word.replacing("%", with: url(true)).replacing("^", with: url(false))
        }
    }

    @Test(arguments: rows) func itIsSentAndNotShown(_ row: Row) async throws {
        let places = Places(seed: row.verb)
        let folder = try TemporaryFolder()
        try folder.write("<b>a</b>", to: "a.html")
        try folder.write("127.0.0.1\tFALSE\t/\tFALSE\t0\tj\t\(places.jar)\n", to: "jar.txt")
        let isMissing = Locked(false)
        let server = try await ScriptedServer { _ in
            let status = isMissing.withLock { $0 } ? "404 Not Found" : "200 OK"
            return [.answer(status, ["Set-Cookie: s=\(places.set); Path=/"], body: row.answer)]
        }
        let port = server.port
        func url(_ rest: String) -> (Bool) -> String {
            { isTyped in "http://\(isTyped ? "\(places.user):\(places.password)@" : "")\(rest)" }
        }
        let given = places.arguments(port: port, folder)
        func run(_ rest: String, _ more: [String], bearer: Bool = false) async throws -> AdtopProcess {
            try await AdtopChild(
                row.words + Self.complete(row.arguments, url(rest), folder) + given + more
                    + (bearer ? ["--bearer-env", "TOKEN"] : []),
                state: folder.path, environment: ["TOKEN": places.bearer]
            ).end()
        }
        if !row.before.isEmpty {
            _ = try await AdtopProcess.run(
                Self.complete(row.before, url("127.0.0.1:\(port)/a"), folder), state: folder.path)
        }
        var runs = [try await run("127.0.0.1:\(port)/a", [])]
        Self.expectFields(of: places, in: server, row)
        runs.append(try await run("127.0.0.1:\(port)/a", row.hasJSON ? ["--json"] : [], bearer: true))
        #expect(server.requests.last?.head.contains(places.bearer) == row.before.isEmpty)
        // What the server set is in the jar, and in the requests of the next run.
        let jar = try String(contentsOfFile: folder.file("jar.txt"), encoding: .utf8)
        #expect(jar.contains(places.set) && server.requests.last?.head.contains(places.set) == true)
        isMissing.withLock { $0 = true }
        // What is missing, who does not listen, and what is no address: at the same time, because nothing is asked of them
        // but their errors.
        let failing = ["127.0.0.1:\(port)/a", "127.0.0.1:1/a", "/a", "127.0.0.1:99999/a", "a b/c"]
        runs += try await withThrowingTaskGroup(of: AdtopProcess.self) { group in
            for place in failing { group.addTask { try await run(place, []) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try await server.stop()
        for (number, run) in runs.enumerated() {
            #expect(run.status != -1)
            let text = run.output + run.errors
            for form in places.forms { #expect(!text.contains(form), "run \(number): \(text)") }
        }
        try Self.expectNone(of: places, in: folder)
    }

    private static func expectFields(of places: Places, in server: ScriptedServer, _ row: Row) {
        let head = server.requests.last?.head ?? ""
        // What a document names gets what belongs to its host, and the cookies of the jar.
        let isNamed = !row.before.isEmpty
        #expect(head.contains("Authorization: Basic \(places.basic)") == !isNamed, "\(head)")
        #expect(head.contains("X-A: \(places.header)") == !isNamed, "\(head)")
        #expect(head.contains("c=\(places.cookie)") == !isNamed, "\(head)")
        #expect(head.contains("X-B: \(places.hostHeader)") && head.contains("j=\(places.jar)"), "\(head)")
        #expect(head.contains("User-Agent: probe/7"), "\(head)")
    }

    /// The files of the run, but the jar.
    private static func expectNone(of places: Places, in folder: TemporaryFolder) throws {
        let files = FileManager.default.enumerator(atPath: folder.path)
        while let name = files?.nextObject() as? String {
            guard name != "jar.txt", let data = FileManager.default.contents(atPath: folder.file(name)) else {
                continue
            }
            for form in places.forms { #expect(!data.holds(form), "\(name)") }
        }
    }
}
