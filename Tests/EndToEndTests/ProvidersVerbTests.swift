import Foundation
import Ports
import TestSupport
import Testing

/// `adtop providers`, and what `adtop metadata parse` says of files that are none of a provider's.
@Suite struct ProvidersVerbTests {
    private static let names = [
        "mediatailor", "dai", "uplynk", "broadpeak", "yospace", "primetime", "vmap", "harmonic", "svta",
    ]

    @Test func theTextListsEachProvider() async throws {
        let run = try await AdtopProcess.run(["providers"])
        #expect(run.status == 0 && run.errors.isEmpty)
        let lines = run.output.components(separatedBy: "\n").dropLast()
        let heads = lines.filter { !$0.hasPrefix(" ") }.map { $0.components(separatedBy: "  ") }
        #expect(heads.compactMap(\.first) == Self.names && heads.allSatisfy { $0.count == 2 })
        #expect(lines.filter { $0.hasPrefix("  recognised by ") }.count == Self.names.count)
    }

    @Test func theJSONHasTheSameAsTheText() async throws {
        let document = try await AdtopProcess.run(["providers", "--json"]).json()
        let text = try await AdtopProcess.run(["providers"]).output
        #expect(document["schema"] == "adtop-providers/1")
        let providers = try #require(document["providers"]?.arrayValue)
        #expect(providers.compactMap { $0["name"]?.stringValue } == Self.names)
        for provider in providers {
            let (name, title) = (provider["name"]?.stringValue ?? "?", provider["title"]?.stringValue ?? "?")
            #expect(text.contains("\(name)  \(title)\n"))
            #expect(text.contains("  recognised by \(provider["recognisedBy"]?.stringValue ?? "?")\n"))
            for clause in provider["supports"]?.arrayValue ?? [] {
                #expect(text.contains("  \(clause.stringValue ?? "?")\n"))
            }
        }
    }

    /// The table of the documentation has a row for each provider that is followed, in the order of the verb.
    @Test func theTableOfTheDocumentationIsTheList() throws {
        let rows = try DocumentationPage.text("providers").components(separatedBy: "\n").compactMap { line in
            line.hasPrefix("| `") && line.contains("` |") ? line.dropFirst(3).prefix { $0 != "`" } : nil
        }
        // The first row has the titles of the columns.
        #expect(rows.dropFirst().prefix(8).map(String.init) == Array(Self.names.dropLast()))
    }

    private static let tracking =
        #"{"avails":[{"availId":"b","startTimeInSeconds":60,"durationInSeconds":10,"ads":[]}],"nextToken":"t"}"#

    /// Whoever is named, the advice is the provider whose answer it is.
    @Test(arguments: ["dai", "broadpeak", "primetime", "uplynk", "yospace", "vmap", "harmonic", "svta"])
    func theProviderOfAnAnswerIsNamed(_ provider: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.tracking, to: "answer.json")
        let file = folder.file("answer.json")
        let run = try await AdtopProcess.run(["metadata", "parse", file, "--provider", provider])
        #expect(run.status == 4 && run.output.isEmpty)
        #expect(run.errors.hasPrefix("adtop: \(file): "), "\(run.errors)")
        #expect(run.errors.hasSuffix("; --provider mediatailor reads it\n"), "\(run.errors)")
    }

    @Test func anAnswerOfNobodyHasNoAdvice() async throws {
        let folder = try TemporaryFolder()
        try folder.write("<html><body>Log in</body></html>", to: "answer.json")
        let file = folder.file("answer.json")
        let run = try await AdtopProcess.run(["metadata", "parse", file, "--provider", "mediatailor"])
        #expect(run.status == 4 && run.output.isEmpty)
        #expect(run.errors.hasPrefix("adtop: \(file): the body "), "\(run.errors)")
        #expect(!run.errors.contains("--provider"), "\(run.errors)")
    }

    /// The root of a document shows what it is, and whose it is even without breaks.
    @Test(arguments: [
        (
            #"<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0"/>"#,
            "VMAP instead of JSON; --provider vmap reads it"
        ), (#"<?xml version="1.0"?><MPD/>"#, "a DASH manifest instead of JSON"),
        ("<!DOCTYPE html><title>Log in</title>", "HTML instead of JSON"),
    ]) func aDocumentIsNamed(_ text: String, _ words: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "answer.json")
        let file = folder.file("answer.json")
        let run = try await AdtopProcess.run(["metadata", "parse", file, "--provider", "mediatailor"])
        #expect(run.status == 4 && run.errors == "adtop: \(file): the body is \(words)\n", "\(run.errors)")
    }

    /// No more of a file is read than of an answer.
    @Test func aLongFileIsNotRead() async throws {
        let folder = try TemporaryFolder()
        let filler = String(repeating: " ", count: 17 << 20)
        try folder.write(Self.tracking + filler, to: "long.json")
        let file = folder.file("long.json")
        let run = try await AdtopProcess.run(["metadata", "parse", file, "--provider", "mediatailor"])
        #expect(run.status == 4 && run.output.isEmpty)
        #expect(run.errors.contains("long.json: longer than 16777216 bytes"), "\(run.errors)")
    }
}
