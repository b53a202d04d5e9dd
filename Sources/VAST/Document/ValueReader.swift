import Ports

/// Parses the values of attributes and elements: lenient in form, but never guessing a value that was not written
/// (VAST-5). All functions return nil when the text has no such value.
enum ValueReader {
    /// `H+:MM:SS[.fraction]` with minutes and seconds below 60, or plain seconds; whole milliseconds, further digits
    /// are cut off.
    static func milliseconds(_ text: String) -> Int64? {
        let trimmed = trimmed(text)
        let parts = trimmed.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return secondsAndFraction(parts[0])
        case 3:
            guard let hours = digits(parts[0]), let minutes = digits(parts[1]), parts[1].count <= 2, minutes < 60,
                parts[2].prefix(while: { $0 != UInt8(ascii: ".") }).count <= 2,
                let rest = secondsAndFraction(parts[2]), rest < 60_000
            else { return nil }
            return sum(of: product(of: hours, 3_600_000), minutes * 60_000 + rest)
        default: return nil
        }
    }

    /// The form that VMAP allows: `hh:mm:ss[.mmm]` with two digits per field.
    static func strictMilliseconds(_ text: String) -> Int64? {
        let clock = text.utf8.prefix { $0 != UInt8(ascii: ".") }.split(
            separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard clock.count == 3, clock.allSatisfy({ $0.count == 2 }) else { return nil }
        return milliseconds(text)
    }

    /// A time in the above form, or `n%`.
    static func offset(_ text: String) -> TimeOffset? {
        let trimmed = trimmed(text)
        guard trimmed.last == UInt8(ascii: "%") else { return milliseconds(text).map(TimeOffset.milliseconds) }
        return percent(trimmed.dropLast()).map(TimeOffset.percent)
    }

    /// A percentage without its sign: digits and at most one point.
    static func percent(_ bytes: some Collection<UInt8>) -> Double? {
        guard let first = bytes.first, first.isDigit, bytes.count <= maximumNumberBytes,
            bytes.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(String(decoding: bytes, as: UTF8.self))
    }

    /// `true`, `false`, `1` or `0`, also capitalised, with white space around it (XML Schema 1.0 part 2, section 3.2.2).
    static func bool(_ text: String) -> Bool? {
        switch word(text) {
        case "true", "1", "TRUE", "True": true
        case "false", "0", "FALSE", "False": false
        default: nil
        }
    }

    /// A name, such as a MIME type, without the white space around it; nil when nothing else is there.
    static func word(_ text: String) -> String? {
        guard let first = text.utf8.first, let last = text.utf8.last, first.isXMLSpace || last.isXMLSpace else {
            return text.isEmpty ? nil : text
        }
        let word = trimmed(text)
        return word.isEmpty ? nil : String(Substring(word))
    }

    /// The leading decimal digits; nil without any, or when they do not fit an `Int`.
    static func integer(_ text: String) -> Int? {
        let digits = trimmed(text).prefix { $0.isDigit }
        guard !digits.isEmpty else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// Whether a text is a whole number and nothing else.
    static func isInteger(_ text: String) -> Bool {
        let trimmed = trimmed(text)
        return trimmed.allSatisfy(\.isDigit) && integer(text) != nil
    }

    /// The same with a sign, for values whose negative numbers are worth reporting.
    static func signedInteger(_ text: String) -> Int? {
        let digits = trimmed(text)
        guard digits.first == UInt8(ascii: "-") else { return integer(text) }
        return integer(String(Substring(digits.dropFirst()))).map { -$0 }
    }

    /// The number of a price; nil when the text is not a number, because prices may be encoded by agreement (VAST 4.3
    /// section 3.4.8).
    static func decimal(_ text: String) -> Double? {
        percent(trimmed(text))
    }

    /// Longest text that is parsed as a number.
    private static let maximumNumberBytes = 32

    private static func secondsAndFraction(_ bytes: Substring.UTF8View.SubSequence) -> Int64? {
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let seconds = parts.first.flatMap(digits), let whole = product(of: seconds, 1_000) else { return nil }
        guard parts.count == 2 else { return whole }
        guard !parts[1].isEmpty, parts[1].allSatisfy(\.isDigit) else { return nil }
        var fraction: Int64 = 0
        var weight: Int64 = 100
        for byte in parts[1].prefix(3) {
            fraction += Int64(byte - UInt8(ascii: "0")) * weight
            weight /= 10
        }
        return sum(of: whole, fraction)
    }

    private static func digits(_ bytes: Substring.UTF8View.SubSequence) -> Int64? {
        guard (1...maximumNumberBytes).contains(bytes.count), bytes.allSatisfy(\.isDigit) else { return nil }
        return Int64(String(decoding: bytes, as: UTF8.self))
    }

    /// Nil when it does not fit: the largest number would be a value that was not written.
    private static func product(of value: Int64, _ factor: Int64) -> Int64? {
        let (result, overflow) = value.multipliedReportingOverflow(by: factor)
        return overflow ? nil : result
    }

    private static func sum(of value: Int64?, _ other: Int64) -> Int64? {
        guard let (result, overflow) = value?.addingReportingOverflow(other), !overflow else { return nil }
        return result
    }

    private static func trimmed(_ text: String) -> Substring.UTF8View {
        var view = text[...].utf8
        while let byte = view.first, byte.isXMLSpace { view.removeFirst() }
        while let byte = view.last, byte.isXMLSpace { view.removeLast() }
        return view
    }
}

extension UInt8 {
    var isDigit: Bool { self >= 0x30 && self <= 0x39 }
}
