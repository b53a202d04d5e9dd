import Foundation
import Ports
import ScriptedServers
import TestSupport
import Testing

/// The built program with the example chains, over real sockets: it requests only the documents that the rules allow,
/// and no pixel.
@Suite(
    .serialized,
    .enabled(if: !ServedScenario.names.isEmpty, "\(ConformanceFolder.absenceReason)"))
struct VASTChainTests {
    @Test(arguments: ServedScenario.names)
    func asksForDocumentsAndNothingElse(name: String) async throws {
        let served = try await ServedScenario(name)
        let expected = try #require(served.document["expected"])
        let entry = try #require(served.document["entry"]?.stringValue)
        let wrappers = served.document["options"]?["max_wrappers"]?.integerValue ?? 5
        let run = try await AdtopProcess.run([
            "vast", "resolve", entry, "--json", "--depth", "\(wrappers)", "--timeout", "400ms",
        ])
        let requests = served.requests
        try await served.stop()
        let report = try run.json()
        #expect(report["outcome"] == expected["outcome"])
        if let code = expected["error_code"] { #expect(report["error_code"] == code) }
        #expect(run.status == (expected["outcome"] == "ok" ? 0 : 1), "\(run.errors)")
        func texts(_ member: String) -> [String] { expected[member]?.arrayValue?.compactMap(\.stringValue) ?? [] }
        if expected["requests"] != nil { #expect(requests.sorted() == texts("requests").sorted()) }
        if let most = expected["requests_max"]?.integerValue { #expect(requests.count <= Int(most)) }
        let forbidden = texts("must_not_request") + texts("fire") + texts("fire_optional") + texts("must_not_fire")
        #expect(Set(forbidden).isDisjoint(with: requests), "nothing but documents")
        let listed = report["requests"]?.arrayValue?.compactMap { $0["url"]?.stringValue } ?? []
        #expect(Set(requests).isSubset(of: listed), "what is requested is listed")
        let pixels = report["pixels"]?.arrayValue?.compactMap { $0["url"]?.stringValue } ?? []
        #expect(Set(texts("fire")).isSubset(of: pixels))
    }

    @Test func theErrorOfAScenarioNamesItsFileOnce() async throws {
        let folder = try TemporaryFolder()
        let absent = try await AdtopProcess.run(["vast", "resolve", "--scenario", folder.file("none")])
        #expect(absent.status == 4)
        #expect(absent.errors == "adtop: \(folder.file("none"))/scenario.json: no such file; check the name\n")
        try folder.write("{\n  entry}", to: "scenario.json")
        let damaged = try await AdtopProcess.run(["vast", "resolve", "--scenario", folder.path])
        #expect(damaged.status == 4)
        #expect(damaged.errors.hasPrefix("adtop: \(folder.path)/scenario.json:2:3: not JSON: "), "\(damaged.errors)")
    }

    /// Addresses in intentionally hostile documents; the address of the socket replaces the closed port in them.
    @Test(arguments: ["xxe-external-dtd", "xxe-parameter", "xxe-file", "dangerous-schemes", "about-blank"])
    func opensNothingThatADocumentNames(name: String) async throws {
        let folder = try #require(ConformanceFolder.url).appendingPathComponent("vast/edge")
        let original = try String(contentsOf: folder.appendingPathComponent("\(name).xml"), encoding: .utf8)
        let listener = try await ScriptedServer { _ in [.answer()] }
        let text = original.replacing("127.0.0.1:9", with: "127.0.0.1:\(listener.port)")
            .replacing(/https:\/\/[a-z.]+\.example\.test/, with: "http://127.0.0.1:\(listener.port)")
        let server = try await ScriptedServer { _ in [.answer(body: text)] }
        for verb in ["parse", "resolve"] {
            let run = try await AdtopProcess.run(["vast", verb, server.url("/tag"), "--json"])
            #expect(run.status == 0 || run.status == 1, "\(run.errors)")
            #expect(!run.output.contains("root:"), "no file was read")
        }
        #expect(server.requests.map(\.line) == ["GET /tag", "GET /tag"])
        #expect(listener.requests.isEmpty && listener.connectionCount == 0)
        try await server.stop()
        try await listener.stop()
    }
}
