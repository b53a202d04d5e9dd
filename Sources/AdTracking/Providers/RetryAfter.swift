package import Ports

/// The `Retry-After` field: seconds or an HTTP date (RFC 9110 sections 10.2.3 and 5.6.7).
package enum RetryAfter {
    /// Delay until the next request that an answer asks for; nil when it asks for none.
    package static func delay(of exchange: HTTPExchange, at now: Moment) -> Duration? {
        exchange.fields["retry-after"].flatMap { delay($0, answered: exchange.fields["date"], at: now.wall) }
    }

    /// The pause before a stream's server is asked again: what its answer asks for, at most
    /// ``Limits/retryAfter``; zero when it asks for none.
    package static func pause(of exchange: HTTPExchange, at now: Moment) -> Duration {
        min(delay(of: exchange, at: now) ?? .zero, Limits.retryAfter)
    }

    /// Delay until the next request, at least zero; nil when `text` has neither form. A date counts from the date of the answer, which the
    /// same clock wrote (section 6.6.1): the server's may be minutes off ours.
    /// - Parameter date: the `Date` field of the answer.
    package static func delay(_ text: String, answered date: String? = nil, at now: UnixTime) -> Duration? {
        let digits = text.utf8.drop { $0 == 0x20 }
        if !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Duration(finiteSeconds: Double(Substring(digits)) ?? .infinity)
        }
        return httpDate(text).map { max(.zero, $0 - (date.flatMap(httpDate) ?? now)) }
    }

    /// All three forms, which the algorithm for dates of cookies reads, too. A date of another zone than GMT is none; asctime, which has
    /// no comma, names no zone.
    private static func httpDate(_ text: String) -> UnixTime? {
        text.contains("GMT") || !text.contains(",") ? CookieDate.read(text) : nil
    }
}
