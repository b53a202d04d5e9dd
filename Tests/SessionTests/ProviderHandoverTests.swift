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

    /// When the session changes hands, after its beginning: at these moments all scenarios together are at any place of a break.
    private static let moments = [31, 47, 63, 79, 95, 111, 127].map(Duration.seconds)
    private static let end = Duration.seconds(240)

    /// Both processes together send what one would have sent, each beacon once, wherever in a break the session changes hands.
    @Test(arguments: continued) func twoProcessesSendWhatOneWould(name: String) throws {
        var world = try ScenarioWorld(name)
        var alone = VirtualViewer(try Self.configuration(world))
        alone.submit(.started, at: world.now, to: &world.network)
        var continued: [(moment: Duration, world: ScenarioWorld)] = []
        for moment in Self.moments {
            world.run(&alone, until: moment)
            // World and viewer are values: the one that goes on alone is the first process of each handover up to its moment.
            continued.append((moment, try Self.handedOn(by: alone, in: world, after: moment)))
        }
        world.run(&alone, until: Self.end)
        #expect(!world.beacons.isEmpty)
        for (moment, other) in continued {
            #expect(other.beacons == world.beacons, "\(moment)")
            #expect(other.network.receipts.filter(\.isDuplicate).isEmpty, "\(moment)")
            let pings = other.network.receipts.filter { $0.event == "ping" }.map(\.target)
            #expect(Set(pings).count == pings.count && pings.isEmpty == (name != "uplynk"), "\(moment)")
        }
    }

    /// The world in which another process continues the session, to its end.
    private static func handedOn(
        by alone: VirtualViewer, in earlier: ScenarioWorld, after moment: Duration
    ) throws -> ScenarioWorld {
        var (first, world) = (alone, earlier)
        let handover = first.state.handover
        let date = try #require(handover.claimedThrough)
        let claimed = try #require(first.snapshot(at: world.now).playhead.date) - date
        world.now = world.now.advanced(by: gap)
        var configuration = try configuration(world)
        #expect(handover.running != nil)
        configuration.following.running = handover.running
        configuration.start = .resuming(date, at: ScenarioWorld.began + moment - claimed)
        var second = VirtualViewer(configuration, journal: first.journal)
        second.submit(.started, at: world.now, to: &world.network)
        world.run(&second, until: end)
        return world
    }
}
