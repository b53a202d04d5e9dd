import Ports

/// A JSON number as sign, digits and exponent, without loss: two numbers are equal if and only if these are.
struct ExactNumber: Hashable {
    /// Longest exponent in digits that is read; a longer one is another number in any case.
    private static let exponentDigits = 9

    private var isNegative: Bool
    /// Without zeros at the beginning and the end; empty for zero.
    private var digits: String
    /// Power of ten of the last digit.
    private var exponent: Int

    /// Nil when the value is not a number, or its exponent is out of range.
    init?(_ value: JSONValue) {
        guard value.typeName == "number" else { return nil }
        self.init(text: value.text())
    }

    private init?(text: String) {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        var power = 0
        if parts.count == 2 {
            guard parts[1].count <= Self.exponentDigits + 1, let written = Int(parts[1]) else { return nil }
            power = written
        }
        let mantissa = parts[0].drop { $0 == "-" }
        let halves = mantissa.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = halves.count == 2 ? halves[1] : ""
        var digits = String((halves[0] + fraction).drop { $0 == "0" })
        power -= fraction.count
        while digits.last == "0" {
            digits.removeLast()
            power += 1
        }
        isNegative = text.hasPrefix("-") && !digits.isEmpty
        self.digits = digits
        exponent = digits.isEmpty ? 0 : power
    }

    /// Whether two values are equal, numbers by their exact value.
    static func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        if left == right { return true }
        guard let left = ExactNumber(left), let right = ExactNumber(right) else { return false }
        return left == right
    }
}
