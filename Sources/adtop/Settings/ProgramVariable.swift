import Ports

/// A variable of the environment that is the program's and no setting.
enum ProgramVariable: String, CaseIterable {
    /// The config file.
    case config = "ADTOP_CONFIG"
    /// The store of a fleet, where `--store` is not given.
    case store = "ADTOP_STORE"
    /// Rules that an agent of a fleet breaks on purpose; for tests only.
    case testAgent = "ADTOP_TEST_AGENT"

    /// How the program's variables begin.
    static let prefix = "ADTOP_"

    /// Variables of tests, benchmarks and scripts, which a shell in which adtop is built may have exported.
    private static let ofTheBuild: Set<String> = [
        "ADTOP_BENCH_BUILD", "ADTOP_BENCH_CLAIMS", "ADTOP_CONFORMANCE", "ADTOP_FLEET_KILLS", "ADTOP_FLEET_KILL_SEED",
        "ADTOP_FLEET_SEEDS", "ADTOP_FUZZ_TARGET", "ADTOP_KILLS", "ADTOP_RECORD_GOLDENS", "ADTOP_STANDSTILL",
        "ADTOP_VAST_CLIENT_JS",
    ]

    /// One line for stderr for each variable that begins as the program's and is none, in the order of their names: it may be a typing error
    /// or belong to a newer version.
    static func warnings(of environment: [String: String]) -> [String] {
        let known = Setting.allCases.map(\.environmentName) + allCases.map(\.rawValue)
        let unknown = environment.keys.filter { name in
            name.hasPrefix(prefix) && !known.contains(name) && !ofTheBuild.contains(name)
        }
        // All begin alike, so that only the rest shows what is similar.
        let rests = known.map { String($0.dropFirst(prefix.count)) }
        return unknown.sorted().map { name in
            let similar = SimilarNames.nearest(to: String(name.dropFirst(prefix.count)), in: rests, count: 1).first
            return "environment: " + Setting.unknown(name, similar: similar.map { prefix + $0 })
        }
    }
}

extension Setting {
    /// The warning about a name that is no setting.
    static func unknown(_ name: String, similar: String?) -> String {
        "unknown setting '\(name)' ignored (\(similar.map { "similar: \($0); " } ?? "")see adtop config)"
    }
}
