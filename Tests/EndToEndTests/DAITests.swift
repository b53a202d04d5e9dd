import DemoOrigin
import Foundation
import Ports
import TestSupport
import Testing

/// The real program on sessions in the form of Google DAI (PRV-44 to PRV-47).
@Suite struct DAITests {
    private static func origin(_ change: @escaping (inout Scenario) -> Void = { _ in }) async throws -> WatchedOrigin {
        try await WatchedOrigin { scenario in
            scenario.session.dialect = .dai
            change(&scenario)
        }
    }

    private static func watch(_ origin: WatchedOrigin, _ more: [String], state: String) throws -> AdtopChild {
        try AdtopChild([origin.streamURL, "--dump", "--format", "json", "--unredacted"] + more, state: state)
    }

    /// Each id of an event was verified once, and no other one: not those that only keep the connection alive.
    @Test(arguments: 1...4) func whatIsDueIsVerifiedOnce(_ half: Int) async throws {
        let origin = try await Self.origin()
        try await Task.sleep(for: .milliseconds(900 * half))
        let state = try TemporaryFolder()
        let document = DumpedSession(
            json: try await Self.watch(origin, ["--for", "26s"], state: state.path).end().json())
        let session = try #require(origin.receipts.first?.session)
        let played = try #require(document.played.first)
        #expect(document["session"]?["provider"] == "dai" && document.played.count == 1)
        let planned = try await origin.plan(of: played, session: session)
        await origin.stop()
        let targets = origin.targets
        // What was due in the last moments may be on its way: metadata is asked for every 4 s, and a segment is read before that.
        let due = planned.filter { $0.atMs < played.upperBound - 9_000 }.map(\.target)
        #expect(due.count > 10)
        #expect(Set(due).subtracting(targets) == [])
        #expect(Set(targets).count == targets.count)
        // The first second of an ad includes its start.
        let unplanned = Set(targets).subtracting(planned.map(\.target))
        #expect(unplanned.allSatisfy { $0.contains(".start.") }, "\(unplanned)")
        #expect(!targets.contains { $0.contains(MediaIDText.keepAlive) })
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

    /// With dai-ssb the service reports: there is nothing to request, and no segment is read.
    @Test func whatTheServiceReportsIsNotSent() async throws {
        let origin = try await Self.origin { $0.session.reporting = .service }
        let state = try TemporaryFolder()
        let run = try await Self.watch(origin, ["--for", "6s"], state: state.path).end()
        await origin.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(origin.receipts == [])
    }

    /// A session that is over is begun anew, and nothing that was verified is verified again.
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

/// What only keeps the connection alive is named so in ids of the origin.
private enum MediaIDText {
    static let keepAlive = ".progress."
}
