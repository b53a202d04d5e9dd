import DemoOrigin
import Foundation
import Ports
import TestSupport
import Testing

/// What the real program does when the server ends its session in mid-stream (TRK-32).
@Suite struct ExpiredSessionTests {
    /// Sessions of 8 s: long enough for a break, and for the next one in the next session.
    private static func origin(_ refuses: Set<SessionShape.Feed>, status: Int) async throws -> WatchedOrigin {
        var session = SessionShape()
        session.expiresMs = 8_000
        session.refuses = refuses
        session.refusalStatus = status
        return try await WatchedOrigin(session: session)
    }

    private static func watch(_ origin: WatchedOrigin, _ more: [String] = [], state: String) throws -> AdtopChild {
        let fixed = ["--poll", "500ms", "--dump", "--format", "json", "--unredacted", "--for", "150s"]
        return try AdtopChild([origin.streamURL] + fixed + more, state: state)
    }

    private static let cases: [(Set<SessionShape.Feed>, Int)] = [
        ([.playlist], 403), ([.metadata], 404), ([.playlist, .metadata], 410),
    ]

    @Test(arguments: cases) func aNewSessionFollowsAndNothingIsSentTwice(
        refuses: Set<SessionShape.Feed>, status: Int
    ) async throws {
        let origin = try await Self.origin(refuses, status: status)
        let state = try TemporaryFolder()
        let program = try Self.watch(origin, state: state.path)
        try await origin.wait(for: "beacons of two breaks in the second session") { receipts in
            let sessions = Set(receipts.map(\.session))
            guard let first = receipts.first?.session, sessions.count > 1 else { return false }
            return Set(receipts.filter { $0.session != first }.map(\.breakId)).count > 1
        }
        let run = try await program.interrupt()
        await origin.stop()
        #expect(origin.duplicates.isEmpty)
        let document = DumpedSession(json: try run.json())
        #expect(document.findings.contains("L53"))
        #expect(document.log.contains { $0.hasPrefix("session over: the ") && $0.contains("answered \(status)") })
        #expect(document.log.contains { $0.hasPrefix("session renewed, opened with GET") })
        #expect(document["session"]?["renewals"]?.integerValue ?? 0 > 0)
        // The journal has each beacon in the session that sent it.
        let report = try await AdtopProcess.run(["report", "--json"], state: state.path).json()
        #expect((report["sessions"]?.arrayValue ?? []).count > 1, "\(report)")
    }

    @Test(arguments: cases) func withoutRenewalTheProgramEnds(
        refuses: Set<SessionShape.Feed>, status: Int
    ) async throws {
        let origin = try await Self.origin(refuses, status: status)
        let state = try TemporaryFolder()
        let run = try await Self.watch(origin, ["--no-renew"], state: state.path).end()
        await origin.stop()
        #expect(run.status == 4)
        #expect(run.errors.contains("session over: ") && run.errors.contains("answered \(status)"), "\(run.errors)")
        #expect(Set(origin.receipts.map(\.session)).count == 1)
        #expect(DumpedSession(json: try run.json()).phase == "over")
    }
}
