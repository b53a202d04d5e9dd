import Ports

/// Where the code departs from what a vector says.
struct Difference: Hashable, Sendable, CustomStringConvertible {
    /// How the two values should stand to each other; the raw value is the word in front of the expected one.
    enum Relation: String, Sendable {
        case equal = "expected"
        /// The expected values are among ours.
        case contains = "expected among them"
        /// None of the expected values is among ours.
        case excludes = "expected none of"
        /// Ours is one of the expected values.
        case oneOf = "expected one of"
        /// The vector itself cannot be used; the expected value says why.
        case malformed = "the vector is unusable:"
    }

    /// Of the member in the vector or result, e.g. `$.segments[3].uri`.
    var path: String
    var relation: Relation
    /// Nil where nothing is expected.
    var expected: JSONValue?
    /// Nil where we have nothing.
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

    /// Characters of a value on a line for people; `--json` has all of it.
    private static let excerptLength = 240

    private static func excerpt(_ value: JSONValue?) -> String {
        guard let value else { return "nothing" }
        let text = value.text()
        return text.count <= excerptLength ? text : text.prefix(excerptLength) + "…"
    }
}

extension Difference {
    /// Where two documents differ, members in any order, numbers by value. Numbers of members whose names end in `_ms`
    /// may be `milliseconds` apart.
    static func list(
        expected: JSONValue, actual: JSONValue, at path: String = "$", milliseconds: Double = 0
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
            let isSame = expected == actual || areNear(expected, actual, tolerance)
            return isSame ? [] : [Difference(path, expected: expected, actual: actual)]
        }
    }

    private static func areNear(_ left: JSONValue, _ right: JSONValue, _ tolerance: Double) -> Bool {
        guard let left = left.doubleValue, let right = right.doubleValue else { return false }
        return abs(left - right) <= max(tolerance, 1e-9)
    }

    /// One value against another; nil counts as null.
    static func check(_ path: String, expected: JSONValue?, actual: JSONValue?) -> [Difference] {
        list(expected: expected ?? .null, actual: actual ?? .null, at: path)
    }

    /// What `expected` says against `actual`, which may say more: members of objects that are not expected count for nothing.
    static func subset(_ path: String, expected: JSONValue, actual: JSONValue?) -> [Difference] {
        switch (expected, actual) {
        case (.object(let left), .object(let right)?):
            left.members.flatMap { subset("\(path).\($0.name)", expected: $0.value, actual: right[$0.name]) }
        case (.array(let left), .array(let right)?) where left.count == right.count:
            zip(left, right).enumerated().flatMap { index, pair in
                subset("\(path)[\(index)]", expected: pair.0, actual: pair.1)
            }
        default:
            check(path, expected: expected, actual: actual)
        }
    }

    /// The same of two lists without order: each expected item has one of ours, and none of ours is left.
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

    /// Texts in any order, each once.
    static func checkSet(_ path: String, expected: [String], actual: [String]) -> [Difference] {
        let isSame = Set(expected) == Set(actual) && Set(actual).count == actual.count
        return isSame
            ? [] : [Difference(path, expected: .sortedTexts(expected), actual: .sortedTexts(actual))]
    }

    /// All of `expected` are in `actual`.
    static func checkContains(_ path: String, expected: [String], actual: [String]) -> [Difference] {
        Set(expected).isSubset(of: actual)
            ? [] : [Difference(path, .contains, expected: .sortedTexts(expected), actual: .sortedTexts(actual))]
    }

    /// None of `expected` is in `actual`.
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
