package import DemoOrigin

/// The parameters of a simulation; equal plans give byte-identical simulations.
package struct SimulationPlan: Sendable {
    package var scenario: Scenario
    /// Simulated time.
    package var span: Duration
    package var seed: UInt64
    package var viewers = 1
    package var faults = FaultProfile.none
    /// The parts of every session beside its stream.
    package var parts: Set<SimulationPart> = []
    /// Whether the report contains a recording: of the session with a violation, else of the first.
    package var isRecorded = false
    /// A defect for every monitor, to check that it is found.
    package var defect: Defect?
    /// The single kill of the first viewer; nil leaves kills to the faults.
    package var death: Death?
    /// How long after its due time a beacon must have been handled.
    package var patience: Duration = DueAccount.patience
    /// How long sessions keep what they played; nil for their default. A short one makes a session old soon.
    package var keep: Duration?
    /// Limits on the state of a session.
    package var limits = SimulationLimits()

    package init(scenario: Scenario, span: Duration, seed: UInt64) {
        self.scenario = scenario
        self.span = span
        self.seed = seed
    }
}

/// Why a simulation is not possible, as a clause.
package struct SimulationProblem: Error, Hashable, Sendable {
    package var message: String

    init(_ message: String) {
        self.message = message
    }
}

/// A kill at one exact point: while the process carries out the effects of the numbered input.
package struct Death: Sendable, Hashable {
    /// Number of inputs applied before, from the start of the simulation.
    package var input: Int
    /// Number of effects carried out.
    package var effects: Int
    /// Number of unwritten journal batches that are written to disk.
    package var written: Int

    package init(input: Int, effects: Int, written: Int) {
        (self.input, self.effects, self.written) = (input, effects, written)
    }

    /// Reads a text such as `57:2:1`; nil for any other form.
    package init?(_ text: String) {
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 3, let input = numbers[0], let effects = numbers[1], let written = numbers[2],
            input >= 0, effects >= 0, written >= 0
        else { return nil }
        self.init(input: input, effects: effects, written: written)
    }

    /// The text that ``init(_:)`` reads.
    package var text: String { "\(input):\(effects):\(written)" }
}
