/// Integer arithmetic that saturates instead of trapping, because numbers in playlists and metadata may be hostile.
extension FixedWidthInteger {
    package func addingSaturating(_ other: Self) -> Self {
        let (value, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : value
    }

    package func subtractingSaturating(_ other: Self) -> Self {
        let (value, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other > 0 ? .min : .max) : value
    }

    package func multipliedSaturating(by other: Self) -> Self {
        let (value, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : value
    }

    /// Division rounding towards negative infinity; `divisor` must be positive.
    package func flooringDivision(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
