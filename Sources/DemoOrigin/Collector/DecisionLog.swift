/// One request for ads.
package struct DecisionRecord: Sendable, Equatable {
    /// When it arrived, epoch ms.
    package var atMs: Int
    /// The requested endpoint.
    package var endpoint: DecisionEndpoint
    /// The requested scenario.
    package var scenario: String
    /// Id of the break whose ads were requested; empty when the request named none.
    package var breakId: String
    /// Wrappers between this request and the first one.
    package var level: Int
    /// Path and query as requested, which show the value of every macro.
    package var target: String
    /// User-Agent, nil when none was sent.
    package var userAgent: String?
    /// Status of the answer; nil when the connection was dropped.
    package var status: Int?

    /// The record as `GET /decisions` lists it.
    var json: JSONText {
        .object([
            .init("atMs", .integer(atMs)), .init("endpoint", .string(endpoint.rawValue)),
            .init("scenario", .string(scenario)), .init("breakId", .string(breakId)), .init("level", .integer(level)),
            .init("url", .string(target)), .init("userAgent", userAgent.map { .string($0) } ?? .null),
            .init("status", status.map { .integer($0) } ?? .null),
        ])
    }
}

/// The newest requests for ads.
package struct DecisionLog: Sendable {
    /// Most requests kept; older ones are dropped and counted.
    package static let defaultCapacity = 10_000

    private var ring = Ring<DecisionRecord>(capacity: defaultCapacity)
    private var counts: [String: Int] = [:]

    /// An empty log.
    package init() {}

    /// Requests, oldest first.
    package var records: [DecisionRecord] { ring.elements }

    /// Counts this request and returns how many first requests of `endpoint` for pod `pod` came before it. Redirected
    /// and wrapped requests are not first requests.
    mutating func attempt(_ endpoint: DecisionEndpoint, scenario: String, pod: Int?) -> Int {
        let key = "\(scenario) \(endpoint.rawValue) \(pod ?? 0)"
        defer { counts[key, default: 0] += 1 }
        return counts[key, default: 0]
    }

    /// Adds a record.
    mutating func append(_ record: DecisionRecord) {
        ring.append(record)
    }

    /// Removes all records and counters.
    mutating func clear() {
        self = DecisionLog()
    }

    /// `adtop-decisions/1`: the records that match every given query item (`endpoint`, `break`, `scenario`).
    func document(matching query: QueryItems) -> JSONText {
        let found = records.filter { record in
            (query["endpoint"] ?? record.endpoint.rawValue) == record.endpoint.rawValue
                && (query["break"] ?? record.breakId) == record.breakId
                && (query["scenario"] ?? record.scenario) == record.scenario
        }
        return .object([
            .init("schema", .string("adtop-decisions/1")), .init("count", .integer(found.count)),
            .init("dropped", .integer(ring.dropped)), .init("decisions", .array(found.map(\.json))),
        ])
    }
}
