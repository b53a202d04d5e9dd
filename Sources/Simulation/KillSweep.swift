/// Deaths at every possible point of a short simulation: before and after every single effect of every input, with every
/// share of what the journal had not written yet. Each goes on to the end on its own.
package struct KillSweep: Sendable {
    /// A process that died is back so much later.
    static let absence: Duration = .milliseconds(700)

    /// Nothing but the death disturbs: what was due is dealt with soon.
    package static let patience: Duration = .seconds(8)

    package let plan: SimulationPlan
    /// Deaths tried.
    package private(set) var deaths = 0
    /// The first death that something was violated after, with what.
    package private(set) var failure: SimulationReport?

    /// A sweep over a plan without faults and other deaths.
    package init(_ plan: SimulationPlan) {
        self.plan = plan
    }

    package mutating func run() throws(SimulationProblem) {
        var trunk = try Simulator(plan)
        while failure == nil {
            let before = trunk
            let steps = trunk.report.steps
            guard trunk.advance() else { break }
            // A look at a snapshot is no input.
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
