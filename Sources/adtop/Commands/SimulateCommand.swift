import ArgumentParser
import DemoOrigin
import Live
import Monitoring
import Ports
import Simulation

/// `adtop simulate SCENARIO`
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract:
            "Run monitor and origin on a virtual clock, as fast as it goes, with faults, and check what must be true.",
        discussion: """
            The same scenario, seed and faults give the same simulation. At every step: no beacon arrives a second time \
            after an answer that was seen or a death of the process; every beacon that was due arrived or has a reason; \
            nothing goes backwards; memory stays bounded; and minutes after a burst of faults all is well again.

            Faults: \(Fault.allCases.map(\.rawValue).joined(separator: ", ")); all, none, or several with commas.

            Examples:
              adtop simulate rush --for 24h --seed 7
              adtop simulate flaky-trackers --for 10m --faults kill,5xx --json
              adtop simulate rush --for 8m --faults all --seeds 1000
              adtop simulate rush --for 8m --faults all --with auction,formats,cache
              adtop simulate rush --for 40s --kill-everywhere
              adtop simulate rush --for 2m --seed 3 --record session.adtop && adtop replay session.adtop

            Exit codes: 0 nothing was violated, 1 something was, 2 wrong usage.
            """)

    @Argument(help: "Scenario: a name or a file.")
    var scenario: String

    @Option(name: .customLong("for"), help: ArgumentHelp("How long, in simulated time.", valueName: "duration"))
    var span = "24h"

    @Option(help: "Everything random follows from it.")
    var seed: UInt64 = 1

    @Option(help: "How many seeds, one simulation each, from --seed on.")
    var seeds = 1

    @Option(help: "How many sessions watch the origin.")
    var viewers = 1

    @Option(help: "What goes wrong.")
    var faults = "none"

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "What each session has beside its stream: auction, formats, cache, several with commas, or all.",
            valueName: "parts"))
    var parts: String?

    @Flag(help: "Kill the process at every point of the simulation in turn, and start it again.")
    var killEverywhere = false

    @Option(help: ArgumentHelp("Kill it at this one point, as --kill-everywhere names it.", valueName: "point"))
    var killAt: String?

    @Option(
        help: ArgumentHelp(
            "Write the session for adtop replay: the one that violated something, else the first; its last process.",
            valueName: "file"))
    var record: String?

    @Flag(help: "Print adtop-simulation/1, one line a simulation.")
    var json = false

    func run() async throws {
        let plan = try plan()
        if killEverywhere { return try sweep(plan) }
        let clock = SystemTimeSource()
        let started = clock.now().uptime
        var simulated = Duration.zero
        var failures = 0
        for number in 0..<UInt64(seeds) {
            var plan = plan
            plan.seed = seed &+ number
            let report = try Self.simulate(plan)
            if let record, let recording = report.recording { try await Self.write(recording, to: record) }
            simulated += report.span * plan.viewers
            if json { Output.write(report.json.text() + "\n") }
            if !report.violations.isEmpty { failures += 1 }
            if !json || !report.violations.isEmpty { show(report) }
        }
        let took = clock.now().uptime - started
        let speed = Int((simulated / max(took, .milliseconds(1))).rounded())
        Output.note("\(seeds) \(seeds == 1 ? "simulation" : "simulations"), \(failures) failed, \(speed)x real time")
        if failures > 0 { throw ExitStatus.findings.code }
    }

    private static func simulate(_ plan: SimulationPlan) throws(CommandFailure) -> SimulationReport {
        do throws(SimulationProblem) {
            var simulator = try Simulator(plan)
            return simulator.run()
        } catch {
            throw CommandFailure(.usage, error.message)
        }
    }

    /// A death at every point.
    private func sweep(_ plan: SimulationPlan) throws {
        var sweep = KillSweep(plan)
        do throws(SimulationProblem) {
            try sweep.run()
        } catch {
            throw CommandFailure(.usage, error.message)
        }
        if let failure = sweep.failure { show(failure) }
        Output.note("\(sweep.deaths) deaths, \(sweep.failure == nil ? 0 : 1) failed")
        if sweep.failure != nil { throw ExitStatus.findings.code }
    }

    private static func write(_ recording: Recording, to path: String) async throws(CommandFailure) {
        let file: RecordingFile
        do throws(FileProblem) {
            file = try RecordingFile(path: path, configuration: recording.configuration)
        } catch {
            throw CommandFailure(.usage, "cannot record: \(error)")
        }
        for input in recording.inputs { file.record(input) }
        if let problem = await file.finish() { throw CommandFailure(.interrupted, "\(path): \(problem)") }
    }

    private func plan() throws(CommandFailure) -> SimulationPlan {
        let span: Duration
        do throws(Duration.TextProblem) {
            span = try Duration(text: self.span)
        } catch {
            throw CommandFailure(.usage, "--for '\(self.span)' \(error.explanation)")
        }
        guard span > .zero else { throw CommandFailure(.usage, "--for '\(self.span)' is no time at all") }
        guard let profile = FaultProfile(faults) else {
            throw CommandFailure(
                .usage, "--faults '\(faults)': give none, all, or some of \(Fault.allCases.map(\.rawValue))")
        }
        guard (1...10_000).contains(viewers) else {
            throw CommandFailure(.usage, "--viewers \(viewers): give 1 to 10000")
        }
        guard (1...1_000_000).contains(seeds) else {
            throw CommandFailure(.usage, "--seeds \(seeds): give 1 to 1000000")
        }
        var plan = SimulationPlan(scenario: try OriginSetup.load(scenario), span: span, seed: seed)
        plan.viewers = viewers
        plan.faults = profile
        plan.isRecorded = record != nil
        plan.parts = try readParts()
        if killEverywhere || killAt != nil {
            guard profile == .none, seeds == 1, viewers == 1 else {
                throw CommandFailure(.usage, "--kill-everywhere and --kill-at take one session without --faults")
            }
            plan.patience = KillSweep.patience
        }
        if let killAt {
            guard let death = Death(killAt) else {
                throw CommandFailure(.usage, "--kill-at '\(killAt)' is not a point like 57:2:1")
            }
            plan.death = death
        }
        guard record == nil || seeds == 1 else {
            throw CommandFailure(.usage, "--record takes one simulation: leave --seeds away")
        }
        return plan
    }

    private func readParts() throws(CommandFailure) -> Set<SimulationPart> {
        guard let parts, parts != "all" else { return parts == nil ? [] : Set(SimulationPart.allCases) }
        var known: Set<SimulationPart> = []
        for name in parts.split(separator: ",", omittingEmptySubsequences: false) {
            guard let part = SimulationPart(rawValue: String(name)) else {
                throw CommandFailure(.usage, "--with '\(parts)': give all, or some of auction, formats, cache")
            }
            known.insert(part)
        }
        return known
    }

    /// For people: one line, and what was violated with the command that shows it again.
    private func show(_ report: SimulationReport) {
        let plan = report.plan
        let result = report.violations.isEmpty ? "fine" : "FAILED"
        let summary =
            "\(plan.scenario.name) seed \(plan.seed) faults \(plan.faults.text): \(result), "
            + "\(report.span.components.seconds) s in \(report.steps) steps, \(report.arrivedBeacons) beacons arrived"
        if json { Output.note(summary) } else { Output.line(summary) }
        for violation in report.violations { Output.note("  \(violation.text)") }
        guard !report.violations.isEmpty else { return }
        Output.note(
            "  again: adtop simulate \(scenario) --for \(span) --seed \(plan.seed) --viewers \(plan.viewers) "
                + "--faults \(plan.faults.text)" + (parts.map { " --with \($0)" } ?? "")
                + (plan.death.map { " --kill-at \($0.text)" } ?? ""))
    }
}
