import DemoOrigin
import Foundation
import TestSupport
import Testing

extension OneAtATime {
    /// At most once, also when the process dies in the middle (X5), with the real program, journal and sockets.
    @Suite struct CrashRecoveryTests {
        @Test func whatWasSentBeforeAKillIsNeverSentAgain() async throws {
            let origin = try await WatchedOrigin(WatchedOrigin.keepMetadata)
            let folder = try TemporaryFolder()
            let first = try origin.watch(state: folder.path)
            // An ad that continues for two more seconds.
            try await origin.wait(for: "the start of a long ad") { receipts in
                receipts.count > 1 && receipts.last?.event == "start"
                    && receipts.last?.adId.hasPrefix("marathon") == true
            }
            try await first.kill()
            let sent = Set(origin.targets)

            // The second viewer usually joins inside the same ad; on a slow machine the break is over by then.
            let second = try origin.watch(state: folder.path)
            try await origin.waitForNewBreaks(1)
            let document = DumpedSession(json: try await second.interrupt().json())
            await origin.stop()

            #expect(origin.duplicates.isEmpty)
            #expect(origin.receipts.count > sent.count)
            // SQLite says itself that it took over what the killed process had written.
            #expect(document.log.contains { $0.hasPrefix("sqlite: recovered ") }, "\(document.log)")
            // What the first process may not have lived to see is unknown, the rest done; nothing of it is idle again.
            let states = document.states
            for target in sent {
                #expect(
                    ["acknowledged", "unknown"].contains(states[target]), "\(target): \(states[target] ?? "missing")")
            }
        }
    }
}
