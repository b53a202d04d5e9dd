import DemoOrigin
import TestSupport
import Testing

extension OneAtATime {
    /// The order in which the beacons of an ad reach the collector. A server with something beside it may read a connection
    /// before one on which a request came earlier.
    @Suite struct BeaconOrderTests {
        /// As many ads as fit into the breaks of `sprint`.
        private static func shortAds(_ scenario: inout Scenario) {
            for pod in scenario.breaks?.pods.indices ?? 0..<0 {
                scenario.breaks?.pods[pod].ads = ["hurdles", "dash", "relay"]
            }
        }

        @Test func impressionComesBeforeStart() async throws {
            let state = try TemporaryFolder()
            let origin = try await WatchedOrigin(Self.shortAds)
            let child = try origin.watch(["--fire"], state: state.path)
            try await origin.waitForNewBreaks(4)
            _ = try await child.interrupt()
            let receipts = origin.receipts
            let starts = receipts.indices.filter { receipts[$0].event == "start" }
            #expect(starts.count >= 9)
            let reversed = starts.filter { start in
                let ad = receipts[start]
                return receipts[start...].contains {
                    $0.event == "impression" && $0.adId == ad.adId && $0.breakId == ad.breakId && $0.hop == 0
                }
            }
            #expect(reversed.isEmpty, "\(reversed.map { receipts[$0].target })")
            await origin.stop()
        }
    }
}
