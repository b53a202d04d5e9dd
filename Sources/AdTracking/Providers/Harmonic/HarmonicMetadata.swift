import Ports

/// Reads ad metadata of Harmonic PMM (TRK-4) node by node: a bad node does not affect its neighbours.
package enum HarmonicMetadata {
    /// Throws only when there is nothing to show. Polled documents are read by a ``MetadataDecoder``.
    package static func decode(_ bytes: [UInt8]) throws(MetadataProblem) -> DecodedMetadata {
        var decoder = MetadataDecoder()
        return try decoder.decode(bytes)
    }
}

extension NodeReader {
    mutating func dataRange(_ value: JSONValue?) -> DataRange? {
        guard let value, value != .null else {
            report(.dataRange, "dataRange is missing", at: "dataRange")
            return nil
        }
        guard case .object(let object) = value else {
            report(.dataRange, "dataRange is a JSON \(value.typeName) instead of an object", at: "dataRange")
            return nil
        }
        return inside("dataRange") { reader in
            guard let start = object["start"].flatMap({ reader.time($0, "start") }),
                let end = object["end"].flatMap({ reader.time($0, "end") })
            else {
                reader.report(.dataRange, "dataRange lacks start or end")
                return nil
            }
            // One of the references treats 0 as absent; a range that ends at 0 covers nothing in either case.
            guard start < end else {
                let state = start == end ? "is empty" : "is inverted"
                reader.report(.dataRange, "dataRange \(state): \(start.milliseconds) to \(end.milliseconds)")
                return nil
            }
            return DataRange(start: start, end: end)
        }
    }

    mutating func adBreak(_ object: JSONObject, growingAt edge: UnixTime?) -> AdBreak? {
        var fields = TimedFields()
        var adsValue: JSONValue?
        var extras = JSONObject()
        for member in object.members {
            if take(member, into: &fields) { continue }
            if member.name == "ads" {
                adsValue = member.value
            } else {
                keep(member, in: &extras, known: MetadataNames.adBreak)
            }
        }
        if fields.name == nil { report(.identifier, "break without id", at: "id") }
        let ads = ads(adsValue, breakStart: fields.start, growingAt: edge)
        guard let start = fields.start ?? ads.first?.start else {
            report(.wrongType, "break without startTime cannot be placed", at: "startTime")
            return nil
        }
        if fields.start == nil {
            report(.wrongType, "startTime is missing; using the start of the first ad", at: "startTime")
        }
        if fields.duration == nil {
            report(.wrongType, "\(fields.lack); using the end of the last ad", at: "duration")
        }
        let duration = fields.duration ?? ads.reduce(.zero) { max($0, $1.end - start) }
        reportUnits(start: start, duration: duration, edge: edge)
        place(of: fields.name, start: start)
        return AdBreak(name: fields.name, start: start, duration: duration, ads: ads, extras: extras)
    }

    private mutating func ads(_ value: JSONValue?, breakStart: UnixTime?, growingAt edge: UnixTime?) -> [Ad] {
        guard let objects = objects(value, "ads") else { return [] }
        if objects.isEmpty { report(.emptyBreak, "break has no ads", at: "ads") }
        var ads: [Ad] = []
        ads.reserveCapacity(objects.count)
        for (index, object) in objects {
            let fallback = ads.last?.end ?? breakStart
            inside("ads", index) { reader in
                let first = reader.findings.count
                guard let ad = reader.ad(object, fallbackStart: fallback) else { return }
                reader.reportUnits(start: ad.start, duration: ad.duration, edge: edge)
                reader.place(since: first, ad: ad.name ?? "")
                ads.append(ad)
            }
        }
        return ads.sortedStably { $0.start < $1.start }
    }

    /// Seconds in place of milliseconds are reported and never converted: a wrong guess would bill the wrong ad (lint
    /// L11).
    private mutating func reportUnits(start: UnixTime, duration: Duration, edge: UnixTime?) {
        let secondsSinceEpoch: ClosedRange<Int64> = 1_000_000_000...9_999_999_999
        if secondsSinceEpoch.contains(start.milliseconds) {
            report(
                .units, "startTime \(start.milliseconds) looks like seconds instead of milliseconds", at: "startTime")
        }
        guard (Duration.milliseconds(1)...Duration.milliseconds(300)).contains(duration) else { return }
        dependsOnEdge = true
        if edge.map({ start + duration < $0 }) ?? true {
            report(
                .units, "duration \(duration.inMilliseconds) looks like seconds instead of milliseconds", at: "duration"
            )
        }
    }
}

/// The fields that breaks and ads share.
struct TimedFields {
    var name: String?
    var start: UnixTime?
    var duration: Duration?
    /// Whether there is a duration that cannot be used, which has its own finding.
    var hasUnusableDuration = false

    /// Why there is no duration.
    var lack: String { hasUnusableDuration ? "duration counts as missing" : "duration is missing" }
}

extension NodeReader {
    /// Reads `member` if it is one of `fields`; false otherwise.
    mutating func take(_ member: JSONObject.Member, into fields: inout TimedFields) -> Bool {
        switch member.name {
        case "id": fields.name = text(member.value, "id")
        case "startTime": fields.start = time(member.value, "startTime")
        case "duration":
            fields.duration = span(member.value, "duration")
            fields.hasUnusableDuration = fields.duration == nil && member.value != .null
        default: return false
        }
        return true
    }
}
