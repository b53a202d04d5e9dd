import Foundation
import TestSupport
import Testing

@testable import adtop_conformance

/// Every vector of the shared folder as a case; the program runs the same vectors.
@Suite(.enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)))
struct VectorTests {
    /// Empty when the folder is absent; the counts below detect a folder that cannot be read.
    static let search: VectorSearch = {
        var search = VectorSearch()
        guard let url = ConformanceFolder.url else { return search }
        for folder in folders { try? search.add(url.appendingPathComponent(folder).path) }
        return search
    }()

    /// The folders that the program must pass. Others have schemas that it does not know yet.
    static let folders = ["hls", "vast", "bidding", "cache"]

    private static let exceptions = try? Exceptions(
        file: ConformanceFolder.projectRoot.appendingPathComponent(Exceptions.defaultFile).path)

    @Test(arguments: search.cases) func vector(_ vector: VectorCase) throws {
        let differences = vector.differences()
        if try #require(Self.exceptions).covers(vector.id) {
            #expect(!differences.isEmpty, "the exception is not needed any more")
        } else {
            #expect(differences.isEmpty, "\(differences.map(\.description).joined(separator: "\n"))")
        }
    }

    /// Every expected result, session and chain in these folders is run.
    @Test(arguments: folders) func everyFileIsRun(_ folder: String) throws {
        let root = try #require(ConformanceFolder.url).appendingPathComponent(folder).path
        let names = try FileManager.default.subpathsOfDirectory(atPath: root)
        let said = names.filter {
            $0.hasSuffix(".expected.json") || $0.hasSuffix("/meta.json") || $0.hasSuffix("/scenario.json")
        }
        let run = Set(Self.search.cases.map(\.file))
        #expect(said.filter { !run.contains("\(root)/\($0)") } == [])
        #expect(!said.isEmpty || ["cache", "bidding"].contains(folder))
        #expect(run.contains { $0.hasPrefix("\(root)/") })
        let left = Self.search.skipped.filter { $0.file.hasPrefix("\(root)/") }
        #expect(left == [VectorSearch.Skipped(file: "\(root)/README.md", reason: "documentation")])
    }

    /// Vectors in lists: their number equals the number of items in the documents.
    @Test func everyListedVectorIsRun() {
        let counts = Dictionary(grouping: Self.search.cases, by: \.kind).mapValues(\.count)
        #expect((counts["adtop-scte35/1"] ?? 0) >= 24)
        #expect((counts["vast-macros"] ?? 0) >= 47)
        #expect((counts["vast-tracking"] ?? 0) >= 12)
        #expect((counts["vast-media-selection"] ?? 0) >= 13)
        #expect((counts["vast-large-documents"] ?? 0) >= 3)
        #expect((counts["adtop/store-sequence/1"] ?? 0) >= 10)
        #expect((counts["adtop/quality-selection/1"] ?? 0) >= 22)
        #expect((counts["adtop/media-mapping/1"] ?? 0) >= 7)
        #expect((counts["adtop/zone-cache/1"] ?? 0) >= 7)
        // Each request is sent plain and over TLS.
        #expect((counts["adtop/loopback-http/1"] ?? 0) >= 80)
        #expect((counts["manifest"] ?? 0) >= 57 && counts["cross-check"] == 1 && counts["unusable"] == nil)
    }

    /// Warnings and errors beyond `lint` are allowed by the format, so a false alarm would pass; each one was judged.
    @Test func everyExtraFindingIsJudged() throws {
        let url = ConformanceFolder.projectRoot.appendingPathComponent("Tests/Golden/conformance/extra-findings.txt")
        let judged = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") }
        var reported: [String] = []
        for vector in Self.search.cases where vector.kind == "vast-document" {
            let file = URL(fileURLWithPath: vector.file)
            let folder = try VectorFolder(file.deletingLastPathComponent().path)
            let document = try folder.document(file.lastPathComponent)
            guard let rules = try DocumentVectors.extraFindings(document, in: folder), !rules.isEmpty else { continue }
            let name = file.lastPathComponent.dropLast(VectorFolder.expectedSuffix.count)
            reported.append(
                "\(file.deletingLastPathComponent().lastPathComponent)/\(name) \(rules.joined(separator: " "))")
        }
        #expect(reported.sorted() == judged.sorted())
    }
}
