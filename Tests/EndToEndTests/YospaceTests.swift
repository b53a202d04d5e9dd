import DemoOrigin
import Foundation
import Ports
import TestSupport
import Testing

/// The real program on sessions in the form of Yospace (PRV-30 to PRV-33).
@Suite struct YospaceTests {
    private static func origin(_ change: @escaping (inout Scenario) -> Void = { _ in }) async throws -> WatchedOrigin {
        try await WatchedOrigin { scenario in
            scenario.session.dialect = .yospace
            change(&scenario)
        }
    }

    private static func watch(_ origin: WatchedOrigin, _ more: [String], state: String) throws -> AdtopChild {
        try AdtopChild([origin.streamURL, "--dump", "--format", "json", "--unredacted"] + more, state: state)
    }

    /// What is due of the ads that records place is reported once, and nothing else.
    @Test(arguments: 1...3) func whatIsDueIsReportedOnce(_ half: Int) async throws {
        let origin = try await Self.origin()
        try await Task.sleep(for: .milliseconds(900 * half))
        let state = try TemporaryFolder()
        let document = DumpedSession(
            json: try await Self.watch(origin, ["--for", "20s"], state: state.path).end().json())
        let session = try #require(origin.receipts.first?.session)
        let played = try #require(document.played.first)
        #expect(document["session"]?["provider"] == "yospace" && document.played.count == 1)
        let planned = try await origin.plan(of: played, session: session)
        await origin.stop()
        let targets = origin.targets
        // The ad in which the viewer joined has no first record, and what was due in the last moments may be on its way: breaks are
        // asked for every 4 s.
        let joined = planned.first { $0.atMs >= played.lowerBound }?.breakID
        let due = planned.filter { $0.atMs < played.upperBound - 6_000 && $0.breakID != joined }.map(\.target)
        #expect(due.count > 10)
        #expect(Set(due).subtracting(targets) == [])
        #expect(Set(targets).count == targets.count)
        let unplanned = Set(targets).subtracting(planned.map(\.target))
        #expect(unplanned.allSatisfy { $0.contains("event=start") || $0.contains("event=impression") }, "\(unplanned)")
    }

    @Test func observingSendsNothing() async throws {
        let origin = try await Self.origin()
        let state = try TemporaryFolder()
        let run = try await Self.watch(origin, ["--for", "14s", "--observe"], state: state.path).end()
        await origin.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(origin.receipts == [])
        #expect(try run.json()["counters"]?["events"]?["observed"]?.integerValue ?? 0 > 0)
    }

    /// A session that is over is begun anew, and nothing that was reported is reported again.
    @Test func aSessionThatEndsIsReplaced() async throws {
        let origin = try await Self.origin { $0.session.expiresMs = 9_000 }
        let state = try TemporaryFolder()
        let program = try Self.watch(origin, ["--for", "90s"], state: state.path)
        try await origin.wait(for: "beacons of two sessions") { Set($0.map(\.session)).count > 1 }
        let run = try await program.interrupt()
        await origin.stop()
        #expect(run.status != 1 && origin.duplicates.isEmpty, "\(run.errors)")
    }
}
