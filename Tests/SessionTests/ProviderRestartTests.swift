import AdTracking
import DemoOrigin
import Ports
import Session
import Simulation
import Testing

/// Programs that are started again in a session whose ads the media places.
@Suite struct ProviderRestartTests {
    /// Yospace: the rest of the ad in which the program was killed is reported, and what was sent is not sent again (PRV-32).
    @Test func theAdOnAirIsContinued() throws {
        var world = try ScenarioWorld("yospace")
        let address = SimulatedNetwork.base + OriginResponder.streamPath(of: world.scenario, session: "again")
        var viewer = VirtualViewer(MonitorConfiguration(mediaURL: try WebURL(address)))
        viewer.submit(.started, at: world.now, to: &world.network)
        var span = Duration.seconds(30)
        var rest: [String] = []
        // Three seconds after the start of an ad, so that the next process does not see its first record.
        while rest.isEmpty, span < .seconds(200) {
            span += .milliseconds(100)
            world.run(&viewer, until: span)
            rest = Self.rest(viewer.snapshot(at: world.now))
        }
        #expect(!rest.isEmpty)
        viewer.restart(keeping: .max, seed: 2)
        viewer.submit(.started, at: world.now, to: &world.network)
        world.run(&viewer, until: span + .seconds(60))
        let arrived = world.network.receipts.map { SimulatedNetwork.base + $0.target }
        #expect(rest.filter { !arrived.contains($0) } == [])
        #expect(world.network.receipts.filter(\.isDuplicate).isEmpty)
        let findings = viewer.snapshot(at: world.now).findings.map(\.finding.rule)
        #expect(!findings.contains("P03") && !findings.contains("L66"))
    }

    /// URLs that are due in the rest of the ad on air.
    private static func rest(_ snapshot: Snapshot) -> [String] {
        guard let date = snapshot.playhead.date else { return [] }
        let ads = snapshot.breaks.flatMap(\.ads).filter { ad in
            ad.start + .milliseconds(3_000) <= date && date < ad.start + .milliseconds(3_200)
        }
        return ads.flatMap(\.events).filter { $0.start > date + .milliseconds(2_500) }.flatMap(\.urls).map(\.url)
    }
}
