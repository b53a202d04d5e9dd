import Ports
import Testing

@testable import VAST

@Suite struct XMLReaderTests {
    private func read(_ text: String) -> XMLReading { XMLReader.read(Array(text.utf8)) }

    @Test func placesAreLinesAndColumnsOfTags() throws {
        let tree = try #require(read("<a>\n  <b\n x='1'>é</b>\n  <c/></a>").tree)
        #expect(tree.position(1) == SourcePosition(line: 2, column: 3))
        #expect(tree.position(2) == SourcePosition(line: 4, column: 3))
        #expect(tree.rawXML(1) == "<b\n x='1'>é</b>")
        #expect(tree.rawXML(2) == "<c/>")
        #expect(tree.rawXML(0) == "<a>\n  <b\n x='1'>é</b>\n  <c/></a>")
        var paths = ElementPaths(tree)
        #expect(paths.path(of: 2) == "a/c")
    }

    @Test func placesCountLeadingLines() throws {
        let reading = read("\n\n <a><b/></a>")
        let tree = try #require(reading.tree)
        #expect(reading.hasLeadingSpace)
        #expect(tree.position(0) == SourcePosition(line: 3, column: 2))
        #expect(tree.position(1) == SourcePosition(line: 3, column: 5))
    }

    /// A carriage return ends a line with or without a line feed (XML 1.0 section 2.11).
    @Test(arguments: ["\n", "\r", "\r\n"], ["\n", "\r", "\r\n"])
    func everyLineEndCounts(_ first: String, _ second: String) throws {
        // The section is long enough to be taken out before libxml2 reads the text.
        let section = "<![CDATA[\(String(repeating: "x", count: 40))]]>"
        let reading = read("\(first) <a>\(second)\(first)<b>\(section)</b>\(second)  <c/>\(section)<d/></a>")
        let tree = try #require(reading.tree)
        // Two characters that are a pair end one line.
        let pair = second == "\r" && first == "\n" ? 1 : 2
        #expect(tree.position(0) == SourcePosition(line: 2, column: 2))
        #expect(tree.position(1) == SourcePosition(line: Int32(2 + pair), column: 1))
        #expect(tree.position(2) == SourcePosition(line: Int32(3 + pair), column: 3))
        #expect(tree.position(3).line == Int32(3 + pair))
        let problem = try #require(read("<a>\(first)<b>\(second)</a>").problem)
        #expect(problem.position.line == 3)
        let text = XMLReader.read(Array("<a>\(first)x\(second)yz\u{0}</a>".utf8))
        #expect(text.problem?.position == SourcePosition(line: 3, column: 3))
    }

    @Test func manyReturnsTakeNoMoreTimeThanOtherText() throws {
        let tree = try #require(read("<a>\(String(repeating: "\r", count: 1 << 20))<b/></a>").tree)
        #expect(tree.position(1) == SourcePosition(line: (1 << 20) + 1, column: 1))
    }

    @Test func pathsNumberTwins() throws {
        let tree = try #require(read("<a><b/><c/><b><d/></b></a>").tree)
        var paths = ElementPaths(tree)
        #expect(paths.path(of: 4) == "a/b[2]/d")
    }

    @Test func textIsJoinedAndTrimmed() throws {
        let tree = try #require(read("<a> x<!-- no --><![CDATA[<y>]]><?no?>&amp;&#233; </a>").tree)
        #expect(tree.text(0) == "x<y>&é")
    }

    /// libxml2 leaves only ampersands escaped in values.
    @Test(arguments: [
        ("a&amp;b", "a&b"), ("&#38;", "&"), ("&amp;amp;&amp;#38;", "&amp;&#38;"),
        ("&lt;&quot;&#x26;&apos;&gt;", "<\"&'>"),
        ("x\n\ty&#10;z", "x  y\nz"), ("&#38;&#38;", "&&"), ("plain", "plain"),
    ]) func attributesAreDecoded(written: String, value: String) throws {
        let tree = try #require(read("<a id=\"\(written)\"/>").tree)
        #expect(tree.value(.id, of: 0) == value)
    }

    @Test func problemsHaveAPlaceAndTheOpenElement() throws {
        let problem = try #require(read("<a>\n<b>\n</a>").problem)
        #expect(problem.kind == .notWellFormed)
        #expect(problem.position.line == 3)
        #expect(problem.message.contains("<b>"))
    }

    /// Predicates, so that they can follow "The document".
    @Test(
        arguments: [
            (Array("{}".utf8), "is not well-formed XML: Start tag expected, '<' not found"),
            (Array("<a>&b;</a>".utf8), "is not well-formed XML: Entity 'b' not defined (inside <a>)"),
            (Array("<a><![CDATA[".utf8), "is not well-formed XML: CDATA section not finished (inside <a>)"),
            (Array("<a><![CDATA[x\ny".utf8), "is not well-formed XML: CDATA section not finished (inside <a>)"),
            (Array("<a><!-- x\ny".utf8), "is not well-formed XML: Comment not terminated (inside <a>)"),
            (Array("<a>".utf8) + [0] + Array("</a>".utf8), "has the character U+0000, which XML does not allow"),
            ([0x3C, 0, 0x61, 0x3E], "has the character U+0000, which XML does not allow"),
            ([0, 0x3C, 0x61, 0x3E], "has the character U+0000, which XML does not allow"),
            ([0x3C, 0, 0x61, 0, 0, 0], "has the character U+0000, which XML does not allow"),
            (Array("<a>".utf8) + [0xC3, 0x28], "has a byte that is not UTF-8 text"),
            ([], "is empty"),
        ] as [([UInt8], String)])
    func problemsArePredicates(bytes: [UInt8], message: String) {
        #expect(XMLReader.read(bytes).problem?.message == message)
    }

