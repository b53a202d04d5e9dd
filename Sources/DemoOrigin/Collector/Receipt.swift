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
    /// Number of this request among those for this beacon, from 1.
    package var attempt: Int
    /// True when every earlier request for this beacon failed, so that this one is a retry.
    package var isRetry: Bool

    /// The target as the plan has it, without cache buster and token; nil if ``target`` has none.
    package var beacon: String?

    /// The target as the plan has it.
    package var planned: String { beacon ?? target }

    /// Whether the beacon was requested before. Redirects are not separate beacons and never count, and a creative with
    /// fixed URLs may air again.
    package var isDuplicate: Bool { hop == 0 && attempt > 1 && breakId != BeaconLink.anyBreak }

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
