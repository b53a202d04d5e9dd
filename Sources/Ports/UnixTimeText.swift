/// Dates and times of day as typed by the user. Playlists have their own, more lenient parser.
extension UnixTime {
    /// Parses `2027-01-01T00:00:00Z`, also with a space for the T, without the Z, or with up to six fraction digits;
    /// always UTC.
    package init?(typed text: some StringProtocol) {
        if let date = UnixTime(fixedForm: Array(text.utf8)) {
            self = date
            return
        }
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        guard halves.count == 2 else { return nil }
        let parts = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        let time = halves[1].last == "Z" ? halves[1].dropLast() : halves[1]
        guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            let midnight = CivilTime(year: year, month: month, day: day).unixTime,
            let timeOfDay = Duration(timeOfDay: time)
        else { return nil }
        self = midnight + timeOfDay
    }

    /// `2027-01-01T00:00:00` with up to six fraction digits and a Z, as programs write dates; nil for all else, which may be a date
    /// in another form. Answers have thousands of them.
    private init?(fixedForm text: [UInt8]) {
        guard (20...27).contains(text.count), text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            text.last == UInt8(ascii: "Z"),
            let year = Self.number(text[0..<4]), let month = Self.number(text[5..<7]),
            let day = Self.number(text[8..<10]), let hour = Self.number(text[11..<13]), hour < 24,
            let minute = Self.number(text[14..<16]), let second = Self.number(text[17..<19]), second < 60,
            let fraction = Self.microseconds(text[19..<text.count - 1]),
            let date = CivilTime(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second, microsecond: fraction
            ).unixTime
        else { return nil }
        self = date
    }

    /// Nothing, or a point and one to six digits.
    private static func microseconds(_ fraction: ArraySlice<UInt8>) -> Int? {
        guard let point = fraction.first else { return 0 }
        guard point == UInt8(ascii: "."), fraction.count > 1, var number = number(fraction.dropFirst()) else {
            return nil
        }
        for _ in fraction.count..<7 { number *= 10 }
        return number
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for byte in digits {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        return number
    }
}

extension Duration {
    /// Parses `12:40`, `12:40:31` or `12:40:31.5` as the time since midnight.
    package init?(timeOfDay text: some StringProtocol) {
        let whole = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = whole[0].split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        var fields: [Int64] = []
        for part in parts {
            guard (1...2).contains(part.utf8.count), let number = Self.digits(part) else { return nil }
            fields.append(number)
        }
        guard fields[0] < 24, fields[1] < 60, fields.count < 3 || fields[2] < 60 else { return nil }
        var microseconds = (fields[0] * 3_600 + fields[1] * 60 + (fields.count > 2 ? fields[2] : 0)) * 1_000_000
        if whole.count == 2 {
            guard fields.count == 3, (1...6).contains(whole[1].utf8.count),
                let fraction = Self.digits(whole[1] + String(repeating: "0", count: 6 - whole[1].utf8.count))
            else { return nil }
            microseconds += fraction
        }
        self = .microseconds(microseconds)
    }

    private static func digits(_ text: some StringProtocol) -> Int64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }
}
