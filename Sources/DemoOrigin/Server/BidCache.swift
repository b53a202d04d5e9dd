import OrderedCollections

/// The content of the origin's bid cache, which replaces the remote cache of a page.
struct BidCache: Sendable {
    /// Most values kept; the oldest are dropped.
    static let capacity = 1_000
    /// Most values of one write.
    static let maximumValues = 10
    /// Largest value in bytes.
    static let maximumValueBytes = 10_240
    /// Longest time to live, also the default.
    static let maximumLifeMs = 3_600_000

    struct Value: Sendable {
        var isXML: Bool
        var body: [UInt8]
        var endMs: Int
    }

    /// In the order of their first writes.
    private var values: OrderedDictionary<String, Value> = [:]
    private var count = 0

    func value(_ id: String, at nowMs: Int) -> Value? {
        values[id].flatMap { nowMs < $0.endMs ? $0 : nil }
    }

    /// Stores a value under a new id, a version 4 UUID that is derived from the seed.
    mutating func store(_ value: Value, seed: UInt64) -> String {
        count += 1
        let id = Self.id(seed: seed, count: count)
        keep(value, as: id)
        return id
    }

    /// Stores a value under an id that its writer chose; it replaces an older value.
    mutating func keep(_ value: Value, as id: String) {
        values[id] = value
        if values.count > Self.capacity { values.removeFirst() }
    }

    private static func id(seed: UInt64, count: Int) -> String {
        // These numbers are far from those of streams and sessions.
        let index = 1 << 40 &+ UInt64(truncatingIfNeeded: count) &* 2
        let digits = Array([index, index + 1].map { hexadecimal(SeedMix.value(seed: seed, index: $0)) }.joined())
        return "\(String(digits[0..<8]))-\(String(digits[8..<12]))-4\(String(digits[13..<16]))-"
            + "a\(String(digits[17..<20]))-\(String(digits[20..<32]))"
    }

    private static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension AdServer {
    /// `/pbc/v1/cache` and `/cache`: the interface of Prebid Cache. The scenario's rules and the query's `status`,
    /// `delay`, `drop` and `redirects` make it fail, as they do for ads.
    func bidCache(_ state: inout OriginState) -> OriginResponse {
        let isWrite = answering.request.method == "POST"
        let accepted = isWrite ? write(&state) : read(state)
        return decide(Decision(endpoint: .bidCache, breakId: "", pod: nil), accepted, &state)
    }

    private func read(_ state: OriginState) -> OriginResponse {
        guard let id = query["uuid"], !id.isEmpty else {
            return .plain(400, "GET /cache: Missing required parameter uuid")
        }
        guard SessionId.isValid(id) else { return .plain(404, "GET /cache: invalid uuid") }
        guard let value = state.bidCache.value(id, at: answering.nowMs) else {
            return .plain(404, "GET /cache uuid=\(id): Key not found")
        }
        return OriginResponse(
            status: 200, type: value.isXML ? "application/xml" : "application/json", body: value.body)
    }

    /// All values of a write are kept, or none.
    private func write(_ state: inout OriginState) -> OriginResponse {
        guard let document = JSONScan.members(of: answering.request.body[...]),
            let puts = JSONScan.elements(of: document.last { $0.name == "puts" }?.value ?? [])
        else { return .plain(400, "body: expected {\"puts\": […]}") }
        guard puts.count <= BidCache.maximumValues else {
            return .plain(400, "More keys than allowed: \(BidCache.maximumValues)")
        }
        var values: [BidCache.Value] = []
        for (index, put) in puts.enumerated() {
            guard let value = value(put) else {
                return .plain(400, "put \(index) needs a type, xml or json, and a value")
            }
            guard value.body.count <= BidCache.maximumValueBytes else {
                return .plain(400, "POST /cache element \(index) exceeded max size")
            }
            values.append(value)
        }
        let ids = values.map { value -> JSONText in
            .object([.init("uuid", .string(state.bidCache.store(value, seed: stream.seed)))])
        }
        return .json(.object([.init("responses", .array(ids))]))
    }

    private func value(_ put: ArraySlice<UInt8>) -> BidCache.Value? {
        guard let members = JSONScan.members(of: put) else { return nil }
        func member(_ name: String) -> ArraySlice<UInt8>? { members.last { $0.name == name }?.value }
        let seconds = member("ttlseconds").flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        guard let type = member("type").flatMap(JSONScan.string), let raw = member("value"), seconds >= 0 else {
            return nil
        }
        let lifeMs = seconds == 0 ? BidCache.maximumLifeMs : min(seconds, BidCache.maximumLifeMs / 1_000) * 1_000
        switch type {
        case "json": return BidCache.Value(isXML: false, body: Array(raw), endMs: answering.nowMs + lifeMs)
        case "xml":
            guard let text = JSONScan.string(raw) else { return nil }
            return BidCache.Value(isXML: true, body: Array(text.utf8), endMs: answering.nowMs + lifeMs)
        default: return nil
        }
    }
}
