import Ports
import Testing

@testable import VAST

/// The findings that the vectors name are reported, with a place.
@Suite(.enabled(if: Conformance.isPresent, "\(Conformance.absence)"))
struct LintConformanceTests {
    @Test(arguments: Conformance.documents)
    func reportsWhatTheVectorNames(name: String) throws {
        let wanted = try Conformance.expectation(of: name)["lint"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let findings = VASTReader.read(try Conformance.bytes(name)).findings()
        let missing = Set(wanted).subtracting(findings.map(\.rule))
        #expect(missing.isEmpty, "\(findings.map(\.rule))")
        #expect(findings.allSatisfy { LintRule(rawValue: $0.rule) != nil })
    }

    /// Documents valid by the published schemas have no errors.
    @Test(arguments: ["2.0", "4.2", "wrapper-4.2"])
    func schemaValidDocumentsHaveNoErrors(name: String) throws {
        let findings = VASTReader.read(try Conformance.bytes("edge/kitchen-sink-\(name).xml")).findings()
        let errors = findings.filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(errors.map { "\($0.rule): \($0.message)" })")
        #expect(!findings.contains { $0.rule == "unknown-element" || $0.rule == "unknown-attribute" })
    }
}
