import DemoOrigin
import TestSupport
import Testing

extension OneAtATime {
    /// The order in which the beacons of an ad reach the collector. `SendLanesTests` shows that `start` waits until the request of
    /// `impression` is written; this is the same with the real program and a real collector.
    @Suite struct BeaconOrderTests {
        /// Four ads in each break, and twice as many breaks as `sprint` has.
        private static func shortAds(_ scenario: inout Scenario) {
            for name in scenario.ads.keys { scenario.ads[name]?.durationMs = 500 }
            scenario.breaks?.everyMs = 2_500
            for pod in scenario.breaks?.pods.indices ?? 0..<0 {
                scenario.breaks?.pods[pod].ads = ["hurdles", "dash", "relay", "marathon"]
            }
        }

        @Test func impressionComesBeforeStart() async throws {
            let state = try TemporaryFolder()
            let origin = try await WatchedOrigin(Self.shortAds)
            let child = try origin.watch(["--fire"], state: state.path)
            try await origin.waitForNewBreaks(6)
            _ = try await child.interrupt()
            let receipts = origin.receipts
            let starts = receipts.indices.filter { receipts[$0].event == "start" }
            #expect(starts.count >= 18)
            let reversed = starts.filter { start in
                let ad = receipts[start]
                return receipts[start...].contains {
                    $0.event == "impression" && $0.adId == ad.adId && $0.breakId == ad.breakId && $0.hop == 0
                }
            }
            // A busy collector may read a connection before one on which a request came earlier. Requests that are sent side by
            // side come in this order in a quarter of the ads.
            #expect(
                reversed.count <= 2, "\(reversed.count) of \(starts.count): \(reversed.map { receipts[$0].target })")
            await origin.stop()
        }
    }
}
