extension UnsignedInteger where Self: FixedWidthInteger {
    /// All digits to base 16 in lower case, with leading zeros: `0a` of the byte 10.
    package var hexadecimal: String { Self.padded(String(self, radix: 16)) }

    /// All digits to base 16 in upper case.
    package var upperHexadecimal: String { Self.padded(String(self, radix: 16, uppercase: true)) }

    private static func padded(_ digits: String) -> String {
        String(repeating: "0", count: bitWidth / 4 - digits.utf8.count) + digits
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit of ASCII in either case; nil of any other byte.
    package var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The byte that two hexadecimal digits write; nil if one of them is no such digit.
    package init?(hexDigits first: UInt8, _ second: UInt8) {
        guard let high = first.hexDigitValue, let low = second.hexDigitValue else { return nil }
        self = high << 4 | low
    }

    /// Whether this is an ASCII digit or a letter from A to F, in either case.
    package var isHexDigit: Bool { hexDigitValue != nil }
}

extension [UInt8] {
    /// The bytes that pairs of hexadecimal digits write; nil if there is another character, or a digit without a second one.
    package init?(hexadecimal text: some Collection<UInt8>) {
        self = []
        reserveCapacity(text.count / 2)
        var digits = text.makeIterator()
        while let first = digits.next() {
            guard let second = digits.next(), let byte = UInt8(hexDigits: first, second) else { return nil }
            append(byte)
        }
    }
}

extension Collection<UInt8> {
    /// Two digits for each byte, in lower case.
    package var hexadecimal: String { digits("0123456789abcdef") }

    /// Two digits for each byte, in upper case.
    package var upperHexadecimal: String { digits("0123456789ABCDEF") }

    private func digits(_ alphabet: String) -> String {
        let digits = Array(alphabet.utf8)
        let length = count * 2
        return String(unsafeUninitializedCapacity: length) { buffer in
            for (index, byte) in enumerated() {
                buffer[index * 2] = digits[Int(byte >> 4)]
                buffer[index * 2 + 1] = digits[Int(byte & 0xF)]
            }
            return length
        }
    }
}
