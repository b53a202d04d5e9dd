import Foundation
import TestSupport
import Testing

/// Replays inputs found by a fuzzer or written as attacks: a broken guarantee stops the tests.
@Suite struct CrashReplayTests {
    private static func inputs(in folder: String, of target: FuzzTarget) throws -> [[UInt8]] {
        let url = ConformanceFolder.projectRoot.appendingPathComponent("\(folder)/\(target.rawValue)")
        return try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
    }

    @Test(arguments: FuzzTarget.allCases) func keptInputsAreHarmless(_ target: FuzzTarget) throws {
        let inputs = try Self.inputs(in: "Tests/FuzzTests/Crashes", of: target)
        #expect(!inputs.isEmpty)
        inputs.forEach(target.run)
    }

    @Test(arguments: FuzzTarget.allCases) func seedsAreHarmless(_ target: FuzzTarget) throws {
        let seeds = try Self.inputs(in: "Fuzz/Seeds", of: target)
        #expect(!seeds.isEmpty)
        for seed in seeds {
            target.run(seed)
            // The input is also cut at many places, as when a connection breaks.
            for length in stride(from: 0, to: seed.count, by: max(1, seed.count / 16)) {
                target.run(Array(seed.prefix(length)))
            }
        }
    }

    /// A folder whose name is not that of a parser would never be replayed.
    @Test(arguments: ["Tests/FuzzTests/Crashes", "Fuzz/Seeds"]) func everyFolderNamesAParser(_ folder: String) throws {
        let url = ConformanceFolder.projectRoot.appendingPathComponent(folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path).filter { !$0.hasPrefix(".") }
        #expect(Set(names) == Set(FuzzTarget.allCases.map(\.rawValue)))
    }
}
