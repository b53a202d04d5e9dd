import ArgumentParser
import DemoOrigin
import Live
import Ports
import Session
import Simulation

/// `adtop simulate SCENARIO`
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract:
            "Run monitor and origin with faults on a virtual clock at full speed, and check the invariants.",
        usage: "adtop simulate [<options>] <scenario>",
        discussion: """
            The same scenario, seed and faults give the same simulation. Invariants checked at every step: every beacon \
            arrives once, and any second arrival is a violation, whatever became of the first one; every beacon that was due \
            arrived or has a reason; totals, positions and states never go back; memory stays bounded; and minutes \
            after a burst of faults the session works normally.

            Faults: \(Fault.allCases.map(\.rawValue).joined(separator: ", ")); all, none, or several separated by \
            commas.

            Examples:
              adtop simulate rush --for 24h --seed 7
              adtop simulate flaky-trackers --for 10m --faults kill,5xx --json
              adtop simulate rush --for 8m --faults all --seeds 1000
              adtop simulate rush --for 8m --faults all --with auction,formats,cache
              adtop simulate rush --for 40s --kill-everywhere
              adtop simulate rush --for 2m --record session.adtop

            Exit codes: 0 all invariants hold, 1 an invariant is violated, 2 usage error.
            """)

    @Argument(help: "Scenario: name or YAML file.", completion: .files("yaml", "yml", or: BuiltinScenarios.names))
    var scenario: String

    @Option(name: .customLong("for"), help: ArgumentHelp("Simulated time.", valueName: "duration"))
    var span = "24h"

    @Option(help: "Random seed.")
    var seed: UInt64 = 1

    @Option(help: "Number of simulations, each with the next seed after --seed.")
    var seeds = 1

    @Option(help: "Number of sessions that watch the origin.")
    var viewers = 1

    @Option(
        help: "Faults to inject, see above.", completion: .commas(Fault.allCases.map(\.rawValue) + ["all", "none"]))
    var faults = "none"

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "Parts that run beside each stream: all, or some of auction, formats, cache.",
            valueName: "parts"), completion: .commas(SimulationPart.allCases.map(\.rawValue) + ["all"]))
    var parts: String?

    @Flag(help: "Kill the process at every point of the simulation in turn and restart it.")
    var killEverywhere = false

    @Option(
        help: ArgumentHelp("Kill the process at this point only, as reported by --kill-everywhere.", valueName: "point")
    )
    var killAt: String?

    @Option(
        help: ArgumentHelp(
            "Record a session's last process for adtop replay: the first violation, else the first session.",
            valueName: "file"), completion: .file())
    var record: String?

    @Flag(help: "Print one line of JSON for each simulation (schema adtop-simulation/1).")
    var json = false

    func run() async throws {
        let plan = try plan()
        if killEverywhere { return try sweep(plan) }
        let clock = SystemTimeSource()
        let started = clock.now().uptime
        var simulated = Duration.zero
        var (count, failures) = (0, 0)
        for number in 0..<UInt64(seeds) {
            var plan = plan
            plan.seed = seed &+ number
            let report = try Self.simulate(plan)
            if let killAt, report.kills == 0 {
                throw CommandFailure(
                    .usage, "--kill-at: '\(killAt)' is not reached; the simulation has \(report.steps.counted("input"))"
                )
            }
            if let record, let recording = report.recording { try await Self.write(recording, to: record) }
            simulated += report.span * plan.viewers
            if !report.violations.isEmpty { failures += 1 }
            count += 1
            // Where the reader has gone, no other seed is simulated.
            guard print(report) else { break }
        }
        let took = clock.now().uptime - started
        let speed = Int((simulated / max(took, .milliseconds(1))).rounded())
        Output.note("\(count.counted("simulation")), \(failures) failed, \(speed)x real time")
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

    /// Kills the process at every point in turn.
    private func sweep(_ plan: SimulationPlan) throws {
        var sweep = KillSweep(plan)
        do throws(SimulationProblem) {
            try sweep.run()
        } catch {
            throw CommandFailure(.usage, error.message)
        }
        if let failure = sweep.failure { show(failure) }
        Output.note("\(sweep.deaths.counted("kill point")), \(sweep.failure == nil ? 0 : 1) failed")
        if sweep.failure != nil { throw ExitStatus.findings.code }
    }

    private static func write(_ recording: Recording, to path: String) async throws(CommandFailure) {
        let file: RecordingFile
        do throws(FileProblem) {
            file = try RecordingFile(path: path, configuration: recording.configuration, maximumWaiting: .max)
        } catch {
            throw CommandFailure(.usage, "--record: \(error)")
        }
        for input in recording.inputs { file.record(input) }
        if let problem = await file.finish() { throw CommandFailure(.interrupted, "\(path): \(problem)") }
    }

    private func plan() throws(CommandFailure) -> SimulationPlan {
        let span = try spanOfTime()
        guard let profile = FaultProfile(faults) else {
            throw CommandFailure(
                .usage,
                "--faults: '\(faults)' is not none, all, or some of "
                    + Fault.allCases.map(\.rawValue).joined(separator: ", "))
        }
        guard (1...10_000).contains(viewers) else {
            throw CommandFailure(.usage, "--viewers: \(viewers) is not 1 to 10000")
        }
        guard (1...1_000_000).contains(seeds) else {
            throw CommandFailure(.usage, "--seeds: \(seeds) is not 1 to 1000000")
        }
        var plan = SimulationPlan(scenario: try OriginSetup.load(scenario), span: span, seed: seed)
        plan.viewers = viewers
        plan.faults = profile
        plan.isRecorded = record != nil
        plan.parts = try readParts()
        if killEverywhere || killAt != nil {
            try rejectWithSweep()
            guard profile == .none, seeds == 1, viewers == 1 else {
                let flag = killEverywhere ? "--kill-everywhere" : "--kill-at"
                throw CommandFailure(
                    .usage, "\(flag): needs a single session without faults; omit --faults, --seeds and --viewers")
            }
            plan.patience = KillSweep.patience
        }
        if let killAt {
            guard let death = Death(killAt) else {
                throw CommandFailure(.usage, "--kill-at: '\(killAt)' is not a point such as 57:2:1")
            }
            plan.death = death
        }
        guard record == nil || seeds == 1 else {
            throw CommandFailure(.usage, "--record: needs a single simulation; omit --seeds")
        }
        return plan
    }

    private func spanOfTime() throws(CommandFailure) -> Duration {
        let time: Duration
        do throws(Duration.TextProblem) {
            time = try Duration(text: span)
        } catch {
            throw CommandFailure(.usage, "--for: '\(span)' \(error.explanation)")
        }
        guard time > .zero else { throw CommandFailure(.usage, "--for: '\(span)' is not longer than zero") }
        return time
    }

    /// A sweep is many simulations, of which only the first one that fails is shown.
    private func rejectWithSweep() throws(CommandFailure) {
        let given = [
            ("--json", json, "omit it"), ("--kill-at", killAt != nil, "give one of them"),
            ("--record", record != nil, "record the point that it reports with --kill-at"),
        ]
        guard killEverywhere, let (flag, _, remedy) = given.first(where: \.1) else { return }
        throw CommandFailure(.usage, "\(flag): has no effect with --kill-everywhere; \(remedy)")
    }

    private func readParts() throws(CommandFailure) -> Set<SimulationPart> {
        guard let parts, parts != "all" else { return parts == nil ? [] : Set(SimulationPart.allCases) }
        var known: Set<SimulationPart> = []
        for name in parts.split(separator: ",", omittingEmptySubsequences: false) {
            guard let part = SimulationPart(rawValue: String(name)) else {
                throw CommandFailure(.usage, "--with: '\(parts)' is not all, or some of auction, formats, cache")
            }
            known.insert(part)
        }
        return known
    }

    /// Prints a simulation in the form that was asked for; false when the reader has gone.
    private func print(_ report: SimulationReport) -> Bool {
        let isRead = !json || Output.write(report.json.text() + "\n")
        return (json && report.violations.isEmpty || show(report)) && isRead
    }

    /// Prints one line, then each violation and the command that reproduces it; false when the reader has gone.
    @discardableResult
    private func show(_ report: SimulationReport) -> Bool {
        let plan = report.plan
        let result = report.violations.isEmpty ? "ok" : "FAILED"
        let summary =
            "\(plan.scenario.name) seed \(plan.seed) faults \(plan.faults.text): \(result), "
            + "\(report.span.components.seconds) s in \(report.steps) steps, \(report.arrivedBeacons) beacons arrived"
        let isRead = json || Output.line(summary)
        if json { Output.note(summary) }
        for violation in report.violations { Output.note("  \(violation.text)") }
        guard !report.violations.isEmpty else { return isRead }
        Output.note(
            "  reproduce: adtop simulate \(scenario) --for \(span) --seed \(plan.seed) --viewers \(plan.viewers) "
                + "--faults \(plan.faults.text)" + (parts.map { " --with \($0)" } ?? "")
                + (plan.death.map { " --kill-at \($0.text)" } ?? ""))
        return isRead
    }
}
