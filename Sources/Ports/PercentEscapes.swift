/// Escapes of URLs (RFC 3986 section 2.1).
extension UInt8 {
    /// The byte as URLs have it: `%0A`.
    package var percentEncoded: String { "%" + upperHexadecimal }

    /// Whether a URL may have this byte unescaped in each of its parts (section 2.3): letters, digits, `-`, `.`, `_`, `~`.
    package var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Whether a URL has this byte only as an escape: a space, a byte beyond ASCII, or a visible character that section 2 allows nowhere.
    /// Control characters are not among them: what has one is no URL.
    package var needsURLEscape: Bool {
        switch self {
        case 0x20, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"), 0x80...:
            true
        default: false
        }
    }
}

extension String {
    /// The text with an escape for each byte of its UTF-8 that `isPlain` does not allow.
    package func percentEncoded(except isPlain: (UInt8) -> Bool) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(utf8.count)
        for byte in utf8 {
            if isPlain(byte) { encoded.append(byte) } else { encoded += byte.percentEncoded.utf8 }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The text with each escape replaced by its byte; nil when an escape is malformed or the bytes are not UTF-8.
    package var percentDecoded: String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let first = rest.popFirst(), let second = rest.popFirst(), let byte = UInt8(hexDigits: first, second)
            else { return nil }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
