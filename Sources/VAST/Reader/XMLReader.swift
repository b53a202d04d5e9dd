import CLibXML2
import Ports

/// Why a text is not a well-formed XML document, or is rejected although it may be one.
package struct XMLProblem: Error, Hashable, Sendable {
    /// A limit of ``XMLLimits``.
    package enum Limit: String, Hashable, Sendable {
        case bytes, depth, elements, attributes, namespaces
    }

    package enum Kind: Hashable, Sendable {
        /// The input has no bytes, or only white space.
        case empty
        /// The bytes are not valid text in the stated encoding.
        case encoding
        case notWellFormed
        /// The root element is followed by something other than comments and white space.
        case contentAfterRoot
        /// The document type declaration declares entities, which are never expanded; the document is rejected
        /// (VAST-27).
        case entities
        case limit(Limit)
    }

    package var kind: Kind
    /// The problem as a predicate, such as "is empty".
    package var message: String
    package var position: SourcePosition
}

/// The result of reading bytes as XML.
package struct XMLReading: Sendable {
    /// Nil when the root element was not read to its end.
    package let tree: XMLTree?
    /// Why a strict reader rejects the document.
    package let problem: XMLProblem?
    /// The decoded text with its byte order mark, declaration and encoding.
    package let text: DecodedText
    /// Whether white space precedes the declaration or root.
    package let hasLeadingSpace: Bool
    package let hasDoctype: Bool
}