    /// Whether a DTD, which is never loaded, might have declared it makes no difference, nor does whether it stands in a value.
    @Test(arguments: ["", "<!DOCTYPE a>", "<!DOCTYPE a SYSTEM 'a.dtd'>"], ["<a>&b;</a>", "<a><c id='x&b;y'/></a>"])
    func unknownEntitiesHaveOneWording(doctype: String, element: String) {
        let reading = read(doctype + element)
        #expect(reading.problem?.kind == .notWellFormed)
        #expect(reading.tree == nil)
        #expect(reading.problem?.message == "is not well-formed XML: Entity 'b' not defined (inside <a>)")
    }

    /// A long default would otherwise be copied for every element.
    @Test func defaultsOfADTDAreNoAttributes() throws {
        let reading = read("<!DOCTYPE a [<!ATTLIST b id CDATA 'default' width CDATA '1'>]><a><b/><b id='own'/></a>")
        let tree = try #require(reading.tree)
        #expect(reading.problem == nil && reading.hasDoctype)
        #expect(tree.value(.id, of: 1) == nil)
        #expect(tree.value(.id, of: 2) == "own")
        #expect(tree.value(.width, of: 2) == nil)
    }

    /// libxml2 compares every pair of them at every element: 2,000 took it 2 ms an element.
    @Test func declaredAttributesAreBounded() {
        func document(_ count: Int) -> String {
            let list = (0..<count).map { " b\($0) (x|y) 'x'" }.joined()
            return "<!DOCTYPE a [<!ATTLIST a\(list)>]><a/>"
        }
        #expect(read(document(16)).problem == nil)
        let problem = read(document(17)).problem
        #expect(problem?.kind == .limit(.attributes))
        #expect(problem?.message == "declares more than 16 attributes")
        #expect(read(document(20_000)).tree == nil)
    }

    /// Behind a fault, libxml2 would go on with them without a word, for minutes.
    @Test(arguments: ["<!-- -- --><!DOCTYPE a [LIST]>", "<!DOCTYPE a [<!-- -- -->LIST]>"])
    func declaredAttributesAreBoundedBehindAFault(text: String) {
        let list = "<!ATTLIST a" + (0..<1_000).map { " b\($0) CDATA ''" }.joined() + ">"
        let body = String(repeating: "<a/>", count: 500_000)
        #expect(read(text.replacing("LIST", with: list) + "<a>\(body)</a>").problem?.kind == .notWellFormed)
    }

    /// libxml2 compares every pair of names in a list: 40,000 took it more than 2 s.
    @Test(arguments: [
        "<!DOCTYPE a [<!ATTLIST b x NOTATION (LIST)>]><a/>", "<!DOCTYPE a [<!ATTLIST b x (LIST)>]><a/>",
        "<!DOCTYPE a SYSTEM '><c>' [<!NOTATION n SYSTEM \"><c>\"><!ATTLIST b x (LIST)>]><a/>",
        "<!DOCTYPE a [<!ELEMENT b (LIST)", "<!DOCTYPE a [<!ATTLIST b x (LIST)><!DOCTYPE a []><a/>",
    ])
    func aLongDoctypeIsRejected(text: String) {
        let names = (0..<40_000).map { "n\($0)" }.joined(separator: "|")
        let problem = read("\n" + text.replacing("LIST", with: names)).problem
        #expect(problem?.kind == .limit(.bytes))
        #expect(problem?.message == "has a document type declaration of more than 16384 bytes")
        #expect(problem?.position == SourcePosition(line: 2, column: 1))
    }

    @Test func aLongEntityIsAnEntity() {
        let value = String(repeating: "x", count: 40_000)
        let problem = read("<!DOCTYPE a [\n<!ENTITY e \"\(value)\">]><a>&e;</a>").problem
        #expect(problem?.kind == .entities && problem?.position == SourcePosition(line: 2, column: 1))
        #expect(problem?.message == "declares entities, which are never expanded")
    }

    /// Only declarations inside it count, and not what follows it.
    @Test func otherDoctypesAreRead() {
        let long = String(repeating: "x", count: 20_000)
        for doctype in [
            "<!DOCTYPE a SYSTEM '\(long)'>", "<!DOCTYPE a><!--\(long)-->", "<!DOCTYPE a [<!ELEMENT a ANY>]>",
        ] {
            let reading = read("\(doctype)<a><b>\(long)</b></a>")
            #expect(reading.problem == nil && reading.tree != nil && reading.hasDoctype)
        }
    }

