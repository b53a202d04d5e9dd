import AdTracking
import Foundation
import Ports
import TestSupport
import Testing

/// The live sequences of the shared conformance folder, in schema `adtop-hls-timeline/1`.
@Suite(.enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)))
struct SequenceConformanceTests {
    /// What the goldens round: tools before us cut digits below a millisecond.
    private static let tolerance: Int64 = 1

    private static let folders: [String] = {
        guard let url = ConformanceFolder.url?.appendingPathComponent("hls/sequences") else { return [] }
        return ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }()

    @Test func theFolderHasItsTenSequences() {
        #expect(Self.folders.count == 10)
    }

    @Test(arguments: folders)
    func sequence(_ name: String) throws {
        let folder = try #require(ConformanceFolder.url).appendingPathComponent("hls/sequences/\(name)")
        var files: [String: [UInt8]] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            files[file] = Array(try Data(contentsOf: folder.appendingPathComponent(file)))
        }
        let sequence = try PlaybackSequence(meta: JSONReader.read(try #require(files["meta.json"])), files: files)
        let expected = try JSONReader.read(try #require(files["timeline.json"]))
        let differences = Self.differences(SequenceReplay.timeline(of: sequence), expected, at: "")
        #expect(differences.isEmpty, "\(differences.prefix(20).joined(separator: "\n"))")
    }

    /// Where `actual` departs from `expected`, members in any order.
    private static func differences(_ actual: JSONValue, _ expected: JSONValue, at path: String) -> [String] {
        switch (actual, expected) {
        case (.object(let actual), .object(let expected)):
            let names = Set(actual.members.map(\.name) + expected.members.map(\.name)).sorted()
            return names.flatMap { name in
                guard let left = actual[name], let right = expected[name] else {
                    return ["\(path).\(name): \(actual[name] == nil ? "missing" : "not expected")"]
                }
                return differences(left, right, at: "\(path).\(name)")
            }
        case (.array(let actual), .array(let expected)):
            let count =
                actual.count == expected.count ? [] : ["\(path): \(actual.count) elements, expected \(expected.count)"]
            return count + zip(actual, expected).enumerated().flatMap { differences($1.0, $1.1, at: "\(path)[\($0)]") }
        default:
            if let left = actual.integerValue, let right = expected.integerValue, path.hasSuffix("_ms"),
                abs(left - right) <= tolerance
            {
                return []
            }
            let isSame = actual == expected || (actual.doubleValue != nil && actual.doubleValue == expected.doubleValue)
            return isSame ? [] : ["\(path): \(actual.text()), expected \(expected.text())"]
        }
    }
}
