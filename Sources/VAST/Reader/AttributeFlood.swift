import CLibXML2

/// Looks for a start tag with more attributes than allowed before libxml2 sees the text: its check for repeated names
/// compares every pair, so a megabyte of attributes on one element would keep it busy for minutes.
struct AttributeFlood {
    private let bytes: UnsafeBufferPointer<UInt8>

    /// The offset of the first such tag in `text`.
    static func firstOffset(in text: UnsafeBufferPointer<UInt8>) -> Int? {
        AttributeFlood(bytes: text).search()
    }

    /// The least room that many attributes take: ` a=""` each.
    private static let leastBytes = 5 * XMLLimits.attributesPerElement

    private func search() -> Int? {
        var index = 0
        while let open = next(UInt8(ascii: "<"), from: index) {
            guard open + 1 < bytes.count else { return nil }
            switch bytes[open + 1] {
            case UInt8(ascii: "!"):
                let isSection = starts("<![CDATA[", at: open)
                let isComment = starts("<!--", at: open)
                let close: StaticString = isSection ? "]]>" : isComment ? "-->" : ">"
                index = end(close, from: open + 2)
            case UInt8(ascii: "?"):
                index = end("?>", from: open + 2)
            case UInt8(ascii: "/"):
                index = open + 2
            default:
                let (end, attributes) = tag(from: open + 1)
                if attributes > XMLLimits.attributesPerElement { return open }
                index = end
            }
        }
        return nil
    }

    /// Where the tag ends and how many values it has; tags too short for a flood are not looked at.
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
        return (max(stop, min(index, bytes.count)), attributes)
    }

    private func next(_ byte: UInt8, from start: Int) -> Int? {
        let found = xml_reader_find(bytes.baseAddress, Int32(start), Int32(bytes.count), byte)
        return found < 0 ? nil : Int(found)
    }

    private func starts(_ text: StaticString, at index: Int) -> Bool {
        guard index >= 0, index + text.utf8CodeUnitCount <= bytes.count else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
    }

    /// The offset behind the next `text`, or the end of everything.
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
