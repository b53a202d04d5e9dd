import AdTracking
import DemoOrigin
import Ports
import Session
import Simulation
import TestSupport
import Testing

/// Sessions of each provider on the scenarios of the embedded origin, handed on in the middle (FLT-15).
@Suite struct ProviderHandoverTests {
    private static let gap = Duration.seconds(4)

    private static func configuration(_ world: ScenarioWorld) throws -> MonitorConfiguration {
        let path = OriginResponder.streamPath(of: world.scenario)
        return MonitorConfiguration(mediaURL: try WebURL(SimulatedNetwork.base + path))
    }

    static let continued = ["mediatailor", "dai", "broadpeak", "primetime", "vmap-poll", "rush", "yospace", "uplynk"]

    /// Both processes together send what one would have sent, each beacon once, wherever in a break the session changes hands.
    @Test(arguments: continued, [31, 47, 63, 79, 95, 111, 127].map(Duration.seconds))
    func twoProcessesSendWhatOneWould(name: String, at moment: Duration) throws {
        let end = Duration.seconds(240)
        var control = try ScenarioWorld(name)
        var alone = VirtualViewer(try Self.configuration(control))
        alone.submit(.started, at: control.now, to: &control.network)
        control.run(&alone, until: end)

        var world = try ScenarioWorld(name)
        var first = VirtualViewer(try Self.configuration(world))
        first.submit(.started, at: world.now, to: &world.network)
        world.run(&first, until: moment)
        let handover = first.state.handover
        let date = try #require(handover.claimedThrough)
        let claimed = try #require(first.snapshot(at: world.now).playhead.date) - date
        world.now = world.now.advanced(by: Self.gap)
        var configuration = try Self.configuration(world)
        #expect(handover.running != nil)
        configuration.following.running = handover.running
        configuration.start = .resuming(date, at: ScenarioWorld.began + moment - claimed)
        var second = VirtualViewer(configuration, journal: first.journal)
        second.submit(.started, at: world.now, to: &world.network)
        world.run(&second, until: end)
        #expect(world.beacons == control.beacons)
        #expect(!control.beacons.isEmpty && !world.network.receipts.contains(where: \.isDuplicate))
        let pings = world.network.receipts.filter { $0.event == "ping" }.map(\.target)
        #expect(Set(pings).count == pings.count && pings.isEmpty == (name != "uplynk"))
    }
}
