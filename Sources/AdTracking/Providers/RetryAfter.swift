package import Ports

/// The `Retry-After` field: seconds or an HTTP date (RFC 9110 sections 10.2.3 and 5.6.7).
package enum RetryAfter {
    /// Delay until the next request that an answer asks for; nil when it asks for none.
    package static func delay(of exchange: HTTPExchange, at now: Moment) -> Duration? {
        exchange.fields["retry-after"].flatMap { delay($0, at: now.wall) }
    }

    /// The pause before a stream's server is asked again: what its answer asks for, at most
    /// ``Limits/retryAfter``; zero when it asks for none.
    package static func pause(of exchange: HTTPExchange, at now: Moment) -> Duration {
        min(delay(of: exchange, at: now) ?? .zero, Limits.retryAfter)
    }

    /// Delay until the next request, at least zero; nil when `text` has neither form.
    package static func delay(_ text: String, at now: UnixTime) -> Duration? {
        let trimmed = text.drop { $0 == " " }
        if !trimmed.isEmpty, trimmed.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Duration(finiteSeconds: Double(trimmed) ?? .infinity)
        }
        return httpDate(trimmed).map { max(.zero, $0 - now) }
    }

    /// Only the preferred form, `Sun, 06 Nov 1994 08:49:37 GMT`; servers do not send the two obsolete ones.
    private static func httpDate(_ text: Substring) -> UnixTime? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), let month = months.firstIndex(of: parts[2]),
            let year = Int(parts[3])
        else { return nil }
        let clock = parts[4].split(separator: ":")
        guard clock.count == 3, let hour = Int(clock[0]), let minute = Int(clock[1]), let second = Int(clock[2])
        else { return nil }
        return CivilTime(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second).unixTime
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
