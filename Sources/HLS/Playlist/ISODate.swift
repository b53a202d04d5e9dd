import Ports

/// Dates of EXT-X-PROGRAM-DATE-TIME and EXT-X-DATERANGE (ISO 8601, rfc8216bis-22 section 4.4.4.6), read from bytes.
///
/// Accepts the forms found in the field (HLS-7): extended and basic form, a space for the T, a comma for the point, any
/// number of fraction digits, and the zones Z, ±hh, ±hhmm, ±hh:mm and none, which means UTC.
struct ISODate: Hashable {
    var time: UnixTime
    /// False when the text has no zone and UTC was assumed.
    var hasZone: Bool

    /// Nil unless the whole text is one date with a time.
    init?(_ text: ByteView) {
        var cursor = Cursor(text: text)
        guard let date = cursor.date(), cursor.separator(), let (time, fraction) = cursor.timeOfDay(date),
            let instant = time.unixTime
        else { return nil }
        guard let zone = cursor.zone() else { return nil }
        let offset = Int64(zone.minutes ?? 0) * 60_000_000
        self.time = UnixTime(microseconds: instant.microseconds + fraction - offset)
        hasZone = zone.minutes != nil
    }
}

/// Reads the fields of one date in sequence.
private struct Cursor {
    let text: ByteView
    var index = 0

    mutating func date() -> (year: Int, month: Int, day: Int)? {
        guard let year = number(4) else { return nil }
        let isExtended = skip(UInt8(ascii: "-"))
        guard let month = number(2), !isExtended || skip(UInt8(ascii: "-")), let day = number(2) else { return nil }
        return (year, month, day)
    }

    mutating func separator() -> Bool {
        skip(UInt8(ascii: "T")) || skip(UInt8(ascii: "t")) || skip(UInt8(ascii: " "))
    }

    /// The time to the second, and the fraction in microseconds, rounded half up.
    mutating func timeOfDay(_ date: (year: Int, month: Int, day: Int)) -> (CivilTime, Int64)? {
        guard let hour = number(2) else { return nil }
        let isExtended = skip(UInt8(ascii: ":"))
        guard let minute = number(2) else { return nil }
        var second = 0
        var fraction: Int64 = 0
        if isExtended ? skip(UInt8(ascii: ":")) : text[index].isDigit {
            guard let value = number(2) else { return nil }
            second = value
            if skip(UInt8(ascii: ".")) || skip(UInt8(ascii: ",")) {
                guard let value = microseconds() else { return nil }
                fraction = value
            }
        }
        let time = CivilTime(
            year: date.year, month: date.month, day: date.day, hour: hour, minute: minute, second: second)
        return (time, fraction)
    }

    /// Minutes east of UTC, or nil minutes when there is no zone. Returns nil when the rest of the text is not a zone.
    mutating func zone() -> (minutes: Int?, Void)? {
        if index == text.count { return (nil, ()) }
        if skip(UInt8(ascii: "Z")) || skip(UInt8(ascii: "z")) { return index == text.count ? (0, ()) : nil }
        let isWest = text[index] == UInt8(ascii: "-")
        guard isWest || text[index] == UInt8(ascii: "+") else { return nil }
        index += 1
        guard let hours = number(2), hours < 24 else { return nil }
        var minutes = 0
        if index < text.count {
            _ = skip(UInt8(ascii: ":"))
            guard let value = number(2), value < 60 else { return nil }
            minutes = value
        }
        guard index == text.count else { return nil }
        return ((hours * 60 + minutes) * (isWest ? -1 : 1), ())
    }

    private mutating func microseconds() -> Int64? {
        var value: Int64 = 0
        var place: Int64 = 100_000_000
        let start = index
        while text[index].isDigit {
            value += Int64(text[index] - 0x30) * place
            place /= 10
            index += 1
        }
        return index > start ? (value + 500) / 1_000 : nil
    }

    private mutating func number(_ digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard text[index].isDigit else { return nil }
            value = value * 10 + Int(text[index] - 0x30)
            index += 1
        }
        return value
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard text[index] == byte else { return false }
        index += 1
        return true
    }
}
