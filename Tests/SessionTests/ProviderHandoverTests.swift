import AdTracking
import DemoOrigin
import Ports
import Session
import Simulation
import TestSupport
import Testing

/// Sessions of each provider on the scenarios of the embedded origin, handed on in the middle (FLT-15).
@Suite struct ProviderHandoverTests {
    private static let began = Duration.seconds(1_000)
    private static let gap = Duration.seconds(4)

    /// The network of a scenario, and what reached its collector.
    private struct World {
        var network: SimulatedNetwork
        var now = Moment(wall: FakeOrigin.start, uptime: began)

        init(_ name: String) throws {
            let scenario = try #require(try BuiltinScenarios.load(name)).scenario
            network = SimulatedNetwork(scenario, seed: 1, start: now, receiptCapacity: 10_000)
        }

        mutating func run(_ viewer: inout VirtualViewer, until end: Duration) {
            while let next = viewer.next, next <= began + end {
                now = now.advanced(by: max(.zero, next - now.uptime))
                _ = viewer.step(at: now, on: &network)
            }
            now = now.advanced(by: max(.zero, began + end - now.uptime))
        }

        /// What the collector received, without what differs between two sessions of a service.
        var beacons: [String] {
            network.receipts.map { receipt in
                receipt.target.replacing(receipt.session, with: "SESSION")
            }.sorted()
        }
    }

    private static func configuration() throws -> MonitorConfiguration {
        MonitorConfiguration(mediaURL: try WebURL(SimulatedNetwork.base + OriginResponder.masterPath))
    }

    static let continued = ["mediatailor", "dai", "broadpeak", "vmap-poll", "rush"]

    /// Both processes together send what one would have sent, each beacon once, wherever in a break the session changes hands.
    @Test(arguments: continued, [31, 47, 63, 79, 95, 111, 127].map(Duration.seconds))
    func twoProcessesSendWhatOneWould(name: String, at moment: Duration) throws {
        let end = Duration.seconds(240)
        var control = try World(name)
        var alone = VirtualViewer(try Self.configuration())
        alone.submit(.started, at: control.now, to: &control.network)
        control.run(&alone, until: end)

        var world = try World(name)
        var first = VirtualViewer(try Self.configuration())
        first.submit(.started, at: world.now, to: &world.network)
        world.run(&first, until: moment)
        let handover = first.state.handover
        let date = try #require(handover.claimedThrough)
        let claimed = try #require(first.snapshot(at: world.now).playhead.date) - date
        world.now = world.now.advanced(by: Self.gap)
        var configuration = try Self.configuration()
        #expect(handover.running != nil)
        configuration.following.running = handover.running
        configuration.start = .resuming(date, at: Self.began + moment - claimed)
        var second = VirtualViewer(configuration, journal: first.journal)
        second.submit(.started, at: world.now, to: &world.network)
        world.run(&second, until: end)
        #expect(world.beacons == control.beacons)
        #expect(!control.beacons.isEmpty && !world.network.receipts.contains(where: \.isDuplicate))
    }
}
