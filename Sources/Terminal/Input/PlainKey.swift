import Screen

/// Keys that are one character: ASCII, control bytes, UTF-8.
enum PlainKey {
    /// The key at the start of `bytes`, which does not start with an escape.
    static func step(at bytes: ArraySlice<UInt8>) -> InputDecoder.Step {
        guard let first = bytes.first else { return .wait }
        if first < 0x20 || first == Byte.delete { return .event(.key(control(first)), 1) }
        if first < 0x80 { return .event(.key(KeyPress(.char(Unicode.Scalar(first)))), 1) }
        return multibyte(bytes, first)
    }

    /// Backspace may send DEL or BS; both mean it. LF is Ctrl-J and not Enter, so that a newline that slips past
    /// bracketed paste confirms nothing (TERM-15).
    private static func control(_ byte: UInt8) -> KeyPress {
        switch byte {
        case 0x00: KeyPress(.char(" "), .control)
        case 0x08, Byte.delete: KeyPress(.backspace)
        case 0x09: KeyPress(.tab)
        case 0x0D: KeyPress(.enter)
        case Byte.escape: KeyPress(.escape)
        case 0x01...0x1A: KeyPress(.char(Unicode.Scalar(byte | 0x60)), .control)
        default: KeyPress(.char(Unicode.Scalar(byte | 0x40)), .control)
        }
    }

    /// One scalar of UTF-8; a malformed one and C1 controls are dropped.
    private static func multibyte(_ bytes: ArraySlice<UInt8>, _ first: UInt8) -> InputDecoder.Step {
        let length: Int
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: return .event(nil, 1)
        }
        let continuation = bytes.dropFirst().prefix(length - 1).prefix { $0 & 0xC0 == 0x80 }
        if continuation.count < length - 1 {
            let isCut = continuation.endIndex == bytes.endIndex
            return isCut ? .wait : .event(nil, 1 + continuation.count)
        }
        guard let text = String(validating: bytes.prefix(length), as: UTF8.self),
            let scalar = text.unicodeScalars.first, scalar.value >= 0xA0
        else { return .event(nil, length) }
        return .event(.key(KeyPress(.char(scalar))), length)
    }
}
