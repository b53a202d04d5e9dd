import ArgumentParser
import Foundation
import ScriptedServers
import TestSupport
import Testing

@testable import adtop

/// Every verb with ESC, OSC, C1, bidirectional controls and NUL in what it reads: none of them is printed.
@Suite struct HostileTextTests {
    /// One run of a verb.
    struct Row: Sendable, CustomTestStringConvertible {
        var verb: String
        /// `@NAME` is a file of the folder, `!NAME` one of the hostile session, `§` the hostile text, `%` the URL of a hostile
        /// stream.
        var arguments: [String]
        /// Whether text from outside is in the output; otherwise the verb prints only its own words here.
        var shows = true
        /// Arguments of runs before this one, on the same files.
        var before: [[String]] = []

        init(_ verb: String, _ arguments: String..., shows: Bool = true, after before: [[String]] = []) {
            (self.verb, self.arguments, self.shows, self.before) = (verb, arguments, shows, before)
        }

        var testDescription: String { "\(verb) \(arguments.joined(separator: " "))" }
    }

    /// The verbs that run, with their parents: `hls parse`.
    private static func verbs(below root: any ParsableCommand.Type = Adtop.self, path: [String] = []) -> [String] {
        let commands = root.configuration.subcommands
        guard !commands.isEmpty else { return [path.joined(separator: " ")] }
        return commands.flatMap { verbs(below: $0, path: path + [$0.configuration.commandName ?? "\($0)"]) }
    }

    /// A verb that is missing here fails the test: give it a document with hostile text.
    private static let plain = tools + formats + caches + sessions
    /// The same in each format of the verb.
    static let rows = plain.flatMap { row in
        // Without --json, `cache get` writes the bytes of a creative.
        [row]
            + (row.arguments.contains("--json") ? [] : formats(of: row.verb)).map { flags in
                var other = row
                other.arguments += flags
                return other
            }
    }

    private static let tools = [
        Row("hls parse", "@media.m3u8"), Row("hls parse", "@multi.m3u8"), Row("hls schedule", "@inter.m3u8"),
        Row("metadata parse", "@tracking.json", "--provider", "mediatailor"),
        Row("metadata parse", "@metadata.json", "--provider", "harmonic"),
        Row("metadata parse", "@tracking.json", "--provider", "§"), Row("providers", shows: false),
        Row("hls timeline", "%", "--reloads", "1"), Row("scte35", "@media.m3u8", shows: false), Row("scte35", "§"),
        // Private command and DTMF, whose characters are ESC sequences.
        Row("scte35", "fc001900000000000000fff008ff1b631b5b33316d58000000000000", shows: false),
        Row("scte35", "fc001b00000000000000fff00000000a010843554549055f1b6300000000", shows: false),
        Row("vast parse", "@ad.xml"), Row("vast lint", "@ad.xml"), Row("vast lint", "@media.m3u8", shows: false),
        Row("vast resolve", "@ad.xml"), Row("vast resolve", "@ad.xml", "--explain"),
        Row("vast expand", "https://x.example/§[§]", "--explain"), Row("vmap parse", "@vmap.xml"),
        Row("choose", "@ad.xml"), Row("rewarded", "@ad.xml"),
        Row("explain", "§"), Row("theme list", shows: false), Row("theme check", "@theme.yaml"),
        Row("config", "--config", "@config.yaml"),
    ]

    private static let formats = [
        Row("auction run", "@auction.json", "--no-journal"), Row("auction bid", "--replay", "@bid.json"),
        Row("auction targeting", "@bid.json"), Row("auction bucket", "§"), Row("lineitems check", "@lineitems.json"),
        Row("format load", "--plugin", "static", "--file", "@ad.xml", "--unit", "u§", "--type", "rewarded"),
        Row("format load", "--plugin", "static", "--file", "@creative.html", "--unit", "u"),
        Row("format show", "--plugin", "static", "--file", "@ad.xml", "--unit", "u", "--type", "rewarded"),
        Row("native", "@native.json"),
        Row("mraid", "@creative.html", "--script", "@steps.txt"),
        Row("plugins list", "@plugins"), Row("plugins describe", "acme", "--plugins", "@plugins"),
        Row("plugins describe", "§", "--plugins", "@plugins"), Row("plugins check", "@bad-plugins"),
        Row("check", "@bid-only.json", "--languages", "sv"), Row("check", "@creative.html", "--secure", shows: false),
    ]

