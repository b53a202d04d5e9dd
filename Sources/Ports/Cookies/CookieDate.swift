/// The dates of cookies, which servers write in many forms (RFC 6265 section 5.1.1).
package enum CookieDate {
    /// The instant, or nil if the text is not a date by the algorithm of the clause.
    package static func read(_ text: some StringProtocol) -> UnixTime? {
        var parts = Parts()
        for token in text.utf8.split(whereSeparator: isDelimiter) { parts.take(Array(token)) }
        return parts.date
    }

    private struct Parts {
        private var time: [Int]?
        private var day: Int?
        private var month: Int?
        private var year: Int?

        /// A token is the first of these that it can be and that is not known yet.
        mutating func take(_ token: [UInt8]) {
            if time == nil, let found = Self.time(token) {
                time = found
            } else if day == nil, let found = CookieDate.number(token[...], digits: 1...2) {
                day = found
            } else if month == nil, let found = Self.month(token) {
                month = found
            } else if year == nil, let found = CookieDate.number(token[...], digits: 2...4) {
                year = found
            }
        }

        var date: UnixTime? {
            guard let time, let day, let month, var year else { return nil }
            if (70...99).contains(year) { year += 1_900 } else if year < 70 { year += 2_000 }
            guard year >= 1_601, time[0] <= 23, time[1] <= 59, time[2] <= 59 else { return nil }
            return CivilTime(year: year, month: month, day: day, hour: time[0], minute: time[1], second: time[2])
                .unixTime
        }

        /// `hms-time`: three numbers of one or two digits; what follows the last one is ignored if it is not a digit.
        private static func time(_ token: [UInt8]) -> [Int]? {
            let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[0].count <= 2, fields[1].count <= 2 else { return nil }
            let numbers = fields.enumerated().compactMap { index, field in
                index < 2 && !field.allSatisfy(\.isDigit) ? nil : CookieDate.number(field, digits: 1...2)
            }
            return numbers.count == 3 ? numbers : nil
        }

        /// The first three letters count.
        private static func month(_ token: [UInt8]) -> Int? {
            let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
            let name = token.prefix(3).map { $0 | 0x20 }
            return names.firstIndex { $0.utf8.elementsEqual(name) }.map { $0 + 1 }
        }
    }

    /// The number of digits at the start; nil if there are fewer or more.
    private static func number(_ text: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
        let found = text.prefix { $0.isDigit }
        guard digits.contains(found.count) else { return nil }
        return found.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }

    /// `delimiter` of the clause.
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
