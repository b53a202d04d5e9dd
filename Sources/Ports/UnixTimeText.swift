/// Dates and times of day as typed by the user. Playlists have their own, more lenient parser.
extension UnixTime {
    /// Parses `2027-01-01T00:00:00Z`, also with a space for the T, without the Z, or with up to six fraction digits;
    /// always UTC.
    package init?(typed text: some StringProtocol) {
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
