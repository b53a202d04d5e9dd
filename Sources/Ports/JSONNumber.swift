/// Lossless numbers: money in JSON is read and written as exact decimals.
extension JSONValue {
    /// Decimal digits that every double preserves (IEEE 754, DBL_DIG).
    private static let doubleDigits = 15

    /// Creates a value from a valid JSON number of `length` bytes that is not an Int64.
    init(fractionalNumber text: String, length: Int) {
        // Sign, point and exponent only lengthen a text, so a short text has few enough digits.
        guard length <= Self.doubleDigits || Self.significantDigits(text) <= Self.doubleDigits,
            let double = Double(text), double.isFinite, double.isNormal || Self.significantDigits(text) == 0
        else {
            self = .number(text)
            return
        }
        self = .double(double)
    }

    /// The same value as parsing the decimal's text.
    package init(_ decimal: ExactDecimal) {
        let text = decimal.text
        self = Int64(text).map(JSONValue.integer) ?? JSONValue(fractionalNumber: text, length: text.utf8.count)
    }

    /// The number exactly as written; nil when it is not a number, or its magnitude is 10^18 or more.
    package var decimalValue: ExactDecimal? {
        switch self {
        case .integer(let number): ExactDecimal(exactly: number)
        case .double(let number): ExactDecimal(jsonNumber: "\(number)")
        case .number(let text): ExactDecimal(jsonNumber: text)
        default: nil
        }
    }

    /// Money as files state it: a number, or a string with a decimal.
    package var moneyValue: ExactDecimal? {
        stringValue.map { ExactDecimal($0) } ?? decimalValue
    }

    /// Number of digits from the first to the last that is not zero, without the exponent.
    private static func significantDigits(_ text: String) -> Int {
        var count = 0
        var zeros = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "e"), UInt8(ascii: "E"): return count
            case UInt8(ascii: "0"): zeros += count > 0 ? 1 : 0
            case UInt8(ascii: "1")...UInt8(ascii: "9"):
                count += zeros + 1
                zeros = 0
            default: break
            }
        }
        return count
    }
}
