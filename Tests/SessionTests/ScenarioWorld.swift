import DemoOrigin
import Ports
import Simulation
import TestSupport
import Testing

/// A scenario of the embedded origin on a virtual network, and what reached its collector.
struct ScenarioWorld {
    static let began = Duration.seconds(1_000)

    let scenario: Scenario
    var network: SimulatedNetwork
    var now = Moment(wall: FakeOrigin.start, uptime: began)

    init(_ name: String) throws {
        scenario = try #require(try BuiltinScenarios.load(name)).scenario
        network = SimulatedNetwork(scenario, seed: 1, start: now, receiptCapacity: 10_000)
    }

    /// Runs a viewer until so long after the beginning.
    mutating func run(_ viewer: inout VirtualViewer, until end: Duration) {
        while let next = viewer.next, next <= Self.began + end {
            now = now.advanced(by: max(.zero, next - now.uptime))
            _ = viewer.step(at: now, on: &network)
        }
        now = now.advanced(by: max(.zero, Self.began + end - now.uptime))
    }

    /// What the collector received, without pings, and without what differs between two sessions of a service.
    var beacons: [String] {
        network.receipts.filter { $0.event != "ping" }.map { receipt in
            receipt.target.replacing(receipt.session, with: "SESSION")
        }.sorted()
    }
}
