import Ports

/// Properties of a URL's bytes, determined in one pass because documents have thousands of URLs.
struct URLTraits {
    private(set) var hasLineBreak = false
    /// The first byte that has to be percent-encoded; nil when there is none.
    private(set) var unescaped: UInt8?
    /// Whether it contains `&amp;`.
    private(set) var hasEscapedAmpersand = false
    /// Whether it contains `%25` and two hexadecimal digits: an escape that was escaped again.
    private(set) var hasEscapedPercent = false
    /// Whether it contains `{{`, `${` or `%%`.
    private(set) var hasOtherDialect = false
    /// Whether it contains `[` or `%`, so that it may have macros.
    private(set) var mayHaveMacro = false

    init(_ url: String) {
        var url = url
        url.withUTF8 { bytes in
            for index in bytes.indices { look(at: bytes[index], index, in: bytes) }
        }
    }

    private mutating func look(at byte: UInt8, _ index: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        switch byte {
        case 0x0A, 0x0D, 0x09: hasLineBreak = true
        case UInt8(ascii: "{"):
            unescaped = unescaped ?? byte
            let isPaired = index > 0 && (bytes[index - 1] == byte || bytes[index - 1] == UInt8(ascii: "$"))
            if isPaired { hasOtherDialect = true }
        case 0x20, 0x7F..., UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            unescaped = unescaped ?? byte
        case UInt8(ascii: "["): mayHaveMacro = true
        case UInt8(ascii: "%"):
            mayHaveMacro = true
            if index > 0, bytes[index - 1] == byte { hasOtherDialect = true }
            if Self.isEscapedPercent(bytes, index) { hasEscapedPercent = true }
        case UInt8(ascii: ";"):
            if index >= 4, bytes[index - 1] == UInt8(ascii: "p"), bytes[index - 2] == UInt8(ascii: "m"),
                bytes[index - 3] == UInt8(ascii: "a"), bytes[index - 4] == UInt8(ascii: "&")
            {
                hasEscapedAmpersand = true
            }
        default: break
        }
    }

    private static func isEscapedPercent(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        guard index + 4 < bytes.count, bytes[index + 1] == UInt8(ascii: "2"), bytes[index + 2] == UInt8(ascii: "5")
        else { return false }
        return bytes[index + 3].isHexDigit && bytes[index + 4].isHexDigit
    }
}
