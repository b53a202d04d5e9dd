import Foundation
import Ports
import TestSupport
import Testing

@testable import adtop_conformance

/// The vectors of providers: those of a provider that is built pass, the others are counted and never silently passed.
@Suite(.enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)))
struct ProviderVectorTests {
    private static let search: VectorSearch = {
        var search = VectorSearch()
        // Without the folder the suite is skipped.
        try? search.add(ConformanceFolder.url?.appendingPathComponent("providers").path ?? "")
        return search
    }()

    @Test(arguments: search.cases) func vector(_ vector: VectorCase) {
        let differences = vector.differences()
        #expect(differences.isEmpty, "\(differences.map(\.description).joined(separator: "\n"))")
    }

    /// Each of the 93 cases is run or skipped with its reason.
    @Test func everyCaseIsRunOrSkipped() {
        let left = Self.search.skipped.filter { !$0.file.hasSuffix("README.md") }
        #expect(Self.search.cases.count + left.count == 93)
        #expect(Self.search.cases.count { $0.file.contains("/mediatailor-") } == 38)
        #expect(left.allSatisfy { $0.reason.hasSuffix("is not built yet") && $0.file.contains("#") })
        #expect(!left.contains { $0.reason.contains("mediatailor") })
    }

    /// A changed expectation is seen: the comparison of subsets hides nothing that is expected.
    @Test(arguments: ["start", "type", "urls", "offset", "method", "after", "reporting"]) func aChangeIsSeen(
        member: String
    ) throws {
        let url = try #require(ConformanceFolder.url).appendingPathComponent("providers")
        let folder = try VectorFolder(url.path)
        let document = try folder.document("mediatailor-session.json")
        let text = document.root.value.text()
        let parts = text.split(separator: "\"expected\":", omittingEmptySubsequences: false).map(String.init)
        let changed = parts.enumerated().map { index, part in
            index == 0
                ? part : part.replacing("\"\(member)\":", with: "\"\(member)\":{\"another\":1},\"\(member)-before\":")
        }.joined(separator: "\"expected\":")
        let other = VectorDocument(file: document.file, root: VectorNode(try JSONReader.read(changed)))
        let claim = try #require(VectorSearch.claim(on: other, in: folder))
        #expect(claim.cases.contains { !$0.differences().isEmpty })
    }
}
