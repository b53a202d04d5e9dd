import Ports
import Simulation
import Testing
@Suite struct SeedSearch {
    @Test(arguments: 0..<2 as Range<UInt64>) func search(half: UInt64) throws {
        for seed in UInt64(5231)..<5900 where seed % 2 == half {
            let damage: Set<Fault> = [.corrupt, .truncated, .reordered, .duplicated, .kill]
            let report = try SimulatorTests.run(SimulatorTests.plan("rush", FaultProfile(faults: damage), seed: seed, minutes: 4))
            let n = report.json["due"]?["notTold"]?.integerValue ?? 0
            if n > 0 { print("SEED", seed, n, report.violations.map(\.text)) }
            if n > 0, report.violations.isEmpty { break }
        }
    }
}
