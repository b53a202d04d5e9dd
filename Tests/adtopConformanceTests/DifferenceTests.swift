import Ports
import Testing

@testable import adtop_conformance

@Suite struct DifferenceTests {
    private func paths(_ expected: JSONValue, _ actual: JSONValue, milliseconds: UInt64 = 0) -> [String] {
        Difference.list(expected: expected, actual: actual, milliseconds: milliseconds).map(\.path)
    }

    @Test func placesAreNamed() {
        let expected: JSONValue = ["a": 1, "b": ["c": [1, 2]], "d": "x"]
        #expect(paths(expected, ["d": "x", "b": ["c": [1, 2]], "a": 1.0]) == [])
        #expect(paths(expected, ["a": 1, "b": ["c": [1, 3]], "d": "y"]) == ["$.b.c[1]", "$.d"])
        #expect(paths(expected, ["a": 1, "b": ["c": [1]], "e": nil]) == ["$.b.c", "$.d", "$.e"])
    }

    @Test func onlyMillisecondsHaveATolerance() {
        #expect(paths(["at_ms": 5, "n": 5], ["at_ms": 6, "n": 5], milliseconds: 1) == [])
        #expect(paths(["at_ms": 5, "n": 5], ["at_ms": 7, "n": 6], milliseconds: 1) == ["$.at_ms", "$.n"])
        #expect(paths(["at_ms": 5], ["at_ms": 6]) == ["$.at_ms"])
    }

    @Test(arguments: [
        ("9007199254740993", "9007199254740992", false), ("9007199254740993", "9007199254740993.0", true),
        ("0.1", "0.10000000000000001", false), ("0.30", "3e-1", true), ("-0", "0", true), ("-1", "1", false),
        ("1e400", "1e400", true), ("1e400", "10e399", true), ("1e400", "1e401", false), ("100", "1E2", true),
        ("123456789012345678.9", "123456789012345678.8", false), ("1", "1.0000000001", false), ("0.0", "0e9", true),
    ])
    func numbersAreComparedAsDecimals(_ left: String, _ right: String, _ areEqual: Bool) throws {
        let values = try [left, right].map { try JSONReader.read($0) }
        #expect(paths(values[0], values[1]).isEmpty == areEqual)
    }

    @Test func theToleranceIsForWholeMilliseconds() {
        #expect(paths(["at_ms": 5], ["at_ms": 5.5], milliseconds: 1) == ["$.at_ms"])
        #expect(paths(["at_ms": .integer(.max)], ["at_ms": .integer(.min)], milliseconds: 1) == ["$.at_ms"])
    }

    @Test func anEmptyObjectExpectsAnEmptyOne() {
        #expect(Difference.subset("$", expected: ["a": 1], actual: ["a": 1, "b": 2]) == [])
        #expect(Difference.subset("$", expected: [:], actual: ["a": 1]).count == 1)
    }

    @Test func nullIsNotAbsent() {
        #expect(paths(["a": nil], [:]) == ["$.a"])
    }

    @Test func setsKnowNoOrderAndNoDoubles() {
        #expect(Difference.checkSet("$", expected: ["a", "b"], actual: ["b", "a"]) == [])
        #expect(Difference.checkSet("$", expected: ["a"], actual: ["a", "a"]).count == 1)
        #expect(Difference.checkSet("$", expected: ["a", "a"], actual: ["a"]).count == 1)
        #expect(Difference.checkContains("$", expected: ["a"], actual: ["b"]).map(\.relation) == [.contains])
        #expect(Difference.checkExcludes("$", expected: ["a"], actual: ["a"]).map(\.relation) == [.excludes])
    }

    @Test func aLineSaysWhatWasExpected() {
        let difference = Difference("$.a", expected: 1, actual: nil)
        #expect(difference.description == "$.a: expected 1, got nothing")
        let long = Difference("$", expected: .string(String(repeating: "x", count: 500)), actual: 2)
        #expect(long.description.count < 270)
    }
}
