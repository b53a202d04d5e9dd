import Live
import Ports
import TestSupport
import Testing

@testable import adtop_conformance

/// Folders written by others, with other names, other places and mistakes.
@Suite struct VectorSearchTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let message = "0xFC301100000000000000FFFFFF0000004F253396"

    private func search(_ name: String = "") throws -> VectorSearch {
        var search = VectorSearch()
        try search.add(name.isEmpty ? folder.path : folder.file(name))
        return search
    }

    private func relative(_ path: String) -> String { String(path.dropFirst(folder.path.count + 1)) }

    @Test func kindsAreToldByTheirContent() throws {
        try folder.write("#EXTM3U\n", to: "deep/er/one.m3u8")
        try folder.write(#"{"schema": "adtop-hls-golden/1"}"#, to: "deep/er/one.expected.json")
        try folder.write("<VAST/>", to: "ad.vast")
        try folder.write(#"{"outcome": "no_ads", "error_code": null}"#, to: "ad.expected.json")
        try folder.write("[1]", to: "body.json")
        try folder.write(#"{"outcome": "xml_error", "error_code": 100}"#, to: "body.json.expected.json")
        try folder.write(#"{"schema": "adtop-hls-sequence/1", "reloads": [{"file": "a"}]}"#, to: "live/anything.json")
        try folder.write("", to: "live/a")
        try folder.write("{}", to: "live/timeline.json")
        try folder.write(#"{"entry": "u", "files": {"u": "u.xml"}, "expected": {}}"#, to: "chain/scenario.json")
        try folder.write("", to: "chain/u.xml")
        let cases = try search().cases
        #expect(
            cases.map { "\($0.kind) \(relative($0.file))" } == [
                "vast-document ad.expected.json", "vast-document body.json.expected.json",
                "vast-scenario chain/scenario.json", "adtop-hls-golden/1 deep/er/one.expected.json",
                "adtop-hls-sequence/1 live/anything.json",
            ])
        #expect(try search().skipped.isEmpty)
    }

    @Test func listsGiveACaseEach() throws {
        try folder.write(
            """
            {"schema": "adtop-scte35/1", "vectors": [{"name": "a", "input": "x", "expect": null, "error": "transport"},
             {"input": "\(Self.message)", "expect": null, "error": "truncated"}]}
            """, to: "messages.json")
        let cases = try search().cases
        #expect(cases.map(\.name) == ["a", "vectors[1]"])
        #expect(cases[0].differences().isEmpty)
        #expect(cases[1].differences().map(\.path) == ["$.vectors[1].error"])
    }

    @Test func whatCannotBeRunFailsWithAReason() throws {
        try folder.write("", to: "README.md")
        try folder.write("", to: "LICENSE")
        try folder.write("", to: "times.txt")
        try folder.write("", to: "alone.m3u8")
        try folder.write("", to: "alone.xml")
        try folder.write(#"{"schema": "other/7"}"#, to: "a.json")
        try folder.write("[1]", to: "b.json")
        try folder.write("{", to: "c.json")
        try folder.write(#"{"schema": "adtop/currency/1", "cases": []}"#, to: "d.json")
        try folder.write(#"{"schema": "adtop/currency/1"}"#, to: "e.json")
        try folder.write("", to: ".hidden")
        let search = try search()
        #expect(
            search.skipped.map { "\(relative($0.file)): \($0.reason)" } == [
                "LICENSE: documentation", "README.md: documentation", "times.txt: not a vector",
            ])
        #expect(
            failures(search).sorted() == [
                "a.json $: schema other/7 is not supported",
                "alone.m3u8 $: no expected result in the same folder",
                "alone.xml $: no expected result in the same folder",
                "b.json $: no documented layout",
                "c.json $: not JSON: expected a quoted name at 1:2",
                "d.json $.cases: no cases",
                "e.json $.cases: no cases",
            ])
    }

    @Test func oneFileThatIsNoVectorFails() throws {
        try folder.write(#"{"schema": "adtop/curency/1", "cases": []}"#, to: "a.json")
        #expect(failures(try search("a.json")) == ["a.json $: schema adtop/curency/1 is not supported"])
    }

    /// What a vector needs to be one: with it damaged, the file fails.
    @Test(arguments: [
        (#""outcome": "no_ads", "error_code": null, "fires": []"#, "$.fires: not a member of the schema"),
        (#""outcomes": "no_ads", "error_code": null, "lint": []"#, "$: no documented layout"),
        (#""outcome": "no_ads", "error_code": null, "lint": null"#, "$.lint: null expects nothing"),
        (#""outcome": "no_ads", "lint": []"#, "$.error_code: missing member"),
    ])
    func aDamagedExpectationFails(_ members: String, _ problem: String) throws {
        try folder.write("<VAST version='3.0'/>", to: "a.xml")
        try folder.write("{\(members)}", to: "a.expected.json")
        #expect(failures(try search()).contains("a.expected.json \(problem)"))
    }

    @Test(arguments: [#""document": null"#, ""]) func aDocumentThatIsNotExpectedFails(_ member: String) throws {
        try folder.write("<VAST version='3.0'/>", to: "a.xml")
        let members = [#""outcome": "no_ads", "error_code": null"#, member].filter { !$0.isEmpty }
        try folder.write("{\(members.joined(separator: ", "))}", to: "a.expected.json")
        #expect(try search().cases.flatMap { $0.differences() }.map(\.path) == ["$.document"])
    }

    @Test(arguments: [#""expected": {}"#, #""expect": {"outcome": "ok"}"#]) func aScenarioWithoutResultFails(
        _ member: String
    ) throws {
        try folder.write(#"{"entry": "https://a/u", "files": {}, \#(member)}"#, to: "scenario.json")
        #expect(try search().cases.allSatisfy { !$0.differences().isEmpty })
        #expect(try search().cases.count == 1)
    }

    /// The unusable vectors as `FILE PATH: REASON`.
    private func failures(_ search: VectorSearch) -> [String] {
        search.cases.flatMap { vector in
            vector.differences().filter { $0.relation == .malformed }.map {
                "\(relative(vector.file)) \($0.path): \($0.expected?.stringValue ?? "")"
            }
        }
    }

    @Test func aFileBringsItsOwnCasesOnly() throws {
        for name in ["one", "two"] {
            try folder.write("<VAST/>", to: "\(name).xml")
            try folder.write(#"{"outcome": "no_ads", "error_code": null}"#, to: "\(name).expected.json")
        }
        #expect(try search("one.xml").cases.map { relative($0.file) } == ["one.expected.json"])
        #expect(try search("two.expected.json").cases.map { relative($0.file) } == ["two.expected.json"])
        #expect(try search("one.xml").skipped.isEmpty)
    }

    @Test func anUnreadableExpectationFails() throws {
        try folder.write("<VAST/>", to: "a.xml")
        try folder.write("{", to: "a.expected.json")
        let cases = try search().cases
        #expect(cases.map(\.kind) == ["unusable"])
        #expect(cases[0].differences().map(\.relation) == [.malformed])
    }

    @Test func anExpectationWithoutItsSubjectFails() throws {
        try folder.write(#"{"outcome": "ok", "error_code": null}"#, to: "gone.expected.json")
        #expect(try search().cases.map { $0.differences().map(\.relation) } == [[.malformed]])
    }

    @Test func aNameCannotLeaveTheFolder() throws {
        try folder.write("#EXTM3U\n", to: "secret.m3u8")
        try folder.write(
            #"{"schema": "adtop-hls-bench/1", "file": "../secret.m3u8"}"#, to: "in/bench.expected.json")
        #expect(try search("in").cases[0].differences().map(\.relation) == [.malformed])
    }

    @Test func whatIsNotThereIsAnError() {
        #expect(throws: FileProblem(path: folder.file("none"), reason: .missing)) { try search("none") }
    }
}
