import Ports

/// The id of a stored creative: 1 to 128 characters of `A-Za-z0-9._-`, starting with a letter or digit, so that it is
/// safe in a path and cannot leave its folder (CACHE-2).
package struct CreativeID: Sendable, Hashable {
    package static let maximumLength = 128

    package let text: String

    /// Nil for a text that is not a valid id.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let text = String(text)
        guard let first = text.utf8.first, Self.isAlphanumeric(first), text.utf8.allSatisfy(Self.isPlain)
        else { return nil }
        self.text = text
    }

    /// A new version 4 UUID in lower case (RFC 9562 5.4): 122 bits, unpredictable with the system's generator.
    package static func random(using generator: inout some RandomNumberGenerator) -> CreativeID {
        let high = generator.next() & ~(0xF << 12) | 4 << 12
        let low = generator.next() & (UInt64.max >> 2) | 1 << 63
        let digits = high.hexadecimal + low.hexadecimal
        return CreativeID(uuidDigits: digits)
    }

    /// `digits` are 32 hexadecimal digits.
    private init(uuidDigits digits: String) {
        var rest = digits[...]
        text = [8, 4, 4, 4, 12].map { length -> Substring in
            defer { rest = rest.dropFirst(length) }
            return rest.prefix(length)
        }.joined(separator: "-")
    }

    /// Whether a byte is allowed in an id or in any file name derived from input.
    package static func isPlain(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }
}
