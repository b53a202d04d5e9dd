import DemoOrigin
import Foundation
import Ports
import TestSupport
import Testing

/// The real program on streams in the forms of Broadpeak, of Primetime and of polled VMAP, and on one whose date ranges describe its ads.
@Suite struct PolledProviderTests {
    /// Each beacon that was due arrived once, and no other one.
    @Test(arguments: [SessionShape.Dialect.broadpeak, .primetime, .vmap, .svta])
    func dueBeaconsArriveOnce(_ dialect: SessionShape.Dialect) async throws {
        let origin = try await WatchedOrigin(dialect) { $0.metadata.isServed = dialect != .svta }
        let state = try TemporaryFolder()
        // That there is no metadata is known after three answers, which take twelve seconds at the usual interval.
        let options: [SessionShape.Dialect: [String]] = [.vmap: ["--provider", "vmap"], .svta: ["--poll", "1s"]]
        let program = try origin.open(["--for", "16s"] + (options[dialect] ?? []), state: state.path)
        let document = DumpedSession(json: try await program.end().json())
        try await origin.expectDueOnce(in: document)
        let names: [SessionShape.Dialect: JSONValue] = [
            .broadpeak: "broadpeak", .primetime: "primetime", .vmap: "vmap", .svta: "svta",
        ]
        #expect(document["session"]?["provider"] == names[dialect])
        #expect(document["session"]?["service"]?["mode"] == "client")
    }
}
