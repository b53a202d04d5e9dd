package import Ports

/// Times and lengths as answers of providers list them: exact decimal seconds, so that sums and differences do not round
/// (PRV-1, PRV-2).
package enum ListedTime {
    /// Largest number of seconds that is read, about 3,000 years; sums of such numbers stay in the range of ``ExactDecimal``.
    static let largest = ExactDecimal(exactly: 100_000_000_000) ?? .one
    /// Longest text that is read as a time.
    private static let longestText = 64

    /// Seconds from a number, a numeric text, an ISO 8601 duration or `HH:MM:SS.fff`; nil for all else, and for negative values.
    package static func seconds(_ value: JSONValue?) -> ExactDecimal? {
        guard let value else { return nil }
        if let text = value.stringValue { return seconds(text: text) }
        return value.decimalValue.flatMap(inRange)
    }

    /// The same for a text.
    package static func seconds(text: String) -> ExactDecimal? {
        guard text.utf8.count <= longestText else { return nil }
        let seconds = ExactDecimal(text) ?? isoDuration(text) ?? clockTime(text)
        return seconds.flatMap(inRange)
    }

    /// Seconds from a number of milliseconds, or from a text with one; nil for all else, and for negative values.
    package static func milliseconds(_ value: JSONValue?) -> ExactDecimal? {
        guard let number = value?.decimalValue ?? value?.stringValue.flatMap(plainNumber) else { return nil }
        return number.divided(by: ExactDecimal(1_000)).flatMap(inRange)
    }

    private static func plainNumber(_ text: String) -> ExactDecimal? {
        text.utf8.count <= longestText ? ExactDecimal(text) : nil
    }

    /// A UTC date in the form of RFC 3339; fractions beyond a microsecond are cut. Nil with another offset.
    package static func date(_ value: JSONValue?) -> UnixTime? {
        guard let text = value?.stringValue, text.utf8.count <= longestText else { return nil }
        var main = text.hasSuffix("+00:00") ? text.dropLast(6) : text.hasSuffix("Z") ? text.dropLast() : text[...]
        if let point = main.utf8.lastIndex(of: UInt8(ascii: ".")) {
            // An offset is not part of what is cut.
            guard main.utf8[point...].dropFirst().allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            main = main.prefix(upTo: main.utf8.index(point, offsetBy: 7, limitedBy: main.endIndex) ?? main.endIndex)
        }
        return UnixTime(typed: "\(main)Z")
    }

    /// Why a start cannot be used, as a clause that follows its owner.
    /// - Parameter value: what is listed as the start, and was read as no time; nil where nothing is.
    static func lackOfStart(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null, "": "has no start"
        case let value? where value.arrayValue != nil || value.objectValue != nil:
            "has a JSON \(value.typeName) as its start"
        case let value?: "has the start \(MetadataProblem.clipped(value.text())), which is no time"
        }
    }

    private static func inRange(_ seconds: ExactDecimal) -> ExactDecimal? {
        seconds.isNegative || seconds > largest ? nil : seconds
    }

    /// The components of a duration in the order in which they may occur: their letter, their seconds, and whether they are behind
    /// the T.
    private static let isoUnits: [(letter: UInt8, seconds: Int32, isTime: Bool)] = [
        (UInt8(ascii: "D"), 86_400, false), (UInt8(ascii: "H"), 3_600, true), (UInt8(ascii: "M"), 60, true),
        (UInt8(ascii: "S"), 1, true),
    ]

    /// `P[nD]T[nH][nM][n.nS]` with at least one component.
    private static func isoDuration(_ text: String) -> ExactDecimal? {
        var rest = Array(text.utf8)[...]
        guard rest.popFirst() == UInt8(ascii: "P") else { return nil }
        var total = ExactDecimal.zero
        var isTime = false
        var units = isoUnits[...]
        while let first = rest.first {
            if first == UInt8(ascii: "T"), !isTime {
                isTime = true
                rest = rest.dropFirst()
                continue
            }
            guard let end = rest.firstIndex(where: { (0x41...0x5A).contains($0 & 0xDF) }),
                let unit = units.firstIndex(where: { $0.letter == rest[end] && $0.isTime == isTime }),
                let number = ExactDecimal(utf8: rest[..<end]), !number.isNegative,
                unit == isoUnits.endIndex - 1 || number.isWhole,
                let part = number.multiplied(by: ExactDecimal(isoUnits[unit].seconds)), let sum = total.adding(part)
            else { return nil }
            total = sum
            rest = rest[(end + 1)...]
            units = units[(unit + 1)...]
        }
        return units.count < isoUnits.count ? total : nil
    }

    /// `HH:MM:SS` or `HH:MM:SS.fff`.
    private static func clockTime(_ text: String) -> ExactDecimal? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = ExactDecimal(parts[0]), let minutes = ExactDecimal(parts[1]),
            let seconds = ExactDecimal(parts[2]), hours.isWhole, minutes.isWhole,
            ![hours, minutes, seconds].contains(where: \.isNegative)
        else { return nil }
        return hours.multiplied(by: ExactDecimal(3_600)).flatMap { hours in
            minutes.multiplied(by: ExactDecimal(60)).flatMap { hours.adding($0) }?.adding(seconds)
        }
    }
}

extension ExactDecimal {
    /// Differences up to this count as rounding (PRV-13).
    static let listedTolerance = ExactDecimal(100).thousandths
    /// Offsets that differ by at most this are one (PRV-8).
    static let sameOffset = ExactDecimal(10).thousandths

    /// A thousandth of the number.
    fileprivate var thousandths: ExactDecimal { divided(by: ExactDecimal(1_000)) ?? .zero }

    /// Sum and difference of listed times, whose range excludes an overflow.
    func plus(_ other: ExactDecimal) -> ExactDecimal { adding(other) ?? self }
    func minus(_ other: ExactDecimal) -> ExactDecimal { subtracting(other) ?? self }

    /// The distance to another time.
    func distance(to other: ExactDecimal) -> ExactDecimal {
        let difference = minus(other)
        return difference.isNegative ? ExactDecimal.zero.minus(difference) : difference
    }

    /// `numerator` quarters of the number.
    func quarters(_ numerator: Int32) -> ExactDecimal {
        multiplied(by: ExactDecimal(numerator), dividedBy: ExactDecimal(4)) ?? self
    }

    /// Seconds as a duration, rounded half up to microseconds.
    package var asSeconds: Duration { .microseconds(inMicroseconds) }

    /// Seconds in microseconds, rounded half up.
    var inMicroseconds: Int64 {
        millionths ?? (isNegative ? .min : .max)
    }

    /// Seconds of a duration.
    package init(seconds duration: Duration) {
        let micros = ExactDecimal(exactly: duration.inMicroseconds) ?? .zero
        self = micros.divided(by: ExactDecimal(1_000_000)) ?? .zero
    }
}
