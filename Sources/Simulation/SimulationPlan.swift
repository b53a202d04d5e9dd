package import DemoOrigin

/// What is simulated; the same plan gives the same simulation, to the byte.
package struct SimulationPlan: Sendable {
    package var scenario: Scenario
    /// How long, in simulated time.
    package var span: Duration
    package var seed: UInt64
    package var viewers = 1
    package var faults = FaultProfile.none
    /// What every session has beside its stream.
    package var parts: Set<SimulationPart> = []
    /// The report brings a recording: of the session that violated something, else of the first.
    package var isRecorded = false
    /// Put into every monitor, to see whether it is found.
    package var defect: Defect?
    /// The one death of the first viewer; nil for those that the faults bring.
    package var death: Death?
    /// How long after its moment a beacon must have been dealt with.
    package var patience: Duration = DueAccount.patience
    /// What a session may hold.
    package var limits = SimulationLimits()

    package init(scenario: Scenario, span: Duration, seed: UInt64) {
        self.scenario = scenario
        self.span = span
        self.seed = seed
    }
}

/// Why a simulation cannot be made; a clause.
package struct SimulationProblem: Error, Hashable, Sendable {
    package var message: String

    init(_ message: String) {
        self.message = message
    }
}

/// A death of the process at one exact point: while it does what its input of that number led to.
package struct Death: Sendable, Hashable {
    /// Inputs applied before, from the start of the simulation.
    package var input: Int
    /// How many effects of it are performed.
    package var effects: Int
    /// How many batches that the journal had not written get to disk.
    package var written: Int

    package init(input: Int, effects: Int, written: Int) {
        (self.input, self.effects, self.written) = (input, effects, written)
    }

    /// Reads `57:2:1`; nil for anything else.
    package init?(_ text: String) {
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 3, let input = numbers[0], let effects = numbers[1], let written = numbers[2],
            input >= 0, effects >= 0, written >= 0
        else { return nil }
        self.init(input: input, effects: effects, written: written)
    }

    /// As it is given.
    package var text: String { "\(input):\(effects):\(written)" }
}
