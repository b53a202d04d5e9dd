import Fleet

/// Rules that an agent breaks on purpose. Tests show with it that nothing is sent twice even then: safety rests on the store (FLT-4, FLT-5)
/// and not on the agent's clock. It is a variable of the environment and no option, because only tests need it.
enum FleetAgentSwitch: String, CaseIterable {
    /// Claims and sends after its lease is over (FLT-12).
    case heedless
    /// Waits longer for the store's answers than the store takes to fence it.
    case patient

    static let variable = ProgramVariable.testAgent.rawValue
    /// How long a patient agent waits for an answer.
    private static let patience = Duration.seconds(20)

    /// The switches that the environment has, separated by commas; unknown ones are none.
    static func given(in environment: [String: String]) -> [Self] {
        environment[variable]?.split(separator: ",").compactMap { Self(rawValue: String($0)) } ?? []
    }

    /// An agent with these switches, whose sessions judge what was claimed before.
    static func agent(_ name: String, place: String, with switches: [Self]) -> FleetAgent {
        var timing = FleetTiming()
        if switches.contains(.patient) { timing.answer = patience }
        var agent = FleetAgent(name: name, place: place, timing: timing, isSame: nil)
        agent.heedsLease = !switches.contains(.heedless)
        return agent
    }
}
