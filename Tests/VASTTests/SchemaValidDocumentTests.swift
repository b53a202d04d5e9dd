import Foundation
import Ports
import TestSupport
import Testing
import VAST

/// Documents of the shared set that are valid by the published schemas have no errors.
@Suite(.enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)))
struct SchemaValidDocumentTests {
    @Test(arguments: ["2.0", "4.2", "wrapper-4.2"])
    func haveNoErrors(name: String) throws {
        let folder = try #require(ConformanceFolder.url)
        let file = folder.appendingPathComponent("vast/edge/kitchen-sink-\(name).xml")
        let findings = VASTReader.read(Array(try Data(contentsOf: file))).findings()
        let errors = findings.filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(errors.map { "\($0.rule): \($0.message)" })")
        #expect(!findings.contains { $0.rule == "unknown-element" || $0.rule == "unknown-attribute" })
    }
}
