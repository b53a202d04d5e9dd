import Foundation
import Ports
import TestSupport
import Testing

/// The shared conformance documents with hostile text behind every text in them, so that a new field cannot be forgotten.
@Suite(.enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)))
struct HostileDocumentTests {
    /// A verb and the documents that it reads.
    struct Kind: Sendable, CustomTestStringConvertible {
        var verb: String
        var folder: String
        var ending: String
        /// Whether documents are those in the members `body` of the file.
        var isWrapped = false

        var testDescription: String { "\(verb) \(folder)" }
    }

    static let kinds = [
        Kind(verb: "auction targeting", folder: "bidding/pbs", ending: ".json"),
        Kind(verb: "auction bid --replay", folder: "bidding/openrtb", ending: ".json"),
        Kind(verb: "lineitems check", folder: "bidding/lineitems", ending: ".json"),
        Kind(verb: "hls parse", folder: "hls/playlists", ending: ".m3u8"),
        Kind(verb: "vast parse", folder: "vast/v4.2", ending: ".xml"),
        Kind(verb: "vast lint --format github", folder: "vast/wild", ending: ".xml"),
        Kind(verb: "vast resolve --explain", folder: "vast/v4.1", ending: ".xml"),
        Kind(verb: "vmap parse", folder: "vast/vmap", ending: ".xml"),
        Kind(
            verb: "metadata parse --provider mediatailor", folder: "providers", ending: "mapping.json", isWrapped: true),
    ]

    @Test(arguments: kinds) func noTextOfADocumentIsPrintedAsItIs(_ kind: Kind) async throws {
        let folder = try TemporaryFolder()
        var files: [String] = []
        for (name, bytes) in ConformanceFolder.files(in: kind.folder).sorted(by: { $0.key < $1.key })
        where name.hasSuffix(kind.ending) {
            for (number, text) in try Self.documents(bytes, kind).enumerated() {
                files.append("\(number)-\(name)")
                try folder.write(text, to: files.last ?? name)
            }
        }
        #expect(!files.isEmpty)
        let verb = kind.verb.components(separatedBy: " ")
        var shown = 0
        for name in files {
            let run = try await AdtopProcess.run(verb + [folder.file(name)])
            let text = run.output + run.errors
            #expect(run.status != -1, "ended by a signal: \(name)")
            #expect(HostileText.firstOffender(in: text) == nil, "\(name): \(text)")
            shown += text.contains(HostileText.mark) ? 1 : 0
        }
        // Playlists without a name or a fault are shown as numbers.
        #expect(shown * 3 >= files.count, "\(shown) of \(files.count) show what they read")
    }

    private static func documents(_ bytes: [UInt8], _ kind: Kind) throws -> [String] {
        switch kind.ending {
        case ".xml": return [HostileWalk.xml(String(decoding: bytes, as: UTF8.self))]
        case ".m3u8": return [HostileWalk.playlist(String(decoding: bytes, as: UTF8.self))]
        default:
            let value = try JSONReader.read(bytes)
            let values = kind.isWrapped ? HostileWalk.members(named: "body", in: value) : [value]
            return values.map { HostileWalk.json($0).text() }
        }
    }

    /// The walk reaches each text.
    @Test func everyLeafIsFilled() {
        let value = HostileWalk.json(["a": "x", "b": ["y", 1, ["c": "z", "d": nil]]])
        let leaves = [value["a"], value["b"]?.arrayValue?[0], value["b"]?.arrayValue?[2]["c"]]
        #expect(leaves.map { $0?.stringValue } == ["x", "y", "z"].map { $0 + HostileText.raw })
        let mark = HostileText.mark + HostileText.others
        let xml = HostileWalk.xml("<a b=\"c\"><![CDATA[d]]>e</a>")
        #expect(xml == "<a b=\"c\(mark)\"><![CDATA[d\(mark)]]>e\(mark)</a>")
        #expect(
            HostileWalk.playlist("#EXTM3U\n#EXT-X-A:B=\"c\",D=2\nu.ts\n").filter { $0 == "\u{202E}" }.count == 2)
    }
}

/// Puts the hostile text behind every text of a document. What a format needs, such as its first line, stays.
enum HostileWalk {
    static func json(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(text + HostileText.raw)
        case .array(let values): .array(values.map(json))
        case .object(let object):
            .object(JSONObject(object.members.map { JSONObject.Member(name: $0.name, value: json($0.value)) }))
        case .null, .bool, .integer, .double, .number: value
        }
    }

    /// The objects of that name, wherever they are.
    static func members(named name: String, in value: JSONValue) -> [JSONValue] {
        switch value {
        case .object(let object):
            object.members.flatMap { member in
                member.name == name && member.value.objectValue != nil
                    ? [member.value] : members(named: name, in: member.value)
            }
        case .array(let values): values.flatMap { members(named: name, in: $0) }
        default: []
        }
    }

    /// XML 1.0 has no C0 controls.
    static func xml(_ text: String) -> String {
        let hostile = HostileText.mark + HostileText.others
        var result = "", rest = text[...]
        while let open = rest.firstIndex(of: "<") {
            let content = rest[..<open]
            result += content
            if content.contains(where: { !$0.isWhitespace }) { result += hostile }
            rest = rest[open...]
            let isData = rest.hasPrefix("<![CDATA[")
            guard let close = rest.firstRange(of: isData ? "]]>" : ">") else { break }
            let tag = rest[..<close.lowerBound]
            let isPlain = tag.hasPrefix("<?") || tag.hasPrefix("<!")
            // Namespaces and versions decide whether a document is read at all.
            let attributes = tag.replacing(/(\s(?!xmlns|version)[^\s="]+="[^"]*)"/) { $0.output.1 + hostile + "\"" }
            result += isData ? String(tag) + hostile : isPlain ? String(tag) : String(attributes)
            result += rest[close]
            rest = rest[close.upperBound...]
        }
        return result + rest
    }

    static func playlist(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            if line.isEmpty || line.hasPrefix("#EXTM3U") { return String(line) }
            if line.hasPrefix("#EXTINF:") || !line.hasPrefix("#") { return String(line) + HostileText.raw }
            return String(line).replacing(/="([^"]*)"/) { "=\"\($0.output.1)\(HostileText.raw)\"" }
        }
        return lines.joined(separator: "\n")
    }
}
