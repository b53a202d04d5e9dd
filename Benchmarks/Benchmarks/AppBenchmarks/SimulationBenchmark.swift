import Foundation

/// How fast a session runs on a virtual clock, without faults and with every fault, and how long the replay of an
/// hour's recording takes. The targets are those of Benchmarks/rows.tsv.
struct SimulationBenchmark {
    let adtop: String

    private static let scenarios = ["steady", "rush"]

    func measure() throws {
        try simulate("steady", hours: 24, faults: "none", target: 15_000)
        try simulate("rush", hours: 1, faults: "all", target: 8_000)
        for scenario in Self.scenarios { try replay(scenario) }
    }

    private func simulate(_ scenario: String, hours: Int, faults: String, target: Int) throws {
        let took = try time(["simulate", scenario, "--for", "\(hours)h", "--faults", faults, "--json"])
        let rate = Double(hours) * 3_600 / (took / .seconds(1))
        print(
            "simulation of \(hours) h of \(scenario), one session, faults \(faults): \(seconds(took)), "
                + "\(Int(rate)) x real time (target \(target))")
    }

    private func replay(_ scenario: String) throws {
        let path = NSTemporaryDirectory() + "adtop-hour-\(ProcessInfo.processInfo.processIdentifier).adtop"
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try time(["simulate", scenario, "--for", "1h", "--record", path])
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        let times = try (0..<5).map { _ in try time(["replay", path, "--dump", "--size", "120x40"]) }.sorted()
        print(
            "replay of an hour of \(scenario), \(size / 1_024) KiB: median \(seconds(times[2])), "
                + "slowest \(seconds(times[4])) (target 2 s)")
    }

    /// Wall time of a whole process, which must exit with 0.
    private func time(_ arguments: [String]) throws -> Duration {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: adtop)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        let start = ContinuousClock.now
        try process.run()
        process.waitUntilExit()
        let took = ContinuousClock.now - start
        guard process.terminationStatus == 0 else {
            throw Failure(message: "adtop \(arguments.joined(separator: " ")) ended with \(process.terminationStatus)")
        }
        return took
    }

    private func seconds(_ span: Duration) -> String { String(format: "%.2f s", span / .seconds(1)) }

    private struct Failure: Error {
        let message: String
    }
}
