import DemoOrigin
import Foundation
import Ports
import TestSupport
import Testing

/// The real program on sessions whose ads are placed by what is in the media: Google DAI and Yospace (PRV-30 to PRV-33, PRV-44 to PRV-47).
@Suite struct PlacedByMediaTests {
    @Test(arguments: [SessionShape.Dialect.dai, .yospace]) func observingSendsNothing(
        _ dialect: SessionShape.Dialect
    ) async throws {
        let origin = try await WatchedOrigin(dialect)
        let state = try TemporaryFolder()
        let run = try await origin.open(["--for", "14s", "--observe"], state: state.path).end()
        await origin.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(origin.receipts == [])
        #expect(try run.json()["counters"]?["events"]?["observed"]?.integerValue ?? 0 > 0)
    }

    /// A session that is over is begun again, and nothing that was reported is reported once more.
    @Test(arguments: [SessionShape.Dialect.dai, .yospace]) func aSessionThatEndsIsReplaced(
        _ dialect: SessionShape.Dialect
    ) async throws {
        let origin = try await WatchedOrigin(dialect) { $0.session.expiresMs = 9_000 }
        let state = try TemporaryFolder()
        let program = try origin.open(["--for", "90s"], state: state.path)
        try await origin.wait(for: "beacons of two sessions") { Set($0.map(\.session)).count > 1 }
        let run = try await program.interrupt()
        await origin.stop()
        #expect(run.status != 1 && origin.duplicates.isEmpty, "\(run.errors)")
    }
}
