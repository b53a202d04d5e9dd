import Ports

/// A position on the continuous stream timeline: microseconds since the start of the first segment ever listed
/// (HLS-11). It has no jumps where PROGRAM-DATE-TIME jumps.
package struct StreamTime: Hashable, Comparable, Sendable {
    package var microseconds: Int64

    package static let zero = StreamTime(microseconds: 0)

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Milliseconds rounded half up, as the conformance goldens print them.
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
}
