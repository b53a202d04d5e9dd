/// Dates in the form of PROGRAM-DATE-TIME.
enum UTCDateText {
    /// `2026-01-31T09:05:07.042Z` for a Unix epoch time in ms.
    ///
    /// Proleptic Gregorian calendar with days counted from 0000-03-01, so that the leap day ends the year.
    static func text(epochMs: Int) -> String {
        let dayMs = 86_400_000
        var days = epochMs / dayMs
        var rest = epochMs % dayMs
        if rest < 0 {
            rest += dayMs
            days -= 1
        }
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        let time = "\(padded(rest / 3_600_000, 2)):\(padded(rest / 60_000 % 60, 2)):\(padded(rest / 1_000 % 60, 2))"
        return "\(date)T\(time).\(padded(rest % 1_000, 3))Z"
    }

    /// A non-negative number with leading zeros.
    static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// Lengths in the form of playlists.
enum SecondsText {
    /// `2.002` for 2,002 ms.
    static func text(milliseconds: Int) -> String {
        "\(milliseconds / 1_000).\(UTCDateText.padded(milliseconds % 1_000, 3))"
    }
}
