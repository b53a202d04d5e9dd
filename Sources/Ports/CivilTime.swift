/// A UTC calendar date and time of day, converted to and from `UnixTime` without Foundation: its formatters take up to
/// 25 µs per date, and live playlists contain thousands.
package struct CivilTime: Hashable, Sendable {
    package var year: Int
    /// 1…12.
    package var month: Int
    /// 1…31.
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int
    package var microsecond: Int

    package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, microsecond: Int = 0)
    {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond
    }

    /// The UTC date and time at `time`.
    package init(_ time: UnixTime) {
        let microsecondsPerDay: Int64 = 86_400_000_000
        let dayNumber = time.microseconds.flooringDivision(by: microsecondsPerDay)
        // Subtracting whole days would overflow near the ends of the range.
        var rest = time.microseconds % microsecondsPerDay
        if rest < 0 { rest += microsecondsPerDay }
        microsecond = Int(rest % 1_000_000)
        rest /= 1_000_000
        second = Int(rest % 60)
        minute = Int(rest / 60 % 60)
        hour = Int(rest / 3_600)
        (year, month, day) = Self.civil(fromDays: Int(dayNumber))
    }

    /// The instant; nil when a field is out of range. Years are 0…9999; 24:00:00 and second 60 are accepted and carry
    /// over.
    package var unixTime: UnixTime? {
        guard (0...9_999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.days(inMonth: month, of: year),
            (0...24).contains(hour), (0...59).contains(minute), (0...60).contains(second),
            (0...999_999).contains(microsecond), hour < 24 || (minute == 0 && second == 0 && microsecond == 0)
        else { return nil }
        let days = Int64(Self.days(fromYear: year, month: month, day: day))
        let seconds = days * 86_400 + Int64(hour) * 3_600 + Int64(minute) * 60 + Int64(second)
        return UnixTime(microseconds: seconds * 1_000_000 + Int64(microsecond))
    }

    /// The date and time with milliseconds: `2027-01-01T00:00:00.000Z`.
    package var iso8601: String {
        "\(year.zeroPadded(to: 4))-\(month.zeroPadded(to: 2))-\(day.zeroPadded(to: 2))T\(timeOfDay)Z"
    }

    /// The time of day with milliseconds: `00:00:00.000`.
    package var timeOfDay: String {
        "\(clockTime).\((microsecond / 1_000).zeroPadded(to: 3))"
    }

    /// The time of day in seconds: `00:00:00`.
    package var clockTime: String {
        "\(hour.zeroPadded(to: 2)):\(minute.zeroPadded(to: 2)):\(second.zeroPadded(to: 2))"
    }

    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar; years start in March so that the leap day is last.
    private static func days(fromYear year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.flooringDivision(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted.flooringDivision(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension UnixTime {
    /// The date and time with milliseconds: `2027-01-01T00:00:00.000Z`.
    package var iso8601: String { CivilTime(self).iso8601 }
}
