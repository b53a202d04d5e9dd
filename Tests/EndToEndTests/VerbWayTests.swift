import ArgumentParser
import Foundation
import ScriptedServers
import TestSupport
import Testing

@testable import adtop

/// Every verb that fetches obeys the flags of docs/connect.md: a proxy, names, certificates and the time limit.
@Suite(.serialized) struct VerbWayTests {
    typealias Row = SecretVerbTests.Row

    /// Those of `SecretVerbTests`, and the verbs that follow a session.
    static let rows =
        SecretVerbTests.rows + [
            Row(
                "watch", "%", "--dump", "--for", "2s", "--no-journal", "--no-init-request",
                answer: SecretVerbTests.playlist),
            Row(
                "monitor", "@list.txt", "--dump", "--for", "2s", "--no-journal", "--no-init-request",
                answer: SecretVerbTests.playlist),
            Row("doctor", "%", "--no-init-request", answer: SecretVerbTests.playlist),
        ]

    /// A run of a verb on an address, with more flags; what it printed on both streams.
    private static func run(_ row: Row, on address: String, _ more: [String]) async throws -> (
        text: String, status: Int32
    ) {
        let folder = try TemporaryFolder()
        try folder.write("<b>a</b>", to: "a.html")
        try folder.write("one \(address)\n", to: "list.txt")
        if !row.before.isEmpty {
            _ = try await AdtopProcess.run(
                SecretVerbTests.complete(row.before, { _ in address }, folder), state: folder.path)
        }
        let arguments = SecretVerbTests.complete(row.arguments, { _ in address }, folder)
        let run = try await AdtopProcess.run(row.words + arguments + more, state: folder.path)
        return (run.output + run.errors, run.status)
    }

    private static func server(_ row: Row) async throws -> ScriptedServer {
        try await ScriptedServer { _ in [.answer(body: row.answer)] }
    }

    @Test(arguments: rows) func itGoesThroughTheProxy(_ row: Row) async throws {
        let server = try await Self.server(row)
        let proxy = try await ScriptedProxy()
        let address = "http://name.invalid:\(server.port)/a"
        _ = try await Self.run(row, on: address, ["--proxy", "http://127.0.0.1:\(proxy.port)"])
        #expect(proxy.requests.contains { $0.contains(" \(address)") }, "\(proxy.requests)")
        #expect(server.requests.count >= 1)
        try await proxy.stop()
        try await server.stop()
    }

    @Test(arguments: rows) func namesAreOverridden(_ row: Row) async throws {
        let server = try await Self.server(row)
        let address = "http://name.invalid:\(server.port)/a"
        let run = try await Self.run(row, on: address, ["--resolve", "name.invalid:\(server.port):127.0.0.1"])
        #expect(server.requests.count >= 1, "\(run.text)")
        try await server.stop()
    }

    @Test(.enabled(if: CertificateFolder.openssl != nil, "there is no openssl program"), arguments: rows)
    func anIssuerIsTrusted(_ row: Row) async throws {
        let folder = try CertificateFolder()
        let server = try TLSServer(folder)
        let address = "https://localhost:\(server.port)/a"
        let strict = try await Self.run(row, on: address, [])
        #expect(strict.text.contains("not trusted"), "\(strict.text)")
        // The page of the server is no document of the verb.
        let trusting = try await Self.run(row, on: address, ["--cacert", folder.file("ca.pem")])
        #expect(!trusting.text.contains("not trusted"), "\(trusting.text)")
    }

    @Test(arguments: rows) func itWaitsNoLongerThanItMay(_ row: Row) async throws {
        let server = try await ScriptedServer { _ in [] }
        let start = ContinuousClock.now
        let run = try await Self.run(row, on: server.url("/a"), ["--timeout", "300ms"])
        #expect(run.text.contains("300 ms"), "\(run.text)")
        // The limits without the flag are five seconds and more.
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(server.requests.count >= 1)
        try await server.stop()
    }

    /// Verbs that have a URL and send no request, with the reason.
    private static let without: [String: String] = [
        "cache put": "--fallback is requested by a page that gets the creative",
        "vast expand": "it prints what a URL becomes",
        "replay": "a recording has the answers",
        "cache creative": "it prints code with the URL of the local server",
    ]

    /// A verb whose arguments have a URL requests it, and needs the flags of this page: the rows here are all of them.
    @Test func aVerbWithAURLHasTheFlags() throws {
        let fetching = Set(SecretVerbTests.fetching().map(\.path))
        // The URL of a fleet's verbs is that of its store, which is no HTTP server.
        let withURL = Self.verbsWithURL(below: Adtop.self).filter { !$0.hasPrefix("fleet ") }
        #expect(withURL.count > 15)
        #expect(withURL.subtracting(fetching).subtracting(Self.without.keys) == [])
        #expect(Set(Self.without.keys).isSubset(of: withURL), "a reason without a verb")
        // `demo` has its own server, and `config` prints the settings. `attach` and `fleet agent` make the sessions of `watch`.
        #expect(fetching == Set(Self.rows.map(\.verb)).union(["demo", "config", "attach", "fleet agent"]))
    }

    private static func verbsWithURL(below root: any ParsableCommand.Type, path: [String] = []) -> Set<String> {
        let commands = root.configuration.subcommands
        guard commands.isEmpty else {
            return commands.reduce(into: []) { verbs, command in
                verbs.formUnion(
                    verbsWithURL(below: command, path: path + [command.configuration.commandName ?? "\(command)"]))
            }
        }
        // Without the flags of this page, which themselves have URLs, and without the examples.
        let help = Adtop.helpMessage(for: root)
        let options = help.range(of: "USAGE:").map { help[$0.lowerBound...] } ?? help[...]
        let own = options.components(separatedBy: "--header <").first ?? ""
        return own.contains(/\b(URLs?|url|urls)\b/) ? [path.joined(separator: " ")] : []
    }
}
