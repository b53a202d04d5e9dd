import Foundation
import Locks
import Ports
import ScriptedServers
import TestSupport
import Testing

/// A scenario of the shared vectors on this machine. Each of its hosts is a separate listening socket, so that every
/// request to it is seen.
final class ServedScenario: Sendable {
    /// The content of `scenario.json` with the loopback addresses of the hosts.
    let document: JSONValue
    private let servers: [ScriptedServer]

    static let folder = ConformanceFolder.url?.appendingPathComponent("vast/scenarios")
    static let names: [String] = {
        guard let folder else { return [] }
        // Without the folder there are no scenarios, and the suite is skipped.
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }()

    init(_ name: String) async throws {
        let folder = try #require(Self.folder).appendingPathComponent(name)
        var texts: [String: String] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            texts[file] = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        }
        let answers = Answers()
        var (servers, addresses): ([ScriptedServer], [String: String]) = ([], [:])
        for host in Self.hosts(in: texts.values.joined(separator: "\n")) {
            let server = try await ScriptedServer { request in answers.steps(for: request) }
            servers.append(server)
            addresses[host] = "127.0.0.1:\(server.port)"
        }
        self.servers = servers
        document = try JSONReader.read(Self.moved(texts["scenario.json"] ?? "", to: addresses))
        for member in document["files"]?.objectValue?.members ?? [] {
            let text = texts[member.value.stringValue ?? ""] ?? ""
            answers.set(member.name, [.answer(body: Self.moved(text, to: addresses))])
        }
        for member in document["http_status"]?.objectValue?.members ?? [] {
            let status = member.value.integerValue ?? 0
            answers.set(member.name, status == 0 ? [] : [.answer("\(status) Status")])
        }
    }

    /// Every request that reached any of the sockets, as URLs.
    var requests: [String] {
        servers.flatMap { server in
            server.requests.map { server.url(String($0.line.drop { $0 != " " }.dropFirst())) }
        }
    }

    func stop() async throws {
        for server in servers { try await server.stop() }
    }

    private static func hosts(in text: String) -> Set<String> {
        Set(text.matches(of: /\/\/([a-z0-9.-]+\.example\.test)/).map { String($0.output.1) })
    }

    private static func moved(_ text: String, to addresses: [String: String]) -> String {
        addresses.reduce(text) { text, entry in
            text.replacing("https://\(entry.key)", with: "http://\(entry.value)")
                .replacing("//\(entry.key)", with: "//\(entry.value)")
        }
    }

    /// The answer to each URL; other URLs get 404.
    private final class Answers: Sendable {
        // Filled before the first request and then only read; the lock makes the content visible to the servers'
        // threads.
        private let steps = Locked<[String: [ScriptedServer.Step]]>([:])

        func set(_ url: String, _ steps: [ScriptedServer.Step]) {
            self.steps.withLock { $0[url] = steps }
        }

        func steps(for request: ScriptedServer.Request) -> [ScriptedServer.Step] {
            let host = request.head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("host: ") }?.dropFirst(6)
            let target = request.line.drop { $0 != " " }.dropFirst()
            return steps.withLock { $0["http://\(host ?? "")\(target)"] } ?? [.answer("404 Not Found")]
        }
    }
}
