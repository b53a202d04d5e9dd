import Ports

/// The number types of attribute values (rfc8216bis-22 section 4.2), parsed from bytes without rounding: binary
/// fractions would drift over thousands of EXTINF values.
enum DecimalNumber {
    /// The largest integer accepted. The draft allows 2^64 − 1; this is beyond any real value, and sums of a few such
    /// values fit an `Int`.
    static let largestInteger = 1 << 61
    /// The largest number of seconds accepted: about 31 years.
    static let mostSeconds: Int64 = 1_000_000_000

    /// Parses a decimal-integer: digits only, at most `largestInteger`.
    static func integer(_ text: ByteView) -> Int? {
        guard !text.isEmpty else { return nil }
        var number = 0
        for byte in text.bytes {
            guard byte.isDigit, number <= largestInteger / 10 else { return nil }
            number = number &* 10 &+ Int(byte &- 0x30)
        }
        return number <= largestInteger ? number : nil
    }

    /// Why ``integer(_:)`` does not parse a text: the rule, and a clause. A number that the draft allows breaks only the limit of this
    /// reader.
    static func problem(of text: ByteView) -> (PlaylistRule, String) {
        guard !text.isEmpty, text.bytes.allSatisfy(\.isDigit) else {
            return (.numberInvalid, "is not a decimal integer")
        }
        guard UInt64(text.string) != nil else { return (.numberInvalid, "is larger than 2^64 - 1") }
        return (.limitReached, "is not read; the limit is \(largestInteger)")
    }

    /// Parses a decimal-floating-point without a sign and cuts off its fraction; at most `largestInteger`.
    static func wholePart(_ text: ByteView) -> Int? {
        let point = text.firstIndex(of: UInt8(ascii: ".")) ?? text.count
        guard text.dropFirst(point + 1).bytes.allSatisfy(\.isDigit) else { return nil }
        return integer(text.prefix(point))
    }

    /// Parses a decimal-floating-point number of seconds, with a sign when `signed`; exact to 18 fraction digits,
    /// further digits are cut off. Nil when it is not a number or exceeds `mostSeconds`.
    static func seconds(_ text: ByteView, signed: Bool = false) -> Duration? {
        let isNegative = signed && text[0] == UInt8(ascii: "-")
        var index = isNegative ? 1 : 0
        let first = index
        var whole: Int64 = 0
        while text[index].isDigit {
            whole = whole &* 10 &+ Int64(text[index] &- 0x30)
            guard whole <= mostSeconds else { return nil }
            index += 1
        }
        var digits = index - first
        var attoseconds: Int64 = 0
        if text[index] == UInt8(ascii: ".") {
            index += 1
            var place: Int64 = 100_000_000_000_000_000
            while text[index].isDigit {
                attoseconds &+= Int64(text[index] &- 0x30) &* place
                place /= 10
                index += 1
                digits += 1
            }
        }
        guard digits > 0, index == text.count else { return nil }
        let sign: Int64 = isNegative ? -1 : 1
        return Duration(secondsComponent: whole &* sign, attosecondsComponent: attoseconds &* sign)
    }

    /// Whether the text is a signed-decimal-floating-point, of any size.
    static func isDecimal(_ text: ByteView) -> Bool {
        var hasDigit = false
        var hasPoint = false
        for (index, byte) in text.bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "-") where index == 0: break
            case UInt8(ascii: ".") where !hasPoint: hasPoint = true
            case _ where byte.isDigit: hasDigit = true
            default: return false
            }
        }
        return hasDigit
    }

    /// Parses a decimal-floating-point that is not a time, e.g. a frame rate.
    static func floating(_ text: ByteView) -> Double? {
        guard isDecimal(text), text[0] != UInt8(ascii: "-"), text.count <= longestFloating else { return nil }
        return Double(text.string)
    }

    private static let longestFloating = 40

    /// Whether the text is a hexadecimal-sequence: 0x or 0X, then at least one digit; lower case is accepted.
    static func isHexadecimal(_ text: ByteView) -> Bool {
        guard text.count > 2, text[0] == 0x30, text[1] == UInt8(ascii: "x") || text[1] == UInt8(ascii: "X") else {
            return false
        }
        return text.dropFirst(2).bytes.allSatisfy(\.isHexDigit)
    }
}
