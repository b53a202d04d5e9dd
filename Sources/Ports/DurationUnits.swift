extension Duration {
    /// Whole microseconds, rounded towards zero, saturating at the range of `Int64`.
    package var inMicroseconds: Int64 {
        // 10^12 is 2^12 times 5^12: spans of up to ten hours, nearly all, need no division of 128 bits.
        if attoseconds >= 0, let units = Int64(exactly: attoseconds &>> 12) { return units / 244_140_625 }
        return Int64(clamping: attoseconds / 1_000_000_000_000)
    }

    /// Whole milliseconds, rounded towards negative infinity.
    package var inMilliseconds: Int64 {
        inMicroseconds.flooringDivision(by: 1_000)
    }

    /// Whole milliseconds, rounded towards positive infinity: a span beyond a limit is not shown as the limit.
    package var inMillisecondsRoundedUp: Int64 {
        let below = inMilliseconds
        return .milliseconds(below) < self ? below.addingSaturating(1) : below
    }

    /// Milliseconds rounded half up, as the conformance goldens print them.
    package var roundedMilliseconds: Int64 {
        inMicroseconds.addingSaturating(500).flooringDivision(by: 1_000)
    }

    /// The duration without its sign.
    package var magnitude: Duration {
        self < .zero ? .zero - self : self
    }

    /// Seconds as a floating-point number, for ratios and display only.
    package var inSeconds: Double {
        Double(inMicroseconds) / 1_000_000
    }

    /// Nil for not-a-number, infinities and values beyond 10^9 s (31 years), so that input from outside cannot trap.
    package init?(finiteSeconds seconds: Double) {
        guard seconds.isFinite, abs(seconds) <= 1e9 else { return nil }
        self = .microseconds(Int64((seconds * 1_000_000).rounded()))
    }
}
