import CMalloc
import DemoOrigin
import Glibc
import Ports
import Session
import Simulation

/// What a session holds when it is old: `AgeBenchmarks [HOURS]`.
///
/// The retention is four minutes instead of two hours, so that 24 hours are as long as a month for what is kept: a simulated
/// month takes an hour to compute. What a session holds is measured by releasing it, so each age is a simulation of its own;
/// journal, origin and judge are not counted. Until the log has its 10,000 lines, it grows too: its lines are printed, and
/// each may be 256 bytes.
/// Fails if a session of full age holds over 300 KiB more than one of a quarter of it.
@main
struct AgeBenchmarks {
    /// Largest growth of a session, in bytes, once what its window and its log hold is complete.
    private static let allowedGrowth = 300 * 1_024
    /// What a line of the log may hold, in bytes.
    private static let logLine = 256

    static func main() throws {
        let hours = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 24
        for (name, every) in [("rush", nil), ("interstitials", 60_000)] as [(String, Int?)] {
            let young = try held(name, every: every, hours: max(1, hours / 4))
            let old = try held(name, every: every, hours: hours)
            print("\(name), \(max(1, hours / 4)) h: \(young.bytes / 1_024) KiB with \(young.logLines) log lines")
            let growth = old.bytes - young.bytes
            print(
                "\(name), \(hours) h: \(old.bytes / 1_024) KiB with \(old.logLines) log lines, \(growth / 1_024) KiB more"
            )
            guard growth <= allowedGrowth + max(0, old.logLines - young.logLines) * logLine else {
                print("\(name): the session grew by more than \(allowedGrowth / 1_024) KiB")
                exit(1)
            }
        }
    }

    private static func held(_ name: String, every: Int?, hours: Int) throws -> (bytes: Int, logLines: Int) {
        guard let loaded = try BuiltinScenarios.load(name) else { preconditionFailure("no scenario \(name)") }
        var scenario = loaded.scenario
        if let every { scenario.breaks?.everyMs = every }
        let span = Duration.seconds(hours * 3_600)
        var plan = SimulationPlan(scenario: scenario, span: span, seed: 1)
        plan.keep = .seconds(240)
        var simulator = try Simulator(plan)
        guard simulator.run(until: span) else { preconditionFailure("a violation") }
        let lines = simulator.load?.logLines ?? 0
        let before = used()
        simulator.releaseSessions()
        return (before - used(), lines)
    }

    private static func used() -> Int {
        let heap = mallinfo2()
        return Int(heap.uordblks + heap.hblkhd)
    }
}