    @Test func contentBehindTheRootKeepsTheTree() {
        let reading = read("<a/>x")
        #expect(reading.problem?.kind == .contentAfterRoot)
        #expect(reading.tree != nil)
    }

    @Test(arguments: ["", " \n\t", "\u{FEFF}", "\u{FEFF}  "])
    func nothingIsEmpty(text: String) {
        #expect(read(text).problem?.kind == .empty)
    }

    @Test func entitiesAreRefusedBeforeTheyExpand() {
        var text = "<!DOCTYPE a [<!ENTITY e0 \"xxxxxxxxxx\">"
        for level in 1..<12 {
            text += "<!ENTITY e\(level) \"" + String(repeating: "&e\(level - 1);", count: 10) + "\">"
        }
        let reading = read(text + "]><a>&e11;</a>")
        #expect(reading.problem?.kind == .entities)
        #expect(reading.tree == nil)
    }

    @Test func depthIsBounded() {
        func nested(_ levels: Int) -> String {
            String(repeating: "<a>", count: levels) + String(repeating: "</a>", count: levels)
        }
        #expect(read(nested(256)).problem == nil && read(nested(256)).tree?.count == 256)
        #expect(read(nested(257)).problem?.kind == .limit(.depth))
        #expect(read(String(repeating: "<a>", count: 10_000)).problem?.kind == .limit(.depth))
    }

    @Test func attributesAreBounded() {
        func element(_ count: Int) -> String { "<a" + (0..<count).map { " b\($0)='1'" }.joined() + "/>" }
        #expect(read(element(XMLLimits.attributesPerElement)).problem == nil)
        #expect(read(element(XMLLimits.attributesPerElement + 1)).problem?.kind == .limit(.attributes))
        // Without the check before parsing, these would be compared pair by pair.
        #expect(read(element(200_000)).problem?.kind == .limit(.attributes))
    }

    /// libxml2 reads on behind a fault, and takes for a tag what looks like the inside of something else.
    @Test(arguments: [
        "<!x \"FLOOD", "<? FLOOD", "<?t \u{1}FLOOD?>", "<!-- \u{FFFE}FLOOD-->", "<![CDATA[ \u{1}FLOOD]]>",
        "<b PAD x=\"FLOOD\"/>",
    ])
    func attributesAreBoundedBehindAFault(text: String) {
        let flood = "<a" + (0...XMLLimits.attributesPerElement).map { " a\($0)=''" }.joined() + "/>"
        let body = text.replacing("PAD", with: String(repeating: " ", count: 2_000)).replacing("FLOOD", with: flood)
        #expect(read("<r>\(body)</r>").problem?.kind == .limit(.attributes))
        #expect(read("<r><!--\(flood)--><![CDATA[\(flood)]]></r>").problem == nil)
    }

    @Test func namespacesInScopeAreBounded() {
        let declarations = (0..<100).map { " xmlns:p\($0)='urn:\($0)'" }.joined()
        let text = String(repeating: "<a\(declarations)>", count: 3) + String(repeating: "</a>", count: 3)
        #expect(read(text).problem?.kind == .limit(.namespaces))
    }

    @Test func tooManyBytesAreRefused() {
        let bytes = [UInt8](repeating: 0x20, count: Limits.vastBytes + 1)
        #expect(XMLReader.read(bytes).problem?.kind == .limit(.bytes))
    }

    @Test func nulAndBrokenBytesAreNoText() throws {
        let nul = XMLReader.read(Array("<a>\nx\u{0}</a>".utf8))
        #expect(nul.problem?.kind == .encoding)
        #expect(nul.problem?.position == SourcePosition(line: 2, column: 2))
        #expect(XMLReader.read(Array("<a>".utf8) + [0xC3, 0x28] + Array("</a>".utf8)).problem?.kind == .encoding)
        #expect(XMLReader.read(Array("<a>".utf8) + [0xED, 0xA0, 0x80] + Array("</a>".utf8)).problem?.kind == .encoding)
    }

    @Test func encodingsAreRead() throws {
        let text = "<?xml version='1.0' encoding='utf-16'?><a>é😀</a>"
        let units = Array(text.utf16)
        let little: [UInt8] =
            [0xFF, 0xFE] + units.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let big: [UInt8] = units.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        for bytes in [little, big, Array(text.utf8)] {
            let reading = XMLReader.read(bytes)
            #expect(try #require(reading.tree).text(0) == "é😀")
        }
        #expect(XMLReader.read(Array(text.utf8)).text.isMismatch)
        #expect(!XMLReader.read(little).text.isMismatch)
        let windows =
            Array("<?xml version='1.0' encoding='windows-1252'?><a>".utf8) + [0x80, 0xE9] + Array("</a>".utf8)
        #expect(try #require(XMLReader.read(windows).tree).text(0) == "€é")
    }

    @Test func floodsInsideSectionsAreNoFloods() {
        let markup = "<b" + (0..<400).map { " c\($0)=\"1\"" }.joined() + ">"
        #expect(read("<a><![CDATA[\(markup)]]><!--\(markup)--></a>").problem == nil)
    }
}
