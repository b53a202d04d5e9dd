import Ports

/// The values in the URLs that a document lists for one event.
struct ListedMarks {
    var event: EventID?
    var values: Set<Int> = []
}

/// The values in the URLs of a document, by the minute in which they are due.
struct ListedValues {
    private struct Entry: Hashable {
        var value: Int
        var minute: Int64
    }

    private var entries: Set<Entry> = []

    var isEmpty: Bool { entries.isEmpty }

    mutating func add(_ values: [Int], at date: UnixTime) {
        for value in values { entries.insert(Entry(value: value, minute: Self.minute(of: date))) }
    }

    /// Whether a value is listed in that minute or in those beside it.
    func contains(_ value: Int, near date: UnixTime) -> Bool {
        let minute = Self.minute(of: date)
        return (minute - 1...minute + 1).contains { entries.contains(Entry(value: value, minute: $0)) }
    }

    private static func minute(of date: UnixTime) -> Int64 { date.microseconds / 60_000_000 }
}
