package import Ports

/// Where something was found in the media: a second of the stream, or a date.
package struct MediaMoment: Hashable, Sendable {
    /// Seconds on the clock of the stream; since 1970 if ``isDated``.
    package var seconds: ExactDecimal
    package let isDated: Bool

    package init(seconds: ExactDecimal) {
        (self.seconds, isDated) = (seconds, false)
    }

    package init(_ date: UnixTime) {
        (seconds, isDated) = (ExactDecimal(seconds: .microseconds(date.microseconds)), true)
    }

    /// Nil on seconds of the stream.
    package var date: UnixTime? { isDated ? UnixTime(microseconds: seconds.inMicroseconds) : nil }

    /// The moment so many seconds earlier.
    func minus(_ offset: ExactDecimal) -> MediaMoment {
        var moment = self
        moment.seconds = seconds.minus(offset)
        return moment
    }
}