    private static let caches = [
        Row("cache put", "@creative.html", "--type", "text/§", "--folder", "@cache"),
        Row(
            "cache get", "a", "--folder", "@cache", "--json",
            after: [["cache", "put", "@creative.html", "--id", "a", "--folder", "@cache"]]),
        Row("cache list", "--config", "@config.yaml"),
        Row("cache rm", "§", "--folder", "@cache"), Row("cache purge", "--config", "@config.yaml"),
        Row("cache warm", "@bid.json", "--folder", "@cache", "--offline", shows: false),
        Row("cache warm", "§"), Row("cache creative", "--universal", "https://x.example/§"),
        Row("cache bench", "--remote", "§"), Row("cache serve", "--port", "§"),
        Row("cache cert init", "--tls-folder", "@creative.html/§", shows: false),
        Row("cache cert show", "--tls-folder", "@§"), Row("cache cert renew", "--tls-folder", "@§"),
        Row("cache cert remove", "--tls-folder", "@§", shows: false),
        Row("zone warm", "§=http://127.0.0.1:1/", "--folder", "@zones"),
        Row("zone preview", "a§=http://127.0.0.1:1/", "--folder", "@zones"),
        Row("zone list", "--folder", "@creative.html/§", shows: false),
        Row("zone purge", "--folder", "@creative.html/§", shows: false),
    ]

    /// `HostileSessionTests` has the screens of a session.
    private static let sessions = [
        Row("watch", "%", "--dump", "--for", "1s", "--no-journal"), Row("doctor", "%", shows: false),
        Row("attach", "%metadata", "--dump", "--for", "1s", "--no-journal"), Row("attach", "§"),
        Row("doctor", "§"), Row("monitor", "@options.txt", "--dump", "--no-journal"),
        Row("monitor", "@names.txt", "--dump", "--no-journal", "--for", "1s"),
        Row("demo", "--scenario", "@scenario.yaml", "--dump"), Row("origin", "--scenario", "@scenario.yaml"),
        Row("simulate", "@scenario.yaml"), Row("simulate", "@ads.yaml", "--for", "30s"),
        Row("demo", "--scenario", "@ads.yaml", "--dump", "--for", "1s", "--no-journal"),
        Row("fleet init", "--store", "§"), Row("fleet add", "@names.txt", "--store", "§"),
        Row("fleet add", "https://x.example/a b§", "--store", "§"), Row("fleet add", "@options.txt", "--store", "§"),
        Row("fleet rm", "§", "--store", "§"), Row("fleet list", "--store", "§"),
        Row("fleet drain", "§", "--store", "§"),
        Row("fleet mode", "--store", "§"), Row("fleet durability", "--store", "§"),
        Row("fleet accept-server", "--store", "§"), Row("fleet status", "--store", "§"),
        Row("fleet upgrade", "--store", "§"),
        Row("fleet top", "--store", "§"),
        Row("fleet demo", "--scenario", "@scenario.yaml"),
        Row("fleet report", "--store", "§"), Row("fleet agent", "--store", "§", "--name", "a"),
        Row("replay", "!recording", "--dump", "--view", "playlist"), Row("report", "!journal"), Row("report", "@§"),
    ]

    /// The formats of a verb besides text, from its own flags, so that a new one is tried.
    private static func formats(of verb: String) -> [[String]] {
        guard let type = VerbNames.verb(in: verb.components(separatedBy: " "))?.type else { return [] }
        return Mirror(reflecting: type.init()).children.flatMap { child -> [[String]] in
            switch (child.label, child.value) {
            case (_, is OptionGroup<ReportForm>): [["--json"], ["--csv"], ["--html"]]
            case ("_json"?, _), ("_csv"?, _), ("_html"?, _): [["--\(child.label?.dropFirst() ?? "")"]]
            case (_, is Option<VASTCommand.Lint.Format>):
                VASTCommand.Lint.Format.allCases.filter { $0 != .text }.map { ["--format", $0.rawValue] }
            case ("_format"?, _): [["--format", "a new type of format: add it to HostileTextTests"]]
            default: []
            }
        }
    }