/// Reads XML through libxml2's SAX2 interface without any dangerous feature: no entities except the five predefined
/// ones and character references, no DTD, no file, no network, no recovery (VAST-27).
///
/// Foundation's XMLParser is not usable: on Linux it traps on some input and drops entities silently.
package enum XMLReader {
    /// - Parameter charset: encoding that the transport names.
    package static func read(_ input: [UInt8], charset: String? = nil) -> XMLReading {
        read(input, charset: charset, isCompacting: true)
    }

    /// Without compacting, libxml2 reads the text of CDATA sections itself, with the same result (tested).
    static func read(_ input: [UInt8], charset: String? = nil, isCompacting: Bool) -> XMLReading {
        guard input.count <= Limits.vastBytes else {
            let message = "has \(input.count) bytes, more than \(Limits.vastBytes)"
            return failed(.limit(.bytes), message, .start, DecodedText([]))
        }
        let text = DecodedText(input, charset: charset)
        let start = text.bytes.firstIndex { !$0.isXMLSpace } ?? text.bytes.count
        if let offset = text.invalidOffset {
            let message = invalidity(of: input[offset...], text.encoding)
            return failed(.encoding, message, position(behind: text.bytes), text)
        }
        guard start < text.bytes.count else {
            return failed(.empty, input.isEmpty ? "is empty" : "contains only white space", .start, text)
        }
        return parse(text, from: start, isCompacting: isCompacting)
    }

    /// What is wrong with text that begins with something invalid. U+0000 is a character of every encoding, which XML forbids
    /// (XML 1.0 section 2.2).
    private static func invalidity(of rest: ArraySlice<UInt8>, _ encoding: TextEncoding) -> String {
        let isWide = encoding == .utf16LittleEndian || encoding == .utf16BigEndian
        let isNull = rest.starts(with: isWide ? [0, 0] : [0])
        return isNull
            ? "has the character U+0000, which XML does not allow" : "has a byte that is not \(encoding.rawValue) text"
    }

    private static let isLibraryReady: Void = xmlInitParser()

    private static func parse(_ text: DecodedText, from start: Int, isCompacting: Bool) -> XMLReading {
        _ = isLibraryReady
        return text.bytes.withUnsafeBufferPointer { all in
            let bytes = UnsafeBufferPointer(rebasing: all[start...])
            let scan = MarkupScan(bytes)
            if let (offset, kind, message) = refusal(of: scan) {
                return failed(kind, message, position(behind: text.bytes[..<(start + offset)]), text)
            }
            return withUnsafeTemporaryAllocation(of: XMLTreeBuilder.self, capacity: 1) { builder in
                builder.initializeElement(at: 0, to: XMLTreeBuilder(expectedBytes: bytes.count))
                defer { builder.deinitialize() }
                var reader = xml_reader()
                (reader.bytes, reader.count) = characters(bytes)
                reader.has_bare_returns = hasBareReturn(bytes) ? 1 : 0
                guard isCompacting, !scan.plainSections.isEmpty else {
                    (reader.parsed, reader.parsed_count) = characters(bytes)
                    return run(&reader, at: start, of: text, with: builder)
                }
                return CompactMarkup(bytes, without: scan.plainSections).withMarkup { parsed, sections in
                    (reader.parsed, reader.parsed_count) = characters(parsed)
                    (reader.sections, reader.section_count) = (sections.baseAddress, Int32(sections.count))
                    return run(&reader, at: start, of: text, with: builder)
                }
            }
        }
    }

    /// What libxml2 would take too long for.
    private static func refusal(of scan: MarkupScan) -> (offset: Int, kind: XMLProblem.Kind, message: String)? {
        if let offset = scan.longDoctypeOffset {
            if let entity = scan.entityOffset { return (entity, .entities, entityMessage) }
            let message = "has a document type declaration of more than \(MarkupScan.longestDoctype) bytes"
            return (offset, .limit(.bytes), message)
        }
        return scan.floodOffset.map { ($0, .limit(.attributes), XMLProblem.Limit.attributes.clause) }
    }

    private static let entityMessage = "declares entities, which are never expanded"

    /// Whether some line ends in a carriage return alone.
    private static func hasBareReturn(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var start: Int32 = 0
        while true {
            let found = xml_reader_find(bytes.baseAddress, start, Int32(bytes.count), UInt8(ascii: "\r"))
            guard found >= 0 else { return false }
            let next = Int(found) + 1
            guard next < bytes.count, bytes[next] == UInt8(ascii: "\n") else { return true }
            start = found + 2
        }
    }

    private static func characters(_ bytes: UnsafeBufferPointer<UInt8>) -> (UnsafePointer<CChar>?, Int32) {
        (bytes.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }, Int32(bytes.count))
    }

    private static func run(
        _ reader: inout xml_reader, at start: Int, of text: DecodedText,
        with builder: UnsafeMutableBufferPointer<XMLTreeBuilder>
    ) -> XMLReading {
        reader.owner = UnsafeMutableRawPointer(builder.baseAddress)
        let before = position(behind: text.bytes[..<start])
        (reader.line, reader.line_start) = (before.line, 1 - before.column)
        setHandlers(of: &reader)
        let didStart = xml_reader_parse(&reader) != 0
        let problem = didStart ? problem(of: &reader, builder[0]) : XMLProblem.outOfMemory
        let isWhole = builder[0].isComplete && reader.refusal == Int32(XML_READER_NOT_REFUSED.rawValue)
        // Offsets count from the first byte passed to libxml2.
        let source = start == 0 ? text.bytes : Array(text.bytes[start...])
        return XMLReading(
            tree: isWhole ? builder[0].tree(source: source) : nil, problem: problem, text: text,
            hasLeadingSpace: start > 0, hasDoctype: reader.doctype != 0)
    }

    private static func setHandlers(of reader: inout xml_reader) {
        reader.start = { owner, name, prefix, uri, declarations, _, count, list, position in
            guard let owner, let name else { return 1 }
            let attributes = UnsafeBufferPointer(start: list, count: Int(max(0, count)))
            let isFine = owner.assumingMemoryBound(to: XMLTreeBuilder.self).pointee.start(
                name: name, prefix: prefix, uri: uri, declarations: declarations, attributes: attributes,
                position: position)
            return isFine ? 0 : 1
        }
        reader.end = { owner, offset in
            owner?.assumingMemoryBound(to: XMLTreeBuilder.self).pointee.end(at: offset)
        }
        reader.text = { owner, text, length, isCDATA in
            guard let owner, let text, length >= 0 else { return }
            owner.assumingMemoryBound(to: XMLTreeBuilder.self).pointee.append(
                text: UnsafeBufferPointer(start: text, count: Int(length)), isCDATA: isCDATA != 0)
        }
    }

    private static func problem(of reader: inout xml_reader, _ builder: XMLTreeBuilder) -> XMLProblem? {
        let position = SourcePosition(line: max(1, reader.error_line), column: max(1, reader.error_column))
        switch UInt32(bitPattern: reader.refusal) {
        case XML_READER_ENTITY_DECLARED.rawValue:
            return XMLProblem(kind: .entities, message: entityMessage, position: position)
        case XML_READER_ATTRIBUTES_DECLARED.rawValue:
            let message = "declares more than \(xml_reader_most_declared_attributes) attributes"
            return XMLProblem(kind: .limit(.attributes), message: message, position: position)
        case XML_READER_LIMIT.rawValue:
            let limit = builder.limit ?? .elements
            return XMLProblem(kind: .limit(limit), message: limit.clause, position: position)
        default:
            break
        }
        guard reader.error != 0 else { return nil }
        let isTail = reader.error == Int32(XML_ERR_DOCUMENT_END.rawValue) && builder.isComplete
        var message = "is not well-formed XML: \(message(of: &reader))"
        if let name = builder.innermostOpenName { message += " (inside <\(name)>)" }
        return XMLProblem(kind: isTail ? .contentAfterRoot : .notWellFormed, message: message, position: position)
    }

    private static func message(of reader: inout xml_reader) -> String {
        // libxml2 has no words for a section with nothing to quote ("Unregistered error message").
        if reader.error == Int32(XML_ERR_CDATA_NOT_FINISHED.rawValue) { return "CDATA section not finished" }
        return withUnsafeBytes(of: &reader.error_message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    private static func failed(
        _ kind: XMLProblem.Kind, _ message: String, _ position: SourcePosition, _ text: DecodedText
    ) -> XMLReading {
        XMLReading(
            tree: nil, problem: XMLProblem(kind: kind, message: message, position: position), text: text,
            hasLeadingSpace: false, hasDoctype: false)
    }

    /// The position after the given text. A line ends in a line feed, a carriage return, or both (XML 1.0 section 2.11).
    private static func position(behind text: some Collection<UInt8>) -> SourcePosition {
        var (line, column, previous) = (1, 1, UInt8(0))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if byte == UInt8(ascii: "\r") || previous != UInt8(ascii: "\r") { line += 1 }
                column = 1
            default: column += 1
            }
            previous = byte
        }
        return SourcePosition(line: Int32(clamping: line), column: Int32(clamping: column))
    }
}

extension XMLProblem {
    fileprivate static let outOfMemory = XMLProblem(
        kind: .notWellFormed, message: "cannot be read: not enough memory for a parser", position: .start)
}

extension XMLProblem.Limit {
    /// The limit as a predicate for messages.
    package var clause: String {
        switch self {
        case .bytes: "has more than \(Limits.vastBytes) bytes"
        case .depth: "has elements more than \(XMLLimits.depth) deep"
        case .elements: "has more than \(XMLLimits.elements) elements"
        case .attributes: "has an element with more than \(XMLLimits.attributesPerElement) attributes"
        case .namespaces: "has more than \(XMLLimits.namespacesInScope) namespaces in scope"
        }
    }
}
