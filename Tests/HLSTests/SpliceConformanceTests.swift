import Foundation
import Ports
import TestSupport
import Testing

@testable import HLS

/// The SCTE-35 messages of the shared vectors.
@Suite(.enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)))
struct SpliceConformanceTests {
    struct Vector: CustomTestStringConvertible, Sendable {
        var name: String
        var input: String
        var expected: JSONValue?
        var error: String?
        var testDescription: String { name }
    }

    static let vectors: [Vector] = {
        guard let file = ConformanceFolder.url?.appendingPathComponent("hls/scte35/vectors.json"),
            let data = try? Data(contentsOf: file), let document = try? JSONReader.read(Array(data))
        else { return [] }
        return (document["vectors"]?.arrayValue ?? []).map { vector in
            Vector(
                name: vector["name"]?.stringValue ?? "", input: vector["input"]?.stringValue ?? "",
                expected: vector["expect"]?.objectValue.map(JSONValue.object), error: vector["error"]?.stringValue)
        }
    }()

    @Test func thereAre24() {
        #expect(Self.vectors.count == 24)
    }

    @Test(arguments: vectors) func decodes(_ vector: Vector) {
        do throws(SpliceInfoProblem) {
            let info = try SpliceTransport.decode(vector.input)
            let differences = vector.expected.map { JSONDifference.list($0, info.json) } ?? ["must fail"]
            #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
        } catch {
            #expect(error.kind.rawValue == vector.error)
        }
    }
}
