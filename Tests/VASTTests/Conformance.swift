import Foundation
import Ports
import TestSupport

/// The shared VAST vectors.
enum Conformance {
    static let folder = ConformanceFolder.url.flatMap { root -> URL? in
        let folder = root.appendingPathComponent("vast")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }

    static let isPresent = folder != nil
    static let absence = "the VAST vectors are absent: \(ConformanceFolder.absenceReason)"

    /// Every document that has an expected result beside it, as `folder/name.xml`.
    static let documents: [String] = {
        guard let folder, let files = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        let names = files.compactMap { $0 as? String }
        let all = Set(names)
        return names.filter { name in
            (name.hasSuffix(".xml") && all.contains(name.dropLast(4) + ".expected.json"))
                || all.contains(name + ".expected.json")
        }.sorted()
    }()

    static func bytes(_ name: String) throws -> [UInt8] {
        guard let folder else { return [] }
        return try Array(Data(contentsOf: folder.appendingPathComponent(name)))
    }

    static func json(_ name: String) throws -> JSONValue {
        try JSONReader.read(try bytes(name))
    }

    static func expectation(of name: String) throws -> JSONValue {
        try json(name.hasSuffix(".xml") ? name.dropLast(4) + ".expected.json" : name + ".expected.json")
    }
}

extension JSONValue {
    /// Where two values differ, as `path: theirs, ours`; numbers compare by value, members in any order.
    func differences(from other: JSONValue, at path: String = "") -> [String] {
        switch (self, other) {
        case (.object(let left), .object(let right)):
            let names = Set(left.members.map(\.name)).union(right.members.map(\.name))
            return names.sorted().flatMap { name -> [String] in
                guard let first = left[name] else { return ["\(path).\(name): missing, \(right[name]?.text() ?? "")"] }
                guard let second = right[name] else { return ["\(path).\(name): \(first.text()), missing"] }
                return first.differences(from: second, at: "\(path).\(name)")
            }
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return ["\(path): \(text()), \(other.text())"] }
            return zip(left, right).enumerated().flatMap { $1.0.differences(from: $1.1, at: "\(path)[\($0)]") }
        default:
            if let left = doubleValue, let right = other.doubleValue, abs(left - right) < 1e-9 { return [] }
            return self == other ? [] : ["\(path): \(text()), \(other.text())"]
        }
    }
}
