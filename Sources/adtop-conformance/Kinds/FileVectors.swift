import Crypto
import Ports
import VAST

/// Vectors that describe files instead of values.
enum FileVectors {
    /// A generator of large documents, with the counts of their content.
    static let generatedDocuments = VectorKind(name: "vast-large-documents") { document, folder in
        let root = document.root.value
        guard document.schema == nil, root["prefix"]?.stringValue != nil, root["item"]?.stringValue != nil,
            root["suffix"]?.stringValue != nil, root["documents"]?.arrayValue != nil
        else { return nil }
        return folder.claim(document, kind: "vast-large-documents", casesIn: "documents") {
            node throws(VectorProblem) in
            let count = try node.member("count").count()
            let ours = try folder.shared("\(document.file) \(count)") { () throws(VectorProblem) in
                facts(try generate(document.root, count: count))
            }
            guard let ours else { return [Difference(node.path, expected: "a VAST document", actual: nil)] }
            return try node.members().flatMap { name, member in
                ["name", "count"].contains(name)
                    ? [] : Difference.check(member.path, expected: member.value, actual: ours[name])
            }
        }
    }

    /// The counts of a document; nil when it is not VAST.
    private static func facts(_ bytes: [UInt8]) -> [String: JSONValue]? {
        guard let vast = VASTReader.read(bytes).vast else { return nil }
        let linears = vast.ads.flatMap(\.linears)
        return [
            "bytes": .optional(bytes.count), "sha256": .string(bytes.sha256),
            "ads": .optional(vast.ads.count),
            "impressions": .optional(vast.ads.map(\.impressions.count).reduce(0, +)),
            "tracking_urls": .optional(linears.map { $0.tracking.count + $0.progress.count }.reduce(0, +)),
            "media_files": .optional(linears.map(\.mediaFiles.count).reduce(0, +)),
        ]
    }

    /// Most items of a generated document; the longest document of the set has 434 ads.
    private static let maximumItems = 100_000

    private static func generate(_ root: VectorNode, count: Int) throws(VectorProblem) -> [UInt8] {
        guard (0...maximumItems).contains(count) else {
            throw VectorProblem(path: "\(root.path).documents", message: "too many items: \(count)")
        }
        // The text around the number.
        let pieces = try root.member("item").text().split(separator: "{n}", omittingEmptySubsequences: false)
            .map { Array($0.utf8) }
        var bytes = Array(try root.member("prefix").text().utf8)
        for index in 0..<count {
            let number = Array(String(100_001 + index).utf8)
            bytes += pieces.joined(separator: number)
        }
        return bytes + Array(try root.member("suffix").text().utf8)
    }

    /// The origin of files, with their sizes and hashes. It tests the files, not the code.
    static let manifest = VectorKind(name: "manifest") { document, folder in
        guard document.schema == nil, let files = document.root.value["files"]?.arrayValue, !files.isEmpty,
            files.allSatisfy({ $0["file"] != nil && $0["sha256"] != nil })
        else { return nil }
        return folder.claim(document, kind: "manifest", evidence: .files, casesIn: "files") {
            entry throws(VectorProblem) in
            let bytes = try folder.bytes(at: try entry.member("file").text())
            var differences: [Difference] = []
            if let size = entry.value["bytes"] {
                differences += Difference.check("\(entry.path).bytes", expected: size, actual: .optional(bytes.count))
            }
            return differences
                + Difference.check(
                    "\(entry.path).sha256", expected: entry.value["sha256"],
                    actual: .string(bytes.sha256))
        }
    }
}

extension [UInt8] {
    /// SHA-256 in lower-case hexadecimal, to check that a file of the set is the intended one.
    var sha256: String {
        Array(SHA256.hash(data: self)).hexadecimal
    }
}
