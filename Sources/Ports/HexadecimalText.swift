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
    /// The byte as URLs have it (RFC 3986 section 2.1): `%0A`.
    package var percentEncoded: String { "%" + upperHexadecimal }
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
