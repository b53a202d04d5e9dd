@testable import Screen

extension SafeText {
    /// The columns that show escapes instead of what was given, as ranges from the start of the text.
    var escapedColumns: [Range<Int>] {
        var ranges: [Range<Int>] = []
        var column = 0
        for unit in parts.units {
            let next = column + unit.columns
            if unit.isEscaped {
                if let last = ranges.last, last.upperBound == column {
                    ranges[ranges.count - 1] = last.lowerBound..<next
                } else {
                    ranges.append(column..<next)
                }
            }
            column = next
        }
        return ranges
    }
}
