@testable import DemoOrigin

extension Scenario {
    /// 10.01 s and 5.005 s of ads every 30 s, segments of 2 s, window of 20 s.
    static let twoAds = Scenario(
        name: "two-ads", summary: "",
        stream: StreamShape(segmentMs: 2_000, windowMs: 20_000),
        breaks: BreakPattern(everyMs: 30_000, firstMs: 2_000, pods: [Pod(ads: ["car", "milk"])]),
        ads: ["car": AdCreative(durationMs: 10_010), "milk": AdCreative(durationMs: 5_005)])
}

extension BuiltinScenarios {
    /// The scenarios with a metadata endpoint.
    static let withMetadata = names.filter { name in
        guard let scenario = (try? load(name))?.scenario else { return false }
        return scenario.metadata.isServed && scenario.session.dialect == .harmonic
    }
    /// Those whose metadata has the times and URLs of the plan, each URL once.
    static let withPlannedMetadata = withMetadata.filter { name in
        guard let scenario = (try? load(name))?.scenario else { return false }
        return scenario.metadata.changes == nil && scenario.session.tokenMs == nil
            && !scenario.ads.values.contains(where: \.hasFixedURLs)
    }
}

/// 2026-01-31T10:00:00.000Z.
let tenOClockMs = 1_769_853_600_000

/// Random numbers for property tests; a failing case prints its seed.
struct SeededNumbers {
    let seed: UInt64
    private var index: UInt64 = 0

    init(seed: UInt64) { self.seed = seed }

    /// The next number in `range`.
    mutating func next(_ range: ClosedRange<Int>) -> Int {
        defer { index += 1 }
        return range.lowerBound + Int(SeedMix.value(seed: seed, index: index) % UInt64(range.count))
    }
}

extension OriginResponse {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }

    /// First value of header `name`.
    func header(_ name: String) -> String? { headers.first { $0.name.rawValue == name }?.value }
}

extension JSONText {
    /// The member of an object; nil for other values.
    subscript(_ name: String) -> JSONText? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The items of an array; empty for other values.
    var items: [JSONText] {
        guard case .array(let items) = self else { return [] }
        return items
    }

    /// The text of a string; nil for other values.
    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The value of a number, or of a string that holds a number.
    var integer: Int? {
        switch self {
        case .number(let text), .string(let text): Int(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
        default: nil
        }
    }

    /// Indented text; a tracking event or another short value is one line.
    func readable(_ indent: String = "") -> String {
        let flat = text
        if flat.count <= 100 || self["event"] != nil { return flat }
        let inner = indent + "  "
        switch self {
        case .array(let items):
            return "[\n" + items.map { inner + $0.readable(inner) }.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let members):
            let lines = members.map { "\(inner)\(JSONText.string($0.name).text): \($0.value.readable(inner))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        default: return flat
        }
    }
}

/// A tracking event as a metadata document lists it.
struct ListedEvent {
    let name: String
    let startMs: Int
    let urls: [String]

    /// Every event of every ad.
    static func all(in document: JSONText) -> [ListedEvent] {
        let ads = document["adBreaks"]?.items.flatMap { $0["ads"]?.items ?? [] } ?? []
        return ads.flatMap { $0["trackingEvents"]?.items ?? [] }.compactMap { event in
            guard let name = event["event"]?.string, let startMs = event["startTime"]?.integer else { return nil }
            return ListedEvent(
                name: name, startMs: startMs, urls: event["signalingUrls"]?.items.compactMap(\.string) ?? [])
        }
    }
}
