import Fleet
import Testing

struct FleetUpgradeTests {
    private static let own = FleetUpgrade.Level(protocolVersion: 2, stateVersion: 3)

    private static func upgrade(
        protocols: ClosedRange<Int> = 1...2, state: Int = 2, _ agents: [FleetOverview.Agent]
    ) -> FleetUpgrade {
        let store = FleetOverview.Store(
            schemaVersion: 1, protocols: ProtocolRange(lowest: protocols.lowerBound, highest: protocols.upperBound),
            stateVersion: state, mode: "fire", durability: "single", serverVersion: 150_018)
        return FleetUpgrade(store, agents: agents, to: own)
    }

    private static func agent(
        _ name: String, protocol number: Int = 2, state: Int64? = 3, is lease: FleetOverview.Agent.State = .alive
    ) -> FleetOverview.Agent {
        var load = FleetOverview.Load()
        load.stateVersion = state
        return FleetOverview.Agent(
            name: name, id: 1, state: lease, version: number < 2 ? "1.9" : "2.0", protocolVersion: number, load: load)
    }

    @Test func raisesBothWhenEveryAgentKnowsThem() {
        let upgrade = Self.upgrade([Self.agent("a1"), Self.agent("a2", is: .draining)])
        #expect(!upgrade.isFinished && upgrade.behind.isEmpty && upgrade.refusal(version: "2.0") == nil)
        #expect(upgrade.target == Self.own)
    }

    /// An older agent counts as long as it may come back, and one that reported nothing may be any.
    @Test func namesThoseThatAreBehind() {
        let upgrade = Self.upgrade([
            Self.agent("a1"), Self.agent("a2", protocol: 1), Self.agent("a3", state: 2, is: .silent),
            Self.agent("a4", state: nil), Self.agent("a5", protocol: 1, is: .ended),
            Self.agent("a6", protocol: 1, is: .fenced),
        ])
        #expect(upgrade.behind.map(\.name) == ["a2", "a3", "a4"])
        #expect(
            upgrade.refusal(version: "2.0") == """
                agent: older agents are at work: a2 (adtop 1.9), a3 (adtop 2.0), a4 (adtop 2.0, nothing reported); drain \
                each, and start it with adtop 2.0
                """)
    }

    @Test func namesFiveAtMost() {
        let upgrade = Self.upgrade((1...7).map { Self.agent("a\($0)", protocol: 1) })
        #expect(upgrade.refusal(version: "2.0")?.contains("a5 (adtop 1.9) and 2 more; drain each") == true)
    }

    @Test func nothingIsLowered() {
        let upgrade = Self.upgrade(protocols: 2...4, state: 7, [Self.agent("a1", state: 3)])
        #expect(upgrade.target == FleetUpgrade.Level(protocolVersion: 2, stateVersion: 7))
        #expect(upgrade.isFinished)
    }
}
