import Ports

/// Where two documents differ. Members whose names end in `_ms` may be 1 ms apart, as the conformance README says.
enum JSONDifference {
    static func list(_ expected: JSONValue, _ actual: JSONValue, at path: String = "") -> [String] {
        switch (expected, actual) {
        case (.object(let left), .object(let right)):
            let names = Set(left.members.map(\.name)).union(right.members.map(\.name)).sorted()
            return names.flatMap { name -> [String] in
                guard let first = left[name] else { return ["\(path).\(name): not in the golden"] }
                guard let second = right[name] else { return ["\(path).\(name): missing"] }
                return list(first, second, at: "\(path).\(name)")
            }
        case (.array(let left), .array(let right)):
            guard left.count == right.count else {
                return ["\(path): \(left.count) elements expected, got \(right.count): \(actual.text())"]
            }
            return zip(left, right).enumerated().flatMap { list($1.0, $1.1, at: "\(path)[\($0)]") }
        default:
            if areEqual(expected, actual, at: path) { return [] }
            return ["\(path): \(expected.text()) expected, got \(actual.text())"]
        }
    }

    private static func areEqual(_ expected: JSONValue, _ actual: JSONValue, at path: String) -> Bool {
        if expected == actual { return true }
        guard let left = expected.doubleValue, let right = actual.doubleValue else { return false }
        return path.hasSuffix("_ms") ? abs(left - right) <= 1 : left == right
    }
}
