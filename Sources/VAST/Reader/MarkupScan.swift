import CLibXML2

/// Facts from one scan over the `<` of a document, made before libxml2 parses it.
struct MarkupScan {
    /// A CDATA section, as offsets of its text.
    struct Section: Equatable {
        var start: Int
        var end: Int
    }

    /// Offset of the first start tag with more attributes than allowed, if any: libxml2's check for repeated names
    /// compares every pair, so a megabyte of attributes on one element would take it minutes.
    private(set) var floodOffset: Int?
    /// Sections that contain only plain text: no control characters but tabs (libxml2 counts lines, so it must see
    /// every line feed) and nothing that could be the end of a Unicode plane. In document order; empty when a
    /// declaration could change what is a section.
    private(set) var plainSections: [Section] = []
    /// Offset of a document type declaration with more declarations than a document needs: libxml2 compares every pair of names
    /// in a list of them, so 300 KB would take it seconds and a few megabytes an hour.
    private(set) var longDoctypeOffset: Int?
    /// Offset of the first declaration of an entity.
    private(set) var entityOffset: Int?
    /// The offset of a document type declaration with declarations inside, until the root element follows.
    private var openDoctype: Int?
    private let bytes: UnsafeBufferPointer<UInt8>

    /// Most bytes from such a declaration to the root element.
    static let longestDoctype = 16 << 10

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        scan()
    }

    /// The fewest bytes that so many attributes need: ` a=""` each.
    private static let leastBytes = 5 * XMLLimits.attributesPerElement
    /// Shorter sections take longer to remove than to parse.
    private static let leastSection = 16

    private mutating func scan() {
        var index = 0
        var hasDeclaration = false
        while floodOffset == nil, let open = next(UInt8(ascii: "<"), from: index) {
            guard open + 1 < bytes.count else { break }
            switch bytes[open + 1] {
            case UInt8(ascii: "!"):
                if starts("<![CDATA[", at: open) {
                    index = section(at: open + 9)
                } else if starts("<!--", at: open) {
                    index = end("-->", from: open + 4)
                    if isFaulty(open + 4..<index) { findFlood(in: open + 4..<index) }
                } else {
                    hasDeclaration = true
                    if entityOffset == nil, starts("<!ENTITY", at: open) { entityOffset = open }
                    let (end, hasDeclarations) = declaration(from: open + 2)
                    // A second one begins inside the first, whose declarations libxml2 has read by then.
                    if hasDeclarations, openDoctype == nil, starts("<!DOCTYPE", at: open) { openDoctype = open }
                    index = end
                    findFlood(in: open + 2..<index)
                }
            case UInt8(ascii: "?"):
                index = end("?>", from: open + 2)
                findFlood(in: open + 2..<index)
            case UInt8(ascii: "/"):
                index = open + 2
            default:
                if endsLongDoctype(at: open) { return }
                let (end, attributes) = tag(from: open + 1)
                if attributes > XMLLimits.attributesPerElement { floodOffset = open }
                index = end
            }
        }
        guard floodOffset == nil else { return }
        if hasDeclaration { plainSections = [] }
        _ = endsLongDoctype(at: bytes.count)
    }

    /// Records a document type declaration that is followed by the root element, or by nothing, and returns whether it is too long.
    private mutating func endsLongDoctype(at offset: Int) -> Bool {
        guard let start = openDoctype else { return false }
        openDoctype = nil
        guard offset - start > Self.longestDoctype else { return false }
        longDoctypeOffset = start
        return true
    }

    /// The end of a declaration, whose literals may contain markup, or the offset of the declarations inside it.
    private func declaration(from start: Int) -> (end: Int, hasDeclarations: Bool) {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): index = (next(byte, from: index) ?? bytes.count - 1) + 1
            case UInt8(ascii: "["): return (index, true)
            case UInt8(ascii: ">"): return (index, false)
            default: break
            }
        }
        return (bytes.count, false)
    }

    /// Looks for such a tag where none should be: libxml2 reads on behind a fault, and what follows it there is markup.
    private mutating func findFlood(in range: Range<Int>) {
        var index = range.lowerBound
        while floodOffset == nil, let open = next(UInt8(ascii: "<"), from: index), open < range.upperBound {
            index = open + 1
            if tag(from: index).attributes > XMLLimits.attributesPerElement { floodOffset = open }
        }
    }

    /// Whether there is a character that XML does not allow: a comment or a section ends there for libxml2.
    private func isFaulty(_ range: Range<Int>) -> Bool {
        range.contains { index in
            let byte = bytes[index]
            if byte < 0x20 { return byte != 0x09 && byte != 0x0A && byte != 0x0D }
            // U+FFFE and U+FFFF.
            return byte == 0xEF && index + 2 < bytes.count && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE
        }
    }

    /// Adds the section whose text starts at `start` and returns the offset after it.
    private mutating func section(at start: Int) -> Int {
        let end = end("]]>", from: start)
        let textEnd = end - 3
        guard textEnd - start >= Self.leastSection, starts("]]>", at: textEnd), isPlain(start..<textEnd) else {
            if isFaulty(start..<end) { findFlood(in: start..<end) }
            return end
        }
        plainSections.append(Section(start: start, end: textEnd))
        return end
    }

    private func isPlain(_ range: Range<Int>) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        var index = range.lowerBound
        while index < range.upperBound {
            if index + 8 <= range.upperBound {
                let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                // Tests for bytes below 0x20 and non-ASCII bytes: most sections pass, eight bytes at a time.
                if ((word &- 0x2020_2020_2020_2020) | word) & 0x8080_8080_8080_8080 == 0 {
                    index += 8
                    continue
                }
            }
            let byte = raw[index]
            guard byte >= 0x20 || byte == 0x09, byte != 0xEF else { return false }
            index += 1
        }
        return true
    }

    /// The next `<`, which no value contains, and the number of values before it; tags too short to exceed the limit are not counted.
    private func tag(from start: Int) -> (end: Int, attributes: Int) {
        let stop = next(UInt8(ascii: "<"), from: start) ?? bytes.count
        guard stop - start >= Self.leastBytes else { return (stop, 0) }
        var index = start
        var attributes = 0
        while index < stop, bytes[index] != UInt8(ascii: ">") {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                attributes += 1
                index = (next(byte, from: index) ?? stop) + 1
            }
        }
        return (stop, attributes)
    }

    private func next(_ byte: UInt8, from start: Int) -> Int? {
        let found = xml_reader_find(bytes.baseAddress, Int32(start), Int32(bytes.count), byte)
        return found < 0 ? nil : Int(found)
    }

    private func starts(_ text: StaticString, at index: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard index >= 0, index + length <= bytes.count else { return false }
        for offset in 0..<length where bytes[index + offset] != text.utf8Start[offset] { return false }
        return true
    }

    /// The offset after the next `text`, or the end of the document.
    private func end(_ text: StaticString, from start: Int) -> Int {
        let last = text.utf8Start[text.utf8CodeUnitCount - 1]
        var index = start + text.utf8CodeUnitCount - 1
        while let found = next(last, from: index) {
            index = found + 1
            if starts(text, at: index - text.utf8CodeUnitCount) { return index }
        }
        return bytes.count
    }
}
