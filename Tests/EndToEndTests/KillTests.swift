import DemoOrigin
import Foundation
import OriginServer
import Ports
import TestSupport
import Testing

extension OneAtATime {
    /// The real program is killed again and again while ads play, and nothing is counted twice. `make soak` does it 200 times
    /// (`ADTOP_KILLS`).
    @Suite struct KillTests {
        private static var kills: Int { ProcessInfo.processInfo.environment["ADTOP_KILLS"].flatMap { Int($0) } ?? 8 }

        /// The seed gives the pattern of the kills; when they fall is up to the machine, so a failure names what came twice.
        @Test func killsAtAnyMomentDoubleNothing() async throws {
            let seed: UInt64 = 5
            print("seed \(seed), \(Self.kills) kills")
            var random = SplitMix64(seed: seed)
            let origin = try await WatchedOrigin()
            let folder = try TemporaryFolder()
            for life in 1...Self.kills {
                let child = try origin.watch(state: folder.path)
                // Some beacons later, or in the middle of nothing, and then any few milliseconds after that.
                await wait(
                    forMore: Int(random.next() % 4), at: origin,
                    within: .milliseconds(400 + Int64(random.next() % 3_000)))
                try await Task.sleep(for: .microseconds(Int64(random.next() % 20_000)))
                try await child.kill()
                try #require(origin.duplicates.isEmpty, "after \(life) kills, seed \(seed): \(origin.duplicates)")
            }

            // The last one lives on and still does its work.
            let before = origin.receipts.count
            let document = try await origin.dump(["--until", "break-end", "--for", "120s"], state: folder.path)
            await origin.stop()
            #expect(origin.receipts.count > before)
            #expect(origin.duplicates.isEmpty)
            expectEveryReceiptIsKnown(origin.targets, ofTheLivingFrom: before, in: document)
        }

        /// What was sent in the breaks that the last process still sees, by whichever process, it knows of: as acknowledged
        /// or, where nobody lived to see the answer, as unknown. Its own, from that one on, may still wait for their answer:
        /// the picture is of the moment in which the break ends.
        private func expectEveryReceiptIsKnown(
            _ targets: [String], ofTheLivingFrom living: Int, in document: DumpedSession
        ) {
            let states = document.states
            var known = 0
            for (index, target) in targets.enumerated() {
                guard let state = states[target] else { continue }
                known += 1
                let isFine = ["acknowledged", "unknown"].contains(state) || (state == "sent" && index >= living)
                #expect(isFine, "\(target): \(state)")
            }
            #expect(known > 0)
        }

        /// Returns when there are so many more receipts or the time is over: a program may also die before its first.
        private func wait(forMore count: Int, at origin: WatchedOrigin, within limit: Duration) async {
            let enough = origin.receipts.count + count
            // The least that it takes to start. None more are wanted at once, so this is a moment like the others.
            try? await Task.sleep(for: .milliseconds(300))
            try? await origin.wait(for: "a moment", within: limit) { $0.count >= enough }
        }
    }
}
