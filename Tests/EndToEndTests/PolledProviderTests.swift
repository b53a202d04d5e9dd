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
        let origin = try await WatchedOrigin { scenario in
            scenario.session.dialect = dialect
            scenario.metadata.isServed = dialect != .svta
        }
        let state = try TemporaryFolder()
        // That there is no metadata is known after three answers, which take twelve seconds at the usual interval.
        let options: [SessionShape.Dialect: [String]] = [.vmap: ["--provider", "vmap"], .svta: ["--poll", "1s"]]
        let program = try AdtopChild(
            [origin.streamURL, "--dump", "--format", "json", "--unredacted", "--for", "16s"]
                + (options[dialect] ?? []), state: state.path)
        let document = DumpedSession(json: try await program.end().json())
        let session = try #require(origin.receipts.first?.session)
        let played = try #require(document.played.first)
        let planned = try await origin.plan(of: played, session: session)
        await origin.stop()
        let targets = origin.targets
        // What was due in the last moment may be on its way.
        let due = planned.filter { $0.atMs < played.upperBound - 1_500 }.map(\.target)
        #expect(due.count > 10 && Set(due).subtracting(targets) == [])
        #expect(Set(targets).count == targets.count)
        // Its ad or its first second includes the join.
        let spans = ["event=impression&", "event=start&"]
        let unplanned = Set(targets).subtracting(planned.map(\.target))
        #expect(unplanned.allSatisfy { target in spans.contains { target.contains($0) } }, "\(unplanned)")
        let names: [SessionShape.Dialect: JSONValue] = [
            .broadpeak: "broadpeak", .primetime: "primetime", .vmap: "vmap", .svta: "svta",
        ]
        #expect(document["session"]?["provider"] == names[dialect])
        #expect(document["session"]?["service"]?["mode"] == "client")
    }
}
