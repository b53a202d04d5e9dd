import Ports
import ScriptedServers
import TestSupport
import Testing

/// The order in which the beacons of the real program reach a collector that sees them one after the other.
@Suite struct WireOrderTests {
    /// Many viewers start each ad in the same moment, on connections of their own (docs/beacons.md).
    @Test func theImpressionOfAnAdComesBeforeItsStart() async throws {
        let origin = try await GuardedOrigin(hasOneThread: true) { _ in .pass() }
        let state = try TemporaryFolder()
        try state.write("ch \(origin.url()) count=12 mode=fire\n", to: "list.txt")
        let program = try AdtopChild(
            [
                "monitor", state.file("list.txt"), "--dump", "--for", "150s", "--poll", "500ms", "--spread", "100ms",
                "--no-journal",
            ], state: state.path)
        try await origin.wait(for: "the starts of 36 ads") { requests in
            requests.count { $0.line.contains("&event=start&n=1") } >= 36
        }
        let run = try await program.interrupt()
        try await origin.stop()
        #expect(run.status == AdtopProcess.interrupted, "\(run.errors)")
        var (shown, reversed) = (Set<String>(), [String]())
        for line in origin.beacons.map(\.line) {
            // What is before the event names the viewer and the ad.
            let parts = line.split(separator: "&event=", maxSplits: 1).map(String.init)
            guard let ad = parts.first, let event = parts.last else { continue }
            if event.hasPrefix("impression&") { shown.insert(ad) }
            if event.hasPrefix("start&"), !shown.contains(ad) { reversed.append(line) }
        }
        #expect(reversed == [])
        #expect(Set(origin.beacons.map(\.line)).count == origin.beacons.count)
    }
}
