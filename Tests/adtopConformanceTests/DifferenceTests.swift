import Ports
import Testing

@testable import adtop_conformance

@Suite struct DifferenceTests {
    private func paths(_ expected: JSONValue, _ actual: JSONValue, milliseconds: Double = 0) -> [String] {
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

    @Test func nullIsNotAbsent() {
        #expect(paths(["a": nil], [:]) == ["$.a"])
    }

    @Test func setsKnowNoOrderAndNoDoubles() {
        #expect(Difference.checkSet("$", expected: ["a", "b"], actual: ["b", "a"]) == [])
        #expect(Difference.checkSet("$", expected: ["a"], actual: ["a", "a"]).count == 1)
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
