import Ports
import TestSupport
import Testing

@testable import adtop_conformance

@Suite struct ConformanceRunTests {
    private static let emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private let folder: TemporaryFolder
    private let search: VectorSearch

    /// A vector that passes, one that fails, a manifest, and a file without vectors.
    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            """
            {"schema": "adtop-scte35/1", "vectors": [{"name": "good", "input": "x", "expect": null, "error": \
            "transport"},
             {"name": "bad", "input": "x", "expect": null, "error": "truncated"}]}
            """, to: "messages.json")
        try folder.write("", to: "notes.txt")
        try folder.write(#"{"files": [{"file": "notes.txt", "sha256": "\#(Self.emptyHash)"}]}"#, to: "origin.json")
        var search = VectorSearch()
        try search.add(folder.path)
        self.search = search
    }

    @Test func everyDepartureIsALineAndTheCountsAreLast() {
        #expect(
            ConformanceRun(search, exceptions: .none).lines == [
                "failed: \(folder.path)/messages.json#bad: $.vectors[1].error: expected \"truncated\", got \"transport\"",
                "present: \(folder.path)/origin.json: entries 1, no value is compared",
                "skipped: \(folder.path)/notes.txt: not a vector",
                "1 passed, 1 failed, 1 present, 1 skipped",
            ])
    }

    @Test func anArguedExceptionIsNoFailure() {
        let run = ConformanceRun(
            search, exceptions: Exceptions(text: "## Exceptions\n\n- `messages.json#bad`: wrong\n"))
        #expect(run.summary == "1 passed, 0 failed, 1 excepted, 1 present, 1 skipped")
        #expect(run.lines[0].hasPrefix("excepted: "))
    }

    @Test func theDocumentHasEverything() {
        let json = ConformanceRun(search, exceptions: .none).json
        #expect(json["schema"] == "adtop-conformance/1")
        #expect(json["passed"] == 1 && json["failed"] == 1 && json["excepted"] == 0 && json["present"] == 1)
        #expect(json["cases"]?.arrayValue?.map { $0["outcome"] } == ["passed", "failed", "present"])
        #expect(
            json["cases"]?.arrayValue?.dropFirst().first?["differences"]?.arrayValue == [
                ["path": "$.vectors[1].error", "relation": "expected", "expected": "truncated", "got": "transport"]
            ])
        #expect(json["skipped"]?.arrayValue?.count == 1)
    }

    @Test func exceptionsStandInTheirSection() {
        let text = "# Conformance\n- `a`\n## Exceptions\n- `b/c.json#d`: why\n- e\n## Others\n- `f`\n"
        let exceptions = Exceptions(text: text)
        #expect(exceptions.ids == ["b/c.json#d"])
        #expect(exceptions.covers("x/b/c.json#d") && exceptions.covers("b/c.json#d"))
        #expect(!exceptions.covers("xb/c.json#d") && !exceptions.covers("b/c.json"))
    }

    @Test func hashesAreThoseOfTheStandard() {
        #expect([].sha256 == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8).sha256
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }
}
