import AdTracking
import Ports
import Testing

/// Whether an answer is something else than metadata, which ends a session that never had any (TRK-32), for every provider.
@Suite struct OtherKindTests {
    private static func problem(_ row: ProviderContractTests.Row, _ text: String) throws -> MetadataProblem? {
        let contract = ProviderContract(make: { row.type.init($0) }, samples: try row.samples)
        var provider = contract.opened()
        guard case .failure(let problem) = contract.read(text, by: &provider) else { return nil }
        return problem
    }

    @Test(
        arguments: ProviderContractTests.rows,
        [
            "<!DOCTYPE html>\n<html><body><br>Sign in</body></html>", "<html/>", "#EXTM3U\n#EXT-X-TARGETDURATION:4\n",
            "404 page not found", "not found", "[1]", "\"expired\"",
        ])
    func somethingElseIsOfAnotherKind(_ row: ProviderContractTests.Row, _ text: String) throws {
        #expect(try Self.problem(row, text)?.isOfAnotherKind == true)
    }

    /// The root shows what a document is; only HTML is called so.
    @Test(
        arguments: ProviderContractTests.rows.filter { $0.type.contentType == "json" && $0.type.name != "primetime" },
        [
            ("<!doctype html><title>Sign in</title>", "HTML"),
            ("\u{FEFF}<?xml version=\"1.0\"?><!-- -->\n<HTML>", "HTML"),
            ("<VAST version=\"3.0\"/>", "VAST"), ("<vmap:VMAP xmlns:vmap=\"urn:v\"/>", "VMAP"),
            ("<?xml version=\"1.0\"?><MPD/>", "a DASH manifest"),
            ("<Error><Code>1</Code></Error>", "a document 'Error'"), ("< 3", "markup"), ("<", "markup"),
        ])
    func aDocumentIsNamedByItsRoot(_ row: ProviderContractTests.Row, _ document: (text: String, noun: String)) throws {
        let problem = try #require(try Self.problem(row, document.text))
        #expect(problem.explanation == "is \(document.noun) instead of JSON" && problem.isOfAnotherKind)
    }

    /// UTF-16 has a mark, or a zero in each of its first characters; zeros elsewhere are those of a picture or an archive.
    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x7B, 0], "is UTF-16 instead of UTF-8"),
            ([0xFE, 0xFF, 0, 0x7B], "is UTF-16 instead of UTF-8"),
            ([0x7B, 0, 0x22, 0, 0xAC, 0x20], "is UTF-16 instead of UTF-8"),
            ([0, 0x3C, 0, 0x61], "is UTF-16 instead of UTF-8"), ([0x7B, 0], "is UTF-16 instead of UTF-8"),
            ([0x50, 0, 0x4B, 3], "is binary data instead of JSON: it has zero bytes (NUL)"),
            ([0, 0, 0, 0x1C, 0x66], "is binary data instead of JSON: it has zero bytes (NUL)"),
            ([0x1F, 0x8B, 8, 0, 0], "is binary data instead of JSON: it has zero bytes (NUL)"),
            ([0x7B, 0x22, 0, 0x22, 0x7D], "is not JSON: control character in a string at line 1, column 3"),
        ] as [([UInt8], String)])
    func zerosAreNotAlwaysUTF16(_ bytes: [UInt8], _ words: String) throws {
        let problem = #expect(throws: MetadataProblem.self) { _ = try MediaTailorProvider.saved(bytes) }
        #expect(problem?.explanation == words)
        #expect(problem?.isOfAnotherKind == words.hasPrefix("is binary"))
    }

    @Test(arguments: ProviderContractTests.rows)
    func anErrorInWordsIsOfAnotherKind(_ row: ProviderContractTests.Row) throws {
        #expect(try Self.problem(row, #"{"message":"expired"}"#)?.isOfAnotherKind == true)
    }

    /// Members of the service that cannot be used are findings of a document (TRK-4).
    @Test(arguments: [#"{"adBreaks":7}"#, #"{"dataRange":null}"#, #"{"dataRange":{"start":100,"end":90}}"#])
    func aDocumentOfHarmonicWithBadMembersIsOne(_ text: String) throws {
        let row = try #require(ProviderContractTests.rows.first { $0.type.name == "harmonic" })
        #expect(try Self.problem(row, text) == nil)
    }

    /// Some services write an empty list as one of another type: such a document may be usable the next time.
    @Test func listsOfAnotherTypeAreOfADocument() throws {
        let row = try #require(ProviderContractTests.rows.first { $0.type.name == "primetime" })
        let problem = try #require(try Self.problem(row, #"{"pods":{}}"#))
        #expect(!problem.isOfAnotherKind)
    }

    /// A service may have nothing to list before its first break, and what was damaged on its way may be whole the next time.
    @Test(arguments: ProviderContractTests.rows)
    func whatIsMissingOrDamagedIsNot(_ row: ProviderContractTests.Row) throws {
        let isJSON = row.type.contentType == "json"
        let others = isJSON ? ["{}", "[]", "null", "{\"a\":"] : ["<VAST version="]
        for text in ["", " \n", try row.samples.truncated] + others {
            #expect(try Self.problem(row, text)?.isOfAnotherKind != true, "\(text.prefix(80))")
        }
    }
}
