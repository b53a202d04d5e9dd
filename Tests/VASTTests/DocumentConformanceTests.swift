import Ports
import Testing

@testable import VAST

/// Every document of the shared set reads as its expected result says.
@Suite(.enabled(if: Conformance.isPresent, "\(Conformance.absence)"))
struct DocumentConformanceTests {
    @Test(arguments: Conformance.documents)
    func readsAsExpected(name: String) throws {
        let expected = try Conformance.expectation(of: name)
        let reading = VASTReader.read(try Conformance.bytes(name))
        let ours = reading.json(findings: [])
        let outcomes = [expected["outcome"]?.stringValue, expected["also_accept"]?.stringValue]
            .compactMap { $0 == "rejected_or_ok" ? "rejected" : $0 }
        #expect(outcomes.contains(reading.outcome.rawValue))
        if expected["outcome"]?.stringValue != "rejected_or_ok" {
            #expect(ours["error_code"] == expected["error_code"])
        }
        for member in ["document", "lenient_document"] {
            guard let wanted = expected[member] else { continue }
            // A verdict repeated inside the document of two VAST 1.0 files is no part of the schema.
            var document = try #require(wanted.objectValue)
            document["outcome"] = nil
            document["error_code"] = nil
            let differences = JSONValue.object(document).differences(from: ours[member] ?? .null)
            #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
        }
    }

    @Test func largePodHasItsDigest() throws {
        let digest = try #require(try Conformance.expectation(of: "edge/pod-200.xml")["digest"])
        let document = try #require(VASTReader.read(try Conformance.bytes("edge/pod-200.xml")).vast)
        #expect(document.ads.count == digest["ads"]?.integerValue.map { Int($0) })
        #expect(document.ads.prefix(5).map(\.id) == digest["document_order_first5"]?.arrayValue?.map(\.stringValue))
        #expect(document.ads.map(\.impressions.count).reduce(0, +) == 200)
        let durations = document.ads.flatMap(\.linears).compactMap(\.durationMilliseconds)
        #expect(durations.reduce(0, +) == digest["total_duration_ms"]?.integerValue)
    }
}
