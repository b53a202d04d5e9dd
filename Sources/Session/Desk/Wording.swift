import HLS
import Ports

/// Texts for durations, dates and answers in log lines.
enum Wording {
    /// `38ms`, `1.2s`
    static func took(_ microseconds: Int64) -> String {
        microseconds < 1_000_000 ? "\((microseconds + 500) / 1_000)ms" : seconds(.microseconds(microseconds))
    }

    /// `60.0s`, `-0.5s`: tenths cut towards zero. They are cut because the same length is in a row beside the log, where nothing shows before
    /// it has come; and towards zero so that a length has the same digits in both directions, and less than a tenth is none.
    static func seconds(_ duration: Duration) -> String {
        let tenths = tenths(duration)
        return (tenths < 0 ? "-" : "") + text(ofTenths: tenths)
    }

    /// `+3600.0s`, `-0.5s`, cut as ``seconds(_:)`` does; less than a tenth is `+0.0s`.
    static func signedSeconds(_ duration: Duration) -> String {
        let tenths = tenths(duration)
        return (tenths < 0 ? "-" : "+") + text(ofTenths: tenths)
    }

    private static func tenths(_ duration: Duration) -> Int64 { duration.inMicroseconds / 100_000 }

    private static func text(ofTenths tenths: Int64) -> String {
        "\(tenths.magnitude / 10).\(tenths.magnitude % 10)s"
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

    static func count(_ number: Int, _ noun: String) -> String { number.counted(noun) }
}
