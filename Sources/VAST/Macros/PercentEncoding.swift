/// Percent-encoding of values in URLs, and of URLs that are not yet valid request targets.
package enum PercentEncoding {
    /// Encodes like JavaScript's encodeURIComponent, as VAST requires (VAST 4.3 section 6.1): letters, digits and `- _
    /// . ! ~ * ' ( )` are unchanged, everything else becomes upper-case `%XX` of its UTF-8.
    package static func component(_ text: String) -> String {
        encode(text) { $0.isLetterOrDigit || unreservedMarks.contains($0) }
    }

    /// The URL as a request target: line breaks with the blanks around them and tabs are removed, other blanks, non-ASCII and
    /// invalid characters are encoded, and existing escapes are kept (VAST-14). Line breaks come from CDATA sections split over
    /// lines, which may be indented (VAST 4.3 2.3.3).
    package static func requestTarget(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !stray.contains($0) }) { return text }
        var (kept, blanks) = ([UInt8](), [UInt8]())
        func keepBlanks() {
            let isSplit = blanks.contains { $0 == 0x0A || $0 == 0x0D }
            if !isSplit { kept += blanks.filter { $0 != 0x09 } }
            blanks = []
        }
        for byte in text.utf8 {
            if byte.isBlank {
                blanks.append(byte)
            } else {
                keepBlanks()
                kept.append(byte)
            }
        }
        keepBlanks()
        return encode(String(decoding: kept, as: UTF8.self)) { $0 > 0x20 && $0 < 0x7F && !stray.contains($0) }
    }

    private static let unreservedMarks = Array("-_.!~*'()".utf8)
    private static let stray = Array("\"<>\\^`{|}".utf8)

    private static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isKept(byte) {
                output.append(byte)
            } else {
                output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

    fileprivate var isLetterOrDigit: Bool {
        isDigit || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
    }
}
