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

    /// Every leaf of every expected result is changed, and each change must make the run fail, but for those that
    /// `survivors.txt` lists with their reason.
    @Test func everyChangeIsNoticed() throws {
        let kind = "adtop-provider-tracking/1"
        let expectation = ChangedVector.Expectation.items(of: "cases", ["expected"])
        var survivors: [String: String] = [:]
        var leaves = 0
        for file in Set(Self.search.cases.map(\.file)).sorted() {
            for vector in try ChangedVector.all(in: file, kind: kind, expectation) {
                #expect(vector.vector.differences().isEmpty && !vector.leaves.isEmpty, "\(vector.vector.id)")
                leaves += vector.leaves.count
                for leaf in try vector.survivors(expectation) {
                    survivors[leaf.pattern] = "\(vector.vector.id) \(leaf.path)"
                }
            }
        }
        #expect(leaves > 1_000)
        let known = try SelfTests.known(of: kind)
        let unknown = survivors.filter { !known.contains($0.key) }.map { "\($0.key) in \($0.value)" }
        #expect(unknown.sorted() == [], "changes that the run does not notice")
        #expect(known.subtracting(survivors.keys).sorted() == [], "changes that the run notices in the meantime")
    }
}
