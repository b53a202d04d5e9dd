import HLS
import Ports

/// Texts for durations, dates and answers in log lines.
enum Wording {
    /// `38ms`, `1.2s`
    static func took(_ microseconds: Int64) -> String {
        microseconds < 1_000_000 ? "\((microseconds + 500) / 1_000)ms" : seconds(.microseconds(microseconds))
    }

    /// `60.0s`, `-0.5s`: tenths cut towards zero, as ``Duration/tenthsText``.
    static func seconds(_ duration: Duration) -> String { duration.tenthsText + "s" }

    /// `+3,600.0s`, `-0.5s`, cut likewise; less than a tenth is `+0.0s`.
    static func signedSeconds(_ duration: Duration) -> String {
        let text = seconds(duration)
        return text.hasPrefix("-") ? text : "+" + text
    }

    /// `00:41:12.2`
    static func clock(_ time: UnixTime) -> String {
        String(CivilTime(time).timeOfDay.dropLast(2))
    }

    /// A place on the timeline: its date, or where there are no dates its position.
    static func place(_ position: StreamTime, date: UnixTime?) -> String {
        date.map(clock) ?? "position \(seconds(.microseconds(position.microseconds)))"
    }

    /// `200 38ms`, or why no answer came.
    static func answer(_ exchange: HTTPExchange) -> String {
        guard let status = exchange.status else { return exchange.failure?.message ?? "no answer" }
        return "\(status) \(took(exchange.timings.total))"
    }

    /// What is wrong with an answer that should be 2xx; one clause.
    static func problem(_ exchange: HTTPExchange) -> String {
        if let failure = exchange.failure { return failure.message }
        return exchange.status.map { "answered \($0)" } ?? "no answer"
    }
}
