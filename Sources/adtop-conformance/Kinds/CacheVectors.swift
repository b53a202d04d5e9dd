import CreativeCache
import Ports

/// Vectors of the creative cache, rewarded zones and their videos.
enum CacheVectors {
    /// Sequences of puts and gets on a virtual clock.
    static let cacheStore = VectorKind(schema: "adtop/store-sequence/1", casesIn: "cases") {
        node throws(VectorProblem) in
        var run = try StoreSequence(node)
        var differences: [Difference] = []
        let expected = try node.member("expect").list()
        let steps = try node.member("ops").list()
        guard steps.count == expected.count else {
            throw VectorProblem(path: node.path, message: "expected one result for each step")
        }
        for (step, expected) in zip(steps, expected) {
            differences += Difference.check(
                expected.path, expected: expected.value, actual: .string(try run.perform(step)))
        }
        let keys = try node.member("finalKeys")
        return differences + Difference.checkSet(keys.path, expected: try keys.texts(), actual: run.keys)
    }

    /// Table 5 of the thesis.
    static let qualitySelection = VectorKind(schema: "adtop/quality-selection/1", casesIn: "cases") {
        node throws(VectorProblem) in
        let quality = try node.optional("downloadedQuality")?.text()
        let seconds = try node.optional("downloadSeconds")?.number()
        let measurement = seconds.flatMap { seconds in
            quality.flatMap(Quality.init(rawValue:)).map { DownloadMeasurement(seconds: seconds, quality: $0) }
        }
        let expected = try node.member("expect")
        return Difference.check(
            expected.path, expected: expected.value,
            actual: .string(QualitySelector.next(after: measurement).rawValue))
    }

    /// The selection of the low, mid and high media file.
    static let mediaMapping = VectorKind(schema: "adtop/media-mapping/1", casesIn: "cases") {
        node throws(VectorProblem) in
        var renditions: [Rendition] = []
        for file in try node.member("mediaFiles").list() {
            renditions.append(
                Rendition(
                    url: try file.member("url").text(), type: try file.optional("type")?.text(),
                    delivery: try file.optional("delivery")?.text(), bitrate: try file.optional("bitrate")?.count(),
                    width: try file.optional("width")?.count(), height: try file.optional("height")?.count()))
        }
        let mapping = MediaMapping(renditions).map { mapping -> JSONValue in
            [
                "low": .string(mapping.low.url), "mid": .string(mapping.mid.url),
                "high": .string(mapping.high.url),
            ]
        }
        let expected = try node.member("expect")
        return Difference.check(expected.path, expected: expected.value, actual: mapping ?? .null)
    }

    /// Whether a saved zone may be used again.
    static let zoneCache = VectorKind(schema: "adtop/zone-cache/1", casesIn: "cases") { node throws(VectorProblem) in
        let presence = ZonePresence(
            zone: try node.member("storedZone").text(), age: .seconds(try node.member("ageSeconds").integer()),
            hasResponse: try node.member("response").flag(), hasMedia: try node.member("mediaFile").flag())
        let actual: JSONValue =
            switch presence.verdict(for: try node.member("askedZone").text()) {
            case .hit: ["hit": true, "reason": nil]
            case .miss(let reason): ["hit": false, "reason": .string(reason.rawValue)]
            }
        let expected = try node.member("expect")
        return Difference.check(expected.path, expected: expected.value, actual: actual)
    }
}

/// Runs the steps of a sequence on a store.
private struct StoreSequence {
    private static let epoch = UnixTime(milliseconds: 1_800_000_000_000)

    private var store: CreativeStore
    private var now = epoch

    init(_ node: VectorNode) throws(VectorProblem) {
        let config = try node.member("config")
        var limits = StoreLimits()
        limits.memoryBytes = try config.member("maxBytes").count()
        limits.entryBytes = try config.member("maxEntryBytes").count()
        limits.defaultLife = .seconds(try config.member("defaultTtl").integer())
        limits.maximumLife = .seconds(try config.member("maxTtl").integer())
        store = CreativeStore(limits: limits)
    }

    /// The remaining keys, expired or not.
    var keys: [String] { store.records(at: now).map(\.id.text) }

    /// Runs `[seconds, "put", id, bytes, ttl?, overwrite?]` or `[seconds, "get", id]`; returns the result in the words
    /// of the vectors.
    mutating func perform(_ step: VectorNode) throws(VectorProblem) -> String {
        let parts = try step.list()
        guard parts.count >= 3, let id = CreativeID(try parts[2].text()) else {
            throw VectorProblem(path: step.path, message: "expected time, operation and id")
        }
        now = Self.epoch + .seconds(try parts[0].integer())
        if try parts[1].text() == "get" {
            return store.get(id, at: now) == .missing ? "miss" : "hit"
        }
        guard try parts[1].text() == "put" else {
            throw VectorProblem(path: parts[1].path, message: "unknown operation")
        }
        guard parts.count >= 4 else { throw VectorProblem(path: step.path, message: "expected a number of bytes") }
        let creative = CachedCreative(
            id: id, kind: .banner,
            content: CachedCreative.Content(body: Array(repeating: 0x61, count: max(0, try parts[3].count()))))
        let life: Duration? = parts.count > 4 ? .seconds(try parts[4].integer()) : nil
        let replacing = parts.count > 5 ? try parts[5].flag() : true
        switch store.put(creative, life: life, replacing: replacing, at: now) {
        case .stored(let evicted):
            return evicted.isEmpty ? "stored" : "stored:evicted=\(evicted.map(\.text).joined(separator: ","))"
        case .negativeLife: return "negativeTtl"
        case .tooLarge: return "tooLarge"
        case .exists: return "exists"
        }
    }
}
