import DemoOrigin
import TestSupport
import Testing

/// The order in which the beacons of an ad reach the collector.
@Suite struct BeaconOrderTests {
    @Test func impressionComesBeforeStart() async throws {
        let state = try TemporaryFolder()
        let origin = try await WatchedOrigin()
        let child = try origin.watch(["--fire"], state: state.path)
        try await origin.waitForNewBreaks(8)
        _ = try await child.interrupt()
        let receipts = origin.receipts
        let starts = receipts.indices.filter { receipts[$0].event == "start" }
        #expect(starts.count >= 7)
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
