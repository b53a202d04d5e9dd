import Ports

/// Times and spans as the screen writes them, UTC, without Foundation's formatters: they would dominate a frame.
///
/// A unit stands apart in a sentence and in the rows above the panes, which are read as one (``apart(_:)``), and next to its
/// number in columns, lists and fields (all others); docs/keys.md has the forms.
enum TimeText {
    /// `12:41:12`
    static func clock(_ time: UnixTime) -> String { CivilTime(time).clockTime }

    /// `00:36`
    static func minutes(_ time: UnixTime) -> String { String(CivilTime(time).clockTime.prefix(5)) }

    /// `00:40:53.7`, cut rather than rounded so that no time shows before it has come.
    static func tenths(_ time: UnixTime) -> String {
        let civil = CivilTime(time)
        return "\(civil.clockTime).\(civil.microsecond / 100_000)"
    }

    /// `12:40:53.900`
    static func milliseconds(_ time: UnixTime) -> String { CivilTime(time).timeOfDay }

    /// `2026-11-21 00:41:12.2`
    static func date(_ time: UnixTime) -> String {
        let civil = CivilTime(time)
        return "\(civil.iso8601.prefix { $0 != "T" }) \(tenths(time))"
    }

    /// `2026-11-21 00:41:12`
    static func day(_ time: UnixTime) -> String {
        let civil = CivilTime(time)
        return "\(civil.iso8601.prefix { $0 != "T" }) \(civil.clockTime)"
    }

    /// A length: `15.0s`, `1m30s`, `2h05m`.
    static func span(_ span: Duration) -> String {
        let tenths = span.inMilliseconds.flooringDivision(by: 100)
        if tenths.magnitude < 1_000 { return decimal(tenths, places: 1) + "s" }
        return coarse(span)
    }

    /// A length to the millisecond, cut: `6.006s`.
    static func exact(_ span: Duration) -> String {
        let milliseconds = span.inMilliseconds
        let size = milliseconds.magnitude
        let fraction = String(size % 1_000)
        return (milliseconds < 0 ? "-" : "") + "\(size / 1_000)."
            + String(repeating: "0", count: 3 - fraction.utf8.count) + fraction + "s"
    }

    /// How long a request took: `41ms`, `1.2s`.
    static func latency(_ span: Duration) -> String {
        let milliseconds = span.roundedMilliseconds
        if milliseconds.magnitude < 1_000 { return "\(milliseconds)ms" }
        return TimeText.span(span)
    }

    /// An age or a wait that a person reads: `2.0s`, `45s`, `3m10s`.
    static func age(_ span: Duration) -> String {
        let tenths = max(0, span.inMilliseconds.flooringDivision(by: 100))
        if tenths < 100 { return decimal(tenths, places: 1) + "s" }
        return coarse(span)
    }

    /// A whole number of seconds and up, for what moves once a second: `12s`, `3m10s`.
    static func coarse(_ span: Duration) -> String {
        let seconds = span.inMilliseconds.flooringDivision(by: 1_000)
        let sign = seconds < 0 ? "-" : ""
        let size = seconds.magnitude
        switch size {
        case ..<60: return "\(sign)\(size)s"
        case ..<3_600: return "\(sign)\(size / 60)m\((size % 60).zeroPadded(to: 2))s"
        case ..<172_800: return "\(sign)\(size / 3_600)h\((size / 60 % 60).zeroPadded(to: 2))m"
        default: return "\(sign)\(size / 86_400)d\((size / 3_600 % 24).zeroPadded(to: 2))h"
        }
    }

    /// A length with its unit apart, as sentences have it: `6.1 s`, `1m30s`.
    static func apart(_ span: Duration) -> String {
        let tenths = span.inMilliseconds.flooringDivision(by: 100)
        return tenths.magnitude < 1_000 ? decimal(tenths, places: 1) + " s" : coarse(span)
    }

    /// A position or a rest as a player shows it: `0:04`, `12:05`, `1:02:03`; cut to whole seconds.
    static func position(_ span: Duration) -> String {
        let seconds = max(0, span.inMilliseconds) / 1_000
        let rest = (seconds % 60).zeroPadded(to: 2)
        guard seconds >= 3_600 else { return "\(seconds / 60):\(rest)" }
        return "\(seconds / 3_600):\((seconds / 60 % 60).zeroPadded(to: 2)):\(rest)"
    }

    /// A number with its thousands separated: `12,345`.
    static func grouped(_ count: Int) -> String { count.grouped }

    /// A deviation with its sign: `+0.03s`, `-1.20s`.
    static func deviation(_ span: Duration) -> String {
        let hundredths = span.inMilliseconds.addingSaturating(5).flooringDivision(by: 10)
        return (hundredths < 0 ? "" : "+") + decimal(hundredths, places: 2) + "s"
    }

    /// A size: `43 B`, `12.3 kB`, `4.0 MB`.
    static func bytes(_ count: Int) -> String {
        switch count {
        case ..<1_000: "\(count) B"
        case ..<1_000_000: decimal(Int64(count / 100), places: 1) + " kB"
        default: decimal(Int64(count / 100_000), places: 1) + " MB"
        }
    }

    /// A rate such as `1x` or `1.5x`.
    static func rate(_ rate: Double) -> String {
        guard rate.isFinite, abs(rate) < 1_000 else { return "?x" }
        let hundredths = Int64((rate * 100).rounded())
        if hundredths % 100 == 0 { return "\(hundredths / 100)x" }
        return decimal(hundredths, places: hundredths % 10 == 0 ? 1 : 2, of: 2) + "x"
    }

    /// `number` divided by a power of ten: `places` digits after the point, of `scale` that the number holds.
    private static func decimal(_ number: Int64, places: Int, of scale: Int? = nil) -> String {
        var number = number
        for _ in places..<(scale ?? places) { number /= 10 }
        let unit: UInt64 = places == 1 ? 10 : 100
        let size = number.magnitude
        return (number < 0 ? "-" : "") + "\(size / unit).\((size % unit).zeroPadded(to: places))"
    }
}
