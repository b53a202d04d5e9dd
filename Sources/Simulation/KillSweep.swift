/// Kills at every possible point of a short simulation: before and after every single effect of every input, with every
/// number of unwritten journal batches lost. Each one continues to the end as a simulation of its own.
package struct KillSweep: Sendable {
    /// Time after which a killed process is restarted.
    static let absence: Duration = .milliseconds(700)

    /// The kill is the only fault, so due beacons are handled soon.
    package static let patience: Duration = .seconds(8)

    package let plan: SimulationPlan
    /// Number of kills tried.
    package private(set) var deaths = 0
    /// The report of the first kill after which an invariant was violated.
    package private(set) var failure: SimulationReport?

    /// A sweep over a plan without faults and other kills.
    package init(_ plan: SimulationPlan) {
        self.plan = plan
    }

    package mutating func run() throws(SimulationProblem) {
        var trunk = try Simulator(plan)
        while failure == nil {
            let before = trunk
            let steps = trunk.report.steps
            guard trunk.advance() else { break }
            // Reading a snapshot is not an input.
            if trunk.report.steps > steps { killAll(before, input: steps, effects: trunk.lastEffectCount) }
        }
        if failure == nil {
            let report = trunk.finish()
            if !report.violations.isEmpty { failure = report }
        }
    }

    private mutating func killAll(_ before: Simulator, input: Int, effects: Int) {
        for performed in 0...effects {
            var written = 0
            while failure == nil {
                var branch = before.dying(Death(input: input, effects: performed, written: written))
                guard branch.advance() else { break }
                deaths += 1
                let unwritten = branch.unwrittenAtDeath
                let report = branch.run()
                if !report.violations.isEmpty { failure = report }
                written += 1
                if written > unwritten { break }
            }
        }
    }
}
