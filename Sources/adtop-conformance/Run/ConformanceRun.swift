import Ports

/// The results of the cases that were run.
struct ConformanceRun: Sendable {
    enum Outcome: String, Sendable {
        case passed, failed
        /// Files exist, have their hash, or can be read; no value was compared.
        case present
        /// The case differs from its vector, and docs/conformance-exceptions.md gives the reason.
        case excepted
    }

    struct Result: Sendable {
        var vector: VectorCase
        var outcome: Outcome
        var differences: [Difference]
    }

    let results: [Result]
    let skipped: [VectorSearch.Skipped]

    /// Runs all cases of a search.
    init(_ search: VectorSearch, exceptions: Exceptions) {
        skipped = search.skipped
        results = search.cases.map { vector in
            let differences = vector.differences()
            let success: Outcome = vector.evidence == .values ? .passed : .present
            let outcome = differences.isEmpty ? success : exceptions.covers(vector.id) ? .excepted : .failed
            return Result(vector: vector, outcome: outcome, differences: differences)
        }
    }

    func count(_ outcome: Outcome) -> Int { results.count { $0.outcome == outcome } }

    /// `N passed, N failed`, with the other counts if any.
    var summary: String {
        var parts = ["\(count(.passed)) passed", "\(count(.failed)) failed"]
        if count(.excepted) > 0 { parts.append("\(count(.excepted)) excepted") }
        if count(.present) > 0 { parts.append("\(count(.present)) present") }
        if !skipped.isEmpty { parts.append("\(skipped.count) skipped") }
        return parts.joined(separator: ", ")
    }

    /// Most differences printed for one case; `--json` has all.
    private static let printedDifferences = 20

    /// Text output: one line for each difference, each file without expected values and each skipped file, then the
    /// summary.
    var lines: [String] {
        let failures = results.filter { !$0.differences.isEmpty }.flatMap { result -> [String] in
            let word = result.outcome == .failed ? "failed" : "excepted"
            var lines = result.differences.prefix(Self.printedDifferences).map { "\(word): \(result.vector.id): \($0)" }
            let rest = result.differences.count - lines.count
            if rest > 0 { lines.append("\(word): \(result.vector.id): \(rest) more differences") }
            return lines
        }
        let present = results.filter { $0.outcome == .present }
        let counts = Dictionary(grouping: present, by: \.vector.file).mapValues(\.count)
        let files = counts.sorted { $0.key < $1.key }.map { "present: \($0): entries \($1), no value is compared" }
        return failures + files + skipped.map { "skipped: \($0.file): \($0.reason)" } + [summary]
    }

    /// Schema `adtop-conformance/1`.
    var json: JSONValue {
        [
            "schema": "adtop-conformance/1",
            "passed": .optional(count(.passed)), "failed": .optional(count(.failed)),
            "excepted": .optional(count(.excepted)), "present": .optional(count(.present)),
            "cases": .array(
                results.map { result in
                    [
                        "kind": .string(result.vector.kind), "file": .string(result.vector.file),
                        "case": .optional(result.vector.name), "outcome": .string(result.outcome.rawValue),
                        "differences": .array(result.differences.map(\.json)),
                    ]
                }),
            "skipped": .array(skipped.map { ["file": .string($0.file), "reason": .string($0.reason)] }),
        ]
    }
}

extension Difference {
    fileprivate var json: JSONValue {
        [
            "path": .string(path), "relation": .string(relation.rawValue), "expected": expected ?? .null,
            "got": actual ?? .null,
        ]
    }
}
