/// One request that the collector received.
package struct Receipt: Sendable, Equatable {
    /// When it arrived, epoch ms.
    package var atMs: Int
    /// Scenario of the URL.
    package var scenario: String
    /// Session id of the URL. This and the next three members are empty when the URL does not have them.
    package var session: String
    /// Break id.
    package var breakId: String
    /// Ad id.
    package var adId: String
    /// Event name.
    package var event: String
    /// Index of the URL within its event, 0 when the URL has none.
    package var urlIndex: Int
    /// Path and query.
    package var target: String
    /// Method.
    package var method: String
    /// User-Agent, nil when none was sent.
    package var userAgent: String?
    /// Status of the answer; nil when the connection was dropped.
    package var status: Int?
    /// 0 for the beacon itself, from 1 for the redirects after it.
    package var hop: Int
    /// Number of this request among those for this URL, from 1.
    package var attempt: Int
    /// True when every earlier request for this URL failed, so that this one is a retry.
    package var isRetry: Bool

    /// Whether the URL was requested before. Redirects are not separate beacons and never count.
    package var isDuplicate: Bool { hop == 0 && attempt > 1 }

    /// The receipt as `GET /receipts` lists it.
    var json: JSONText {
        .object([
            .init("atMs", .integer(atMs)), .init("scenario", .string(scenario)), .init("sessid", .string(session)),
            .init("breakId", .string(breakId)), .init("adId", .string(adId)), .init("event", .string(event)),
            .init("urlIndex", .integer(urlIndex)), .init("url", .string(target)), .init("method", .string(method)),
            .init("userAgent", userAgent.map { .string($0) } ?? .null),
            .init("status", status.map { .integer($0) } ?? .null), .init("hop", .integer(hop)),
            .init("attempt", .integer(attempt)), .init("duplicate", .bool(isDuplicate)), .init("retry", .bool(isRetry)),
        ])
    }
}
