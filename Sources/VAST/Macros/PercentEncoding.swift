import Ports

/// Percent-encoding of values in URLs, and of URLs that are not yet valid request targets.
package enum PercentEncoding {
    /// Encodes like JavaScript's encodeURIComponent, as VAST requires (VAST 4.3 section 6.1): letters, digits and `- _
    /// . ! ~ * ' ( )` are unchanged, everything else becomes upper-case `%XX` of its UTF-8.
    package static func component(_ text: String) -> String {
        text.percentEncoded { $0.isUnreserved || furtherMarks.contains($0) }
    }

    /// The URL as a request target: line breaks with the blanks around them and tabs are removed, other blanks, non-ASCII and
    /// invalid characters are encoded, and existing escapes are kept (VAST-14). Line breaks come from CDATA sections split over
    /// lines, which may be indented (VAST 4.3 2.3.3).
    package static func requestTarget(_ text: String) -> String {
        if text.utf8.allSatisfy(isOfTarget) { return text }
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
        return String(decoding: kept, as: UTF8.self).percentEncoded(except: isOfTarget)
    }

    /// What encodeURIComponent leaves unchanged beside the unreserved characters of RFC 3986.
    private static let furtherMarks = Array("!*'()".utf8)

    private static func isOfTarget(_ byte: UInt8) -> Bool { byte > 0x20 && byte != 0x7F && !byte.needsURLEscape }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
