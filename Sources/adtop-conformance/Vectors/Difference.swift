import Ports

/// A difference between the code's result and a vector.
struct Difference: Hashable, Sendable, CustomStringConvertible {
    /// The required relation of the two values; the raw value is printed before the expected value.
    enum Relation: String, Sendable {
        case equal = "expected"
        /// The result contains the expected values.
        case contains = "expected among them"
        /// The result contains none of the expected values.
        case excludes = "expected none of"
        /// The result is one of the expected values.
        case oneOf = "expected one of"
        /// The vector cannot be used; the expected value is the reason.
        case malformed = "unusable vector:"
    }

    /// Path of the member in the vector or result, e.g. `$.segments[3].uri`.
    var path: String
    var relation: Relation
    /// The expected value; nil when none is expected.
    var expected: JSONValue?
    /// The value of the result; nil when there is none.
    var actual: JSONValue?

    init(_ path: String, _ relation: Relation = .equal, expected: JSONValue?, actual: JSONValue?) {
        self.path = path
        self.relation = relation
        self.expected = expected
        self.actual = actual
    }

    var description: String {
        let first = "\(path): \(relation.rawValue) \(Self.excerpt(expected))"
        return relation == .malformed ? first : "\(first), got \(Self.excerpt(actual))"
    }

    /// Longest printed value in characters; `--json` has the complete value.
    private static let excerptLength = 240

    private static func excerpt(_ value: JSONValue?) -> String {
        guard let value else { return "nothing" }
        let text = value.text()
        return text.count <= excerptLength ? text : text.prefix(excerptLength) + "…"
    }
}

extension Difference {
    /// The differences of two documents. Members may have any order, numbers are compared as exact decimals, and whole
    /// numbers of members whose names end in `_ms` may differ by `milliseconds`.
    static func list(
        expected: JSONValue, actual: JSONValue, at path: String = "$", milliseconds: UInt64 = 0
    ) -> [Difference] {
        switch (expected, actual) {
        case (.object(let left), .object(let right)):
            let names = Set(left.members.map(\.name)).union(right.members.map(\.name)).sorted()
            return names.flatMap { name -> [Difference] in
                let place = "\(path).\(name)"
                guard let first = left[name], let second = right[name] else {
                    return [Difference(place, expected: left[name], actual: right[name])]
                }
                return list(expected: first, actual: second, at: place, milliseconds: milliseconds)
            }
        case (.array(let left), .array(let right)) where left.count == right.count:
            return zip(left, right).enumerated().flatMap { index, pair in
                list(expected: pair.0, actual: pair.1, at: "\(path)[\(index)]", milliseconds: milliseconds)
            }
        default:
            let tolerance = path.hasSuffix("_ms") ? milliseconds : 0
            let isSame = ExactNumber.areEqual(expected, actual) || areNear(expected, actual, tolerance)
            return isSame ? [] : [Difference(path, expected: expected, actual: actual)]
        }
    }

    private static func areNear(_ left: JSONValue, _ right: JSONValue, _ tolerance: UInt64) -> Bool {
        guard tolerance > 0, case .integer(let left) = left, case .integer(let right) = right else { return false }
        let (distance, isOutOfRange) = left.subtractingReportingOverflow(right)
        return !isOutOfRange && distance.magnitude <= tolerance
    }

    /// Compares one value with another; nil counts as null.
    static func check(_ path: String, expected: JSONValue?, actual: JSONValue?) -> [Difference] {
        list(expected: expected ?? .null, actual: actual ?? .null, at: path)
    }

    /// Compares `expected` with `actual`, whose objects may have further members. An empty object expects an empty one.
    static func subset(_ path: String, expected: JSONValue, actual: JSONValue?) -> [Difference] {
        switch (expected, actual) {
        case (.object(let left), .object(let right)?) where !left.members.isEmpty:
            left.members.flatMap { subset("\(path).\($0.name)", expected: $0.value, actual: right[$0.name]) }
        case (.array(let left), .array(let right)?) where left.count == right.count:
            zip(left, right).enumerated().flatMap { index, pair in
                subset("\(path)[\(index)]", expected: pair.0, actual: pair.1)
            }
        default:
            check(path, expected: expected, actual: actual)
        }
    }

    /// The same for two lists in any order: each expected item matches one item of the result, and no item remains.
    static func subsetInAnyOrder(_ path: String, expected: [JSONValue], actual: [JSONValue]) -> [Difference] {
        var left = actual
        for item in expected {
            guard let match = left.firstIndex(where: { subset(path, expected: item, actual: $0).isEmpty }) else {
                return [Difference(path, expected: .array(expected), actual: .array(actual))]
            }
            left.remove(at: match)
        }
        return left.isEmpty ? [] : [Difference(path, expected: .array(expected), actual: .array(actual))]
    }

    /// Compares texts in any order, each of which must occur once on both sides.
    static func checkSet(_ path: String, expected: [String], actual: [String]) -> [Difference] {
        let isSame = expected.sorted() == actual.sorted() && Set(actual).count == actual.count
        return isSame
            ? [] : [Difference(path, expected: .sortedTexts(expected), actual: .sortedTexts(actual))]
    }

    /// Checks that `actual` contains all of `expected`.
    static func checkContains(_ path: String, expected: [String], actual: [String]) -> [Difference] {
        Set(expected).isSubset(of: actual)
            ? [] : [Difference(path, .contains, expected: .sortedTexts(expected), actual: .sortedTexts(actual))]
    }

    /// Checks that `actual` contains none of `expected`.
    static func checkExcludes(_ path: String, expected: [String], actual: [String]) -> [Difference] {
        Set(expected).isDisjoint(with: actual)
            ? [] : [Difference(path, .excludes, expected: .sortedTexts(expected), actual: .sortedTexts(actual))]
    }
}

extension JSONValue {
    fileprivate static func sortedTexts(_ texts: [String]) -> JSONValue {
        .array(texts.sorted().map(JSONValue.string))
    }
}
