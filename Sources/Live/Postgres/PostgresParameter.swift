package import Ports

/// A parameter of a statement as text; the server knows the types from the function that is called.
///
/// PostgreSQL keeps no U+0000 in texts: it is replaced by U+FFFD.
package struct PostgresParameter: Hashable, Sendable {
    /// Nil is null.
    let text: String?

    private init(_ text: String?) {
        self.text = text
    }

    package static let null = Self(nil)

    package static func text(_ text: String?) -> Self {
        Self(text?.withoutNUL)
    }

    package static func integer(_ number: some BinaryInteger) -> Self { Self(String(number)) }
    package static func optional(_ number: (some BinaryInteger)?) -> Self { Self(number.map { String($0) }) }
    package static func number(_ number: Double) -> Self { Self(String(number)) }
    package static func flag(_ flag: Bool) -> Self { Self(flag ? "t" : "f") }

    /// A `timestamptz`, exact to the microsecond.
    package static func time(_ time: UnixTime?) -> Self { Self(time.map(timestamp)) }

    /// A `bytea`.
    package static func bytes(_ bytes: some Sequence<UInt8>) -> Self {
        Self("\\x" + bytes.map { hex($0 >> 4) + hex($0 & 15) }.joined())
    }

    /// A `uuid`, from up to 16 bytes.
    package static func identity(_ bytes: some Collection<UInt8>) -> Self {
        Self(bytes.prefix(16).map { hex($0 >> 4) + hex($0 & 15) }.joined())
    }

    /// A `jsonb`, in which the escape of U+0000 is not allowed either.
    package static func json(_ value: JSONValue) -> Self { Self(JSONText.withoutNUL(value).text()) }

    /// An array of one dimension (PostgreSQL documentation, section 8.15.2). Each element is in quotes, in which nothing but the quote
    /// and the backslash has a meaning; null is the bare word.
    package static func array(_ elements: some Sequence<Self>) -> Self {
        var text = "{"
        for element in elements {
            if text.utf8.count > 1 { text += "," }
            text += element.text?.inQuotationMarks ?? "NULL"
        }
        return Self(text + "}")
    }

    private static func hex(_ digit: UInt8) -> String { String(digit, radix: 16) }

    /// The first day that the type has: 1 January 4713 BC of the Julian calendar, Julian day 0, in days before 1970.
    private static let firstDay: Int64 = -2_440_588
    /// When it begins. It and what is before are stored as `-infinity`, which is read as this: what was read is written again as it is stored.
    static let earliest = UnixTime(microseconds: firstDay * 86_400_000_000)

    /// As a text that the server reads as a `timestamptz`.
    static func timestamp(_ time: UnixTime) -> String {
        guard time.microseconds > earliest.microseconds else { return "-infinity" }
        let civil = CivilTime(time)
        let isBefore = civil.year < 1
        let year = isBefore ? 1 - civil.year : civil.year
        let date = "\(year.zeroPadded(to: 4))-\(civil.month.zeroPadded(to: 2))-\(civil.day.zeroPadded(to: 2))"
        let clock = [civil.hour, civil.minute, civil.second].map { $0.zeroPadded(to: 2) }.joined(separator: ":")
        return "\(date) \(clock).\(civil.microsecond.zeroPadded(to: 6))+00\(isBefore ? " BC" : "")"
    }
}

/// JSON as PostgreSQL takes it.
private enum JSONText {
    static func withoutNUL(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text):
            .string(text.withoutNUL)
        case .array(let elements): .array(elements.map(withoutNUL))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { member in
                        JSONObject.Member(
                            name: member.name.withoutNUL, value: withoutNUL(member.value))
                    }))
        default: value
        }
    }
}
