/// A point in time as microseconds since the Unix epoch (UTC, no leap seconds).
///
/// Represents both the wall clock and the media timeline of PROGRAM-DATE-TIME: latency is the difference of the two.
/// Arithmetic saturates, so dates in input cannot trap.
package struct UnixTime: Hashable, Comparable, Sendable {
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Saturates when `milliseconds` is out of range.
    package init(milliseconds: Int64) {
        self.microseconds = milliseconds.multipliedSaturating(by: 1_000)
    }

    /// Milliseconds since the epoch, rounded towards the past.
    package var milliseconds: Int64 {
        microseconds.flooringDivision(by: 1_000)
    }

    /// Milliseconds since the epoch, rounded half up, as the conformance goldens print them.
    package var roundedMilliseconds: Int64 {
        microseconds.addingSaturating(500).flooringDivision(by: 1_000)
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.microseconds < right.microseconds
    }

    package static func + (time: Self, span: Duration) -> Self {
        Self(microseconds: time.microseconds.addingSaturating(span.inMicroseconds))
    }

    package static func - (time: Self, span: Duration) -> Self {
        Self(microseconds: time.microseconds.subtractingSaturating(span.inMicroseconds))
    }

    package static func - (left: Self, right: Self) -> Duration {
        .microseconds(left.microseconds.subtractingSaturating(right.microseconds))
    }

    package static func += (time: inout Self, span: Duration) {
        time = time + span
    }
}
