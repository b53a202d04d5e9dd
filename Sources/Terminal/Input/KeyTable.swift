import Screen

/// The keys of xterm, VT220, rxvt, the Linux console and the kitty protocol by number and letter.
enum KeyTable {
    /// CSI with a final letter.
    static let letters: [UInt8: KeyPress] = [
        UInt8(ascii: "A"): KeyPress(.up), UInt8(ascii: "B"): KeyPress(.down),
        UInt8(ascii: "C"): KeyPress(.right), UInt8(ascii: "D"): KeyPress(.left),
        UInt8(ascii: "H"): KeyPress(.home), UInt8(ascii: "F"): KeyPress(.end),
        UInt8(ascii: "P"): KeyPress(.f(1)), UInt8(ascii: "Q"): KeyPress(.f(2)),
        UInt8(ascii: "R"): KeyPress(.f(3)), UInt8(ascii: "S"): KeyPress(.f(4)),
        UInt8(ascii: "Z"): KeyPress(.backTab),
        // rxvt: Shift with the arrows.
        UInt8(ascii: "a"): KeyPress(.up, .shift), UInt8(ascii: "b"): KeyPress(.down, .shift),
        UInt8(ascii: "c"): KeyPress(.right, .shift), UInt8(ascii: "d"): KeyPress(.left, .shift),
    ]

    /// CSI number ~.
    static let numbers: [Int: Key] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        11: .f(1), 12: .f(2), 13: .f(3), 14: .f(4), 15: .f(5), 17: .f(6), 18: .f(7), 19: .f(8), 20: .f(9), 21: .f(10),
        23: .f(11), 24: .f(12), 25: .f(13), 26: .f(14), 28: .f(15), 29: .f(16), 31: .f(17), 32: .f(18), 33: .f(19),
        34: .f(20),
    ]

    /// ESC O letter; the digits and signs are the keypad's.
    static let singleShift: [UInt8: KeyPress] = {
        var keys: [UInt8: KeyPress] = [
            UInt8(ascii: "A"): KeyPress(.up), UInt8(ascii: "B"): KeyPress(.down),
            UInt8(ascii: "C"): KeyPress(.right), UInt8(ascii: "D"): KeyPress(.left),
            UInt8(ascii: "H"): KeyPress(.home), UInt8(ascii: "F"): KeyPress(.end),
            UInt8(ascii: "P"): KeyPress(.f(1)), UInt8(ascii: "Q"): KeyPress(.f(2)),
            UInt8(ascii: "R"): KeyPress(.f(3)), UInt8(ascii: "S"): KeyPress(.f(4)),
            UInt8(ascii: "M"): KeyPress(.enter), UInt8(ascii: "I"): KeyPress(.tab),
            UInt8(ascii: "X"): KeyPress(.char("=")),
            // rxvt: Ctrl with the arrows.
            UInt8(ascii: "a"): KeyPress(.up, .control), UInt8(ascii: "b"): KeyPress(.down, .control),
            UInt8(ascii: "c"): KeyPress(.right, .control), UInt8(ascii: "d"): KeyPress(.left, .control),
        ]
        for (letter, sign) in zip(UInt8(ascii: "j")...UInt8(ascii: "y"), "*+,-./0123456789".unicodeScalars) {
            keys[letter] = KeyPress(.char(sign))
        }
        return keys
    }()

    /// A key by its Unicode scalar or by its number in the kitty protocol's private area; nil for lone modifiers, media
    /// keys and scalars that no key types.
    static func key(code: Int) -> Key? {
        switch code {
        case 8, 127: return .backspace
        case 9: return .tab
        case 13: return .enter
        case 27: return .escape
        case 57_376...57_398: return .f(code - 57_376 + 13)
        case 57_344...63_743: return keypad[code]
        default:
            guard let value = UInt32(exactly: code), let scalar = Unicode.Scalar(value) else { return nil }
            return value < 0x20 || (0x7F..<0xA0).contains(value) ? nil : .char(scalar)
        }
    }

    private static let keypad: [Int: Key] = {
        var keys: [Int: Key] = [
            57_414: .enter, 57_417: .left, 57_418: .right, 57_419: .up, 57_420: .down, 57_421: .pageUp,
            57_422: .pageDown,
            57_423: .home, 57_424: .end, 57_425: .insert, 57_426: .delete, 57_415: .char("="), 57_416: .char(","),
        ]
        for (offset, sign) in "0123456789./*-+".unicodeScalars.enumerated() { keys[57_399 + offset] = .char(sign) }
        return keys
    }()
}