    @Test func everyVerbHasAHostileCase() {
        let (verbs, covered) = (Set(Self.verbs()), Set(Self.rows.map(\.verb)))
        #expect(verbs.subtracting(covered).isEmpty, "verbs without a row in HostileTextTests.rows")
        #expect(covered.subtracting(verbs).isEmpty, "rows of verbs that do not exist")
        #expect(!Self.rows.contains { $0.arguments.contains { $0.hasPrefix("a new type") } })
        let silent = covered.subtracting(Self.rows.filter(\.shows).map(\.verb))
        let own: Set = [
            "providers", "theme list", "cache cert init", "cache cert remove", "zone list", "zone purge",
        ]
        #expect(silent == own)
    }

    @Test(arguments: rows) func noControlIsPrinted(_ row: Row) async throws {
        let folder = try HostileFolder.make()
        defer { withExtendedLifetime(folder) {} }
        let server = row.arguments.contains { $0.hasPrefix("%") } ? try await HostileStream.start() : nil
        let isLater = row.arguments.contains { $0.hasPrefix("!") }
        let session = isLater ? try await HostileSession.outputs.value.folder : folder
        let url = server?.url("/live.m3u8?sessid=§".replacing("§", with: HostileText.mark)) ?? ""
        let complete = { (arguments: [String]) in
            arguments.map { argument in
                let name = String(argument.dropFirst())
                let path =
                    argument.hasPrefix("@")
                    ? folder.file(name) : argument.hasPrefix("!") ? session.file(name) : argument
                if path == "%metadata" { return url.replacing("/live.m3u8", with: "/metadata") }
                return path == "%" ? url : path.replacing("§", with: HostileText.argument)
            }
        }
        for earlier in row.before { _ = try await AdtopProcess.run(complete(earlier)) }
        let run = try await AdtopProcess.run(row.verb.components(separatedBy: " ") + complete(row.arguments))
        try await server?.stop()
        #expect(run.status != -1, "ended by a signal")
        #expect(HostileText.firstOffender(in: run.output) == nil, "\(run.output)")
        #expect(HostileText.firstOffender(in: run.errors) == nil, "\(run.errors)")
        #expect((run.output + run.errors).contains(HostileText.mark) || !row.shows, "\(run.output)\(run.errors)")
    }

    /// The server prints a line for each request of any page.
    @Test(arguments: [[], ["--json"]]) func noControlOfARequestIsPrinted(_ form: [String]) async throws {
        let folder = try TemporaryFolder()
        let server = try AdtopChild(["cache", "serve", "--port", "0", "--no-tls", "--folder", folder.file("c")] + form)
        let greeting = try await server.expect("cache")
        let port = try #require(greeting.firstMatch(of: /(?:localhost|"port"):([0-9]+)/).flatMap { Int($0.output.1) })
        let client = LoopbackClient(port: port)
        // The HTTP parser rejects ASCII controls, and the line then has no part of the request.
        _ = await client.request("GET", "/\(HostileText.argument)")
        // The target ends here: a field follows.
        let origin = "http://\(HostileText.mark)\(HostileText.notASCII)"
        _ = await client.request("GET", "/\(HostileText.mark)%1b%5b31m HTTP/1.1\r\nOrigin: \(origin)\r\nX-Rest:")
        try await server.expect(HostileText.mark)
        let run = try await server.interrupt()
        #expect(HostileText.firstOffender(in: run.output + run.errors) == nil, "\(run.output)\(run.errors)")
    }

    /// A usage error repeats the argument, unless a missing one is reported first.
    @Test(arguments: verbs()) func noControlOfAnArgumentIsPrinted(_ verb: String) async throws {
        let run = try await AdtopProcess.run(verb.components(separatedBy: " ") + ["--\(HostileText.argument)"])
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(HostileText.firstOffender(in: run.errors) == nil, "\(run.errors)")
        let isMissing = run.errors.contains(": missing; ") || run.errors.hasPrefix("adtop: give ")
        #expect(run.errors.contains(HostileText.mark) || isMissing, "\(run.errors)")
    }

    /// The check itself: it finds each kind of control.
    @Test(arguments: [
        "\u{1B}[2J", "\u{1B}]0;t\u{7}", "\u{9B}m", "\u{7F}", "\u{202E}", "\u{2066}", "\u{200F}", "\0", "\u{8}",
    ])
    func theCheckFindsControls(_ text: String) {
        #expect(HostileText.firstOffender(in: "a\(text)b") != nil)
        #expect(HostileText.firstOffender(in: "\u{1B}[31ma\(text)b", isANSI: true) != nil)
        #expect(HostileText.firstOffender(in: "a\t^[b\r\n") == nil)
    }
}
