import CLibXML2

/// A document in which each CDATA section contains a single character instead of its text.
///
/// libxml2 reads the text of sections character by character, which takes half of its time on documents that are
/// two-thirds sections. That text needs no decoding, so it can be copied from the whole document. Offsets refer to the
/// whole document.
struct CompactMarkup {
    private var bytes: [UInt8] = []
    private var sections: [xml_reader_section] = []

    init(_ whole: UnsafeBufferPointer<UInt8>, without plain: [MarkupScan.Section]) {
        let removed = plain.reduce(0) { $0 + ($1.end - $1.start) - 1 }
        bytes.reserveCapacity(whole.count - removed)
        sections.reserveCapacity(plain.count)
        var taken = 0
        for section in plain {
            bytes.append(contentsOf: whole[taken..<section.start])
            let start = bytes.count
            bytes.append(Self.placeholder)
            sections.append(
                xml_reader_section(
                    start: Int32(start), end: Int32(start + 1 + Self.closing), text: Int32(section.start),
                    length: Int32(section.end - section.start)))
            taken = section.end
        }
        bytes.append(contentsOf: whole[taken...])
    }

    /// Calls `body` with the text for libxml2 and the sections in it; both are valid only during the call.
    func withMarkup<Result>(
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<xml_reader_section>) -> Result
    ) -> Result {
        bytes.withUnsafeBufferPointer { bytes in sections.withUnsafeBufferPointer { body(bytes, $0) } }
    }

    private static let placeholder = UInt8(ascii: "x")
    /// The length of `]]>`.
    private static let closing = 3
}
