import Foundation
import Ports
import TestSupport
import Testing

@testable import VAST

@Suite struct MarkupScanTests {
    private func sections(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        let found = bytes.withUnsafeBufferPointer { MarkupScan($0).plainSections }
        return found.map { String(decoding: bytes[$0.start..<$0.end], as: UTF8.self) }
    }

    private static let long = "https://t.example.test/[X]?a>b]]"

    @Test func findsSectionsOfSomeLength() {
        #expect(
            sections("<a><![CDATA[\(Self.long)]]><b/><![CDATA[short]]><![CDATA[\(Self.long)]]></a>") == [
                Self.long, Self.long,
            ])
    }

    @Test(arguments: [
        "<a><!-- <![CDATA[\(long)]]> --></a>", "<a><?x <![CDATA[\(long)]]> ?></a>", "<a><![CDATA[\(long)",
        "<a><![CDATA[\(long)]]", "<!DOCTYPE a [<!-- > <![CDATA[\(long)]]> -->]><a/>",
    ])
    func leavesWhatIsOrMayBeNoSection(text: String) {
        #expect(sections(text) == [])
    }

    @Test(arguments: ["\n", "\r", "\u{1}", "\u{0}", "\u{FFFF}", "\u{FB01}"])
    func leavesSectionsWithMoreThanPlainText(character: String) {
        #expect(sections("<a><![CDATA[\(Self.long)\(character)]]></a>") == [])
    }

    @Test func tabsAndOtherScriptsArePlain() {
        let text = "\t\(Self.long) é😀\t"
        #expect(sections("<a><![CDATA[\(text)]]></a>") == [text])
    }

    // MARK: The result is the same

    private struct Seen: Equatable {
        var name: String
        var position: SourcePosition
        var text: String
        var raw: String
        var flags: UInt8
    }

    private func seen(_ reading: XMLReading) -> [Seen] {
        guard let tree = reading.tree else { return [] }
        return tree.nodes.indices.map { index in
            let node = XMLTree.Index(index)
            return Seen(
                name: tree.name(node), position: tree.position(node), text: tree.text(node), raw: tree.rawXML(node),
                flags: tree.nodes[index].flags.rawValue)
        }
    }

    private func compare(_ bytes: [UInt8], _ note: String) {
        let (compact, whole) = (XMLReader.read(bytes), XMLReader.read(bytes, isCompacting: false))
        #expect(seen(compact) == seen(whole), "\(note)")
        #expect(compact.problem == whole.problem, "\(note)")
    }

    @Test func positionsBehindSectionsAreThoseOfTheWhole() throws {
        let text = "<a>\n<![CDATA[\(Self.long)\n\n]]><b/>\n<![CDATA[\(Self.long)]]> <c x='1'/></a>"
        let tree = try #require(XMLReader.read(Array(text.utf8)).tree)
        #expect(tree.position(1) == SourcePosition(line: 4, column: 4))
        #expect(tree.position(2) == SourcePosition(line: 5, column: 46))
        #expect(tree.rawXML(0) == text)
        compare(Array(text.utf8), "nested")
    }

    @Test(arguments: [
        "<a><![CDATA[\(long)]]>", "<![CDATA[\(long)]]><a/>", "<a/><![CDATA[\(long)]]>", "<a b='<![CDATA[\(long)]]>'/>",
        "<a>x ]]> <![CDATA[\(long)]]></a>", "<a><![CDATA[\(long)]]></b>", "<a>&nbsp;<![CDATA[\(long)]]></a>",
        "<a><![CDATA[\(long)]]><![CDATA[\(long)]]>\(long)</a>", "<a><!-- -- --><![CDATA[\(long)]]></a>",
    ])
    func oddDocumentsReadTheSame(text: String) {
        compare(Array(text.utf8), text)
    }

    @Test func mutatedDocumentsReadTheSame() {
        let seed: UInt64 = 0xCDA7_A5EE
        var random = SplitMix64(seed: seed)
        let pieces = [
            "<a>", "</a>", "<b x='1'>", "</b>", "<![CDATA[\(Self.long)]]>", "<![CDATA[", "]]>", "<!--", "-->", "<?p ",
            "?>",
            "text", "\n", "\r\n", "&amp;", "<", ">", "é", "<c/>", "<![CDATA[\n\(Self.long)\r]]>",
        ]
        for round in 0..<3_000 {
            let count = Int.random(in: 1...14, using: &random)
            let body = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
            compare(Array("<r>\(body)</r>".utf8), "seed \(seed) round \(round): \(body)")
        }
    }

    @Test(.enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)))
    func sharedDocumentsReadTheSame() throws {
        for file in SharedVASTFiles.ending(with: ".xml") {
            compare(Array(try Data(contentsOf: file)), file.lastPathComponent)
        }
    }
}
