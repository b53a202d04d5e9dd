/// Conversion from and to text.
extension ExactDecimal: CustomStringConvertible {
    /// Most digits of one text that are parsed; a longer text is not an amount.
    private static let maximumDigits = 400

    /// Parses the whole text as a plain decimal: sign, digits, and optionally a point with digits. `1abc`, `.5`, `1.`,
    /// `1e3`, spaces and magnitudes of 10^18 and more give nil.
    package init?(_ text: some StringProtocol) {
        self.init(text, allowsExponent: false)
    }

    /// Parses a JSON number, exponents included.
    package init?(jsonNumber text: some StringProtocol) {
        self.init(text, allowsExponent: true)
    }

    /// The same for a part of a text.
    package init?(utf8 text: ArraySlice<UInt8>) {
        self.init(utf8: text, allowsExponent: false)
    }

    private init?(_ text: some StringProtocol, allowsExponent: Bool) {
        self.init(utf8: Array(text.utf8)[...], allowsExponent: allowsExponent)
    }

    private init?(utf8 text: ArraySlice<UInt8>, allowsExponent: Bool) {
        if let whole = Self.shortWhole(text) {
            self.init(exactly: whole)
            return
        }
        guard let parts = NumberParts(text, allowsExponent: allowsExponent), parts.digits.count <= Self.maximumDigits
        else { return nil }
        // The position of the decimal point among the digits.
        let (point, isOutOfRange) = parts.wholeCount.addingReportingOverflow(parts.exponent)
        guard !isOutOfRange else { return nil }
        var units: Int128 = 0
        let kept = point.addingSaturating(Self.decimals)
        for (place, digit) in parts.digits.enumerated() where place < kept {
            units = units * 10 + Int128(digit)
            guard units < Self.bound else { return nil }
        }
        var missing = kept - max(0, min(kept, parts.digits.count))
        while missing > 0, units != 0 {
            units *= 10
            missing -= 1
            guard units < Self.bound else { return nil }
        }
        if kept >= 0, kept < parts.digits.count, parts.digits[kept] >= 5 { units += 1 }
        self.init(checked: parts.isNegative ? -units : units)
    }

    /// The number of a text of digits alone, as most are; nil for longer ones too, whose number may be out of range.
    private static func shortWhole(_ text: ArraySlice<UInt8>) -> Int64? {
        guard (1...decimals).contains(text.count) else { return nil }
        var number: Int64 = 0
        for byte in text {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int64(byte - 0x30)
        }
        return number
    }

    /// Plain notation without exponent and trailing zeros: `2.5`, `-0.000001`, `10`.
    package var text: String {
        let (whole, fraction) = units.magnitude.quotientAndRemainder(dividingBy: Self.unit.magnitude)
        let sign = units < 0 ? "-" : ""
        guard fraction > 0 else { return "\(sign)\(whole)" }
        var (rest, places) = (UInt64(fraction), Self.decimals)
        while rest.isMultiple(of: 10) { (rest, places) = (rest / 10, places - 1) }
        let digits = String(rest)
        return "\(sign)\(whole).\(String(repeating: "0", count: places - digits.utf8.count))\(digits)"
    }

    /// Always with `count` decimals, 0 to 18, rounded half up: `2.50`.
    package func text(decimals count: Int) -> String {
        let count = min(max(0, count), Self.decimals)
        var text = rounded(toDecimals: count).text
        guard count > 0 else { return text }
        let point = text.utf8.firstIndex(of: UInt8(ascii: "."))
        let written = point.map { text.utf8.distance(from: $0, to: text.utf8.endIndex) - 1 } ?? 0
        if point == nil { text += "." }
        return text + String(repeating: "0", count: count - written)
    }

    package var description: String { text }
}

/// The digits of a number in text, without the point.
private struct NumberParts {
    var isNegative = false
    var digits: [UInt8] = []
    /// Number of digits before the point.
    var wholeCount = 0
    var exponent = 0

    init?(_ text: ArraySlice<UInt8>, allowsExponent: Bool) {
        var rest = text
        if rest.first == UInt8(ascii: "-") {
            isNegative = true
            rest = rest.dropFirst()
        }
        takeDigits(&rest)
        wholeCount = digits.count
        guard wholeCount > 0 else { return nil }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            takeDigits(&rest)
            guard digits.count > wholeCount else { return nil }
        }
        guard let mark = rest.first else { return }
        guard allowsExponent, mark | 0x20 == UInt8(ascii: "e"), takeExponent(rest.dropFirst()) else { return nil }
    }

    private mutating func takeDigits(_ rest: inout ArraySlice<UInt8>) {
        while let digit = rest.first, (0x30...0x39).contains(digit) {
            digits.append(digit - 0x30)
            rest = rest.dropFirst()
        }
    }

    private mutating func takeExponent(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        let isBelowZero = rest.first == UInt8(ascii: "-")
        if isBelowZero || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        guard !rest.isEmpty, rest.allSatisfy({ 0x30...0x39 ~= $0 }) else { return false }
        for digit in rest { exponent = exponent.multipliedSaturating(by: 10).addingSaturating(Int(digit - 0x30)) }
        if isBelowZero { exponent = -exponent }
        return true
    }
}
