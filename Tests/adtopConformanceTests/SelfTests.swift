import Foundation
import Ports
import TestSupport
import Testing

@testable import adtop_conformance

/// The runner is tested by its vectors: every leaf of ten expected results of each kind is changed, and each change must make
/// the run fail. What may change without notice is listed with its reason in `Tests/Golden/conformance/survivors.txt`.
@Suite(.enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)))
struct SelfTests {
    /// Expected results of each kind that are changed.
    private static let count = 10

    static let expectations: [(kind: String, expectation: ChangedVector.Expectation)] = [
        ("adtop-hls-golden/1", .document),
        ("adtop-hls-schedule/1", .document),
        ("adtop-hls-bench/1", .document),
        ("adtop-hls-sequence/1", .file("timeline.json")),
        ("adtop-scte35/1", .items(of: "vectors", ["expect", "error"])),
        ("vast-document", .document),
        ("vast-scenario", .members(["expected"])),
        ("vast-macros", .items(of: "vectors", ["expected"])),
        ("vast-tracking", .items(of: "vectors", ["expected", "optional"])),
        ("vast-media-selection", .items(of: "vectors", ["pick"])),
        ("vast-large-documents", .items(of: "documents", [], except: ["name", "count"])),
        ("manifest", .items(of: "files", [])),
        ("adtop/store-sequence/1", .items(of: "cases", ["expect", "finalKeys"])),
        ("adtop/quality-selection/1", .items(of: "cases", ["expect"])),
        ("adtop/media-mapping/1", .items(of: "cases", ["expect"])),
        ("adtop/zone-cache/1", .items(of: "cases", ["expect"])),
        ("adtop/loopback-http/1", .items(of: "cases", ["expect"])),
        ("adtop/ad-state/1", .items(of: "cases", ["expect"])),
        ("adtop/native-case/1", .items(of: "cases", ["expect"])),
        ("adtop/rewarded-case/1", .items(of: "cases", ["expect"])),
        ("adtop/auction-case/1", .items(of: "cases", ["expect"])),
        ("adtop/price-bucket/1", .items(of: "cases", ["expect", "prebidServerGo", "prebidJs"])),
        ("adtop/targeting-keys/1", .items(of: "cases", ["expect"])),
        ("adtop/pbs-case/1", .items(of: "cases", ["expect"])),
        ("adtop/macro/1", .items(of: "cases", ["expect"])),
        ("adtop/currency/1", .items(of: "cases", ["expect"])),
        ("adtop/keyword-match/1", .items(of: "cases", ["expect"])),
        ("adtop/amazon-adapter/1", .items(of: "cases", ["expect"])),
        ("adtop/request-build/1", .items(of: "cases", ["expectImp"])),
    ]

    /// Kinds without expected values: samples must be readable, and `cross-check` has the answers of other parsers.
    private static let samples: Set = [
        "cross-check", "adtop/lineitems/1", "sample-rates", "sample-openrtb-request", "sample-openrtb-response",
    ]

    @Test func everyKindIsTested() {
        #expect(Set(VectorTests.search.cases.map(\.kind)) == Set(Self.expectations.map(\.kind)).union(Self.samples))
    }

    @Test(arguments: expectations.map(\.kind)) func everyChangeIsNoticed(_ kind: String) throws {
        let expectation = try #require(Self.expectations.first { $0.kind == kind }).expectation
        var vectors: [ChangedVector] = []
        for file in Set(VectorTests.search.cases.filter { $0.kind == kind }.map(\.file)).sorted() {
            vectors += try ChangedVector.all(in: file, kind: kind, expectation)
        }
        // An earlier runner compared nothing in a document with a second outcome.
        let open = vectors.filter { $0.document.root.value["also_accept"] != nil }
        let chosen = ChangedVector.choice(of: vectors, count: Self.count) + open
        #expect(chosen.contains { !$0.leaves.isEmpty })
        var survivors: [String: String] = [:]
        for vector in chosen {
            #expect(vector.vector.differences().isEmpty)
            for leaf in try vector.survivors(expectation) {
                survivors[leaf.pattern] = "\(vector.vector.id) \(leaf.path)"
            }
        }
        let known = try Self.known(of: kind)
        let unknown = survivors.filter { !known.contains($0.key) }.map { "\($0.key) in \($0.value)" }
        #expect(unknown.sorted() == [], "changes that the run does not notice")
        #expect(known.subtracting(survivors.keys).sorted() == [], "changes that the run notices in the meantime")
    }

    /// The listed survivors of a kind: lines of `KIND PATH REASON`.
    static func known(of kind: String) throws -> Set<String> {
        let url = ConformanceFolder.projectRoot.appendingPathComponent("Tests/Golden/conformance/survivors.txt")
        var patterns: Set<String> = []
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ", maxSplits: 2)
            try #require(parts.count == 3, "a line is KIND PATH REASON: \(line)")
            if parts[0] == kind { patterns.insert(String(parts[1])) }
        }
        return patterns
    }
}
