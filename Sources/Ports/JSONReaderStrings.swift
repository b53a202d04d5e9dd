/// The strings of a JSON text.
extension JSONReader {
    /// Strings without escapes, which are nearly all, are copied in one piece.
    mutating func string() throws(JSONProblem) -> String {
        position += 1
        let start = position
        skipPlain()
        switch peek {
        case UInt8(ascii: "\""):
            position += 1
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position - 1]), as: UTF8.self)
        case UInt8(ascii: "\\"): return try escapedString(from: start)
        case nil: throw problem("unterminated string")
        default: throw problem("control character in a string")
        }
    }

    /// Goes on to the next quote, backslash or control character, or to the end.
    private mutating func skipPlain() {
        if let base = UnsafeRawPointer(bytes.baseAddress) {
            while position &+ 8 <= bytes.count {
                let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                let marks = Self.marks(in: word)
                guard marks == 0 else {
                    position &+= marks.trailingZeroBitCount / 8
                    return
                }
                position &+= 8
            }
        }
        while let byte = peek, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
    }

    /// The high bit of each byte that ends the plain part of a string. A borrow may wrongly mark bytes above the first marked one,
    /// so only the first is used.
    private static func marks(in word: UInt64) -> UInt64 {
        word.marks(below: 0x20) | word.marks(of: UInt8(ascii: "\"")) | word.marks(of: UInt8(ascii: "\\"))
    }

    private mutating func escapedString(from start: Int) throws(JSONProblem) -> String {
        var buffer = Array(bytes[start..<position])
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: buffer, as: UTF8.self)
            case UInt8(ascii: "\\"): try appendEscape(to: &buffer)
            case 0..<0x20: throw problem("control character in a string")
            default: buffer.append(byte)
            }
        }
        throw problem("unterminated string")
    }

    private mutating func appendEscape(to buffer: inout [UInt8]) throws(JSONProblem) {
        guard let byte = peek else { throw problem("unterminated string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(byte)
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0C)
        case UInt8(ascii: "n"): buffer.append(0x0A)
        case UInt8(ascii: "r"): buffer.append(0x0D)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"): buffer.append(contentsOf: Array(String(try unicodeEscape()).utf8))
        default: throw problem("unknown escape")
        }
    }

    private mutating func unicodeEscape() throws(JSONProblem) -> Unicode.Scalar {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        let unit = try hexUnit()
        guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) ?? replacement }
        let afterHigh = position
        guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            position = afterHigh
            return replacement
        }
        let low = try hexUnit()
        guard (0xDC00..<0xE000).contains(low) else {
            position = afterHigh
            return replacement
        }
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? replacement
    }

    private mutating func hexUnit() throws(JSONProblem) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek?.hexDigitValue else {
                throw problem("expected four hexadecimal digits after \\u")
            }
            position += 1
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
