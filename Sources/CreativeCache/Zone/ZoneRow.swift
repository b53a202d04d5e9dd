package import Ports

/// A stored zone as shown beside the creatives; its answer and its video share one hour (CACHE-14).
package struct ZoneRow: Hashable, Sendable {
    /// Most zones shown.
    package static let maximumRows = 100

    package var zone: String
    package var storedAt: UnixTime
    package var responseBytes: Int
    package var mediaBytes: Int
    /// The measurement on which the next choice of a quality is based.
    package var measurement: DownloadMeasurement
    /// Loads of this session that were served from it.
    package var hits = 0

    package init(
        zone: String, storedAt: UnixTime, responseBytes: Int, mediaBytes: Int, measurement: DownloadMeasurement
    ) {
        self.zone = zone
        // Times are rounded to whole milliseconds, as in recordings, so that live views and replays agree.
        self.storedAt = UnixTime(milliseconds: storedAt.milliseconds)
        self.responseBytes = responseBytes
        self.mediaBytes = mediaBytes
        self.measurement = measurement
    }

    package init(_ record: ZoneRecord) {
        self.init(
            zone: record.zone, storedAt: record.storedAt, responseBytes: record.response.count,
            mediaBytes: record.mediaBytes, measurement: record.measurement)
    }

    package var expiresAt: UnixTime { storedAt + ZonePresence.life }

    /// A member of the snapshot's `zones` (docs/snapshot.md).
    package var json: JSONValue {
        [
            "zone": .string(zone), "storedAtMs": .integer(storedAt.milliseconds),
            "expiresAtMs": .integer(expiresAt.milliseconds), "responseBytes": .integer(Int64(responseBytes)),
            "mediaBytes": .integer(Int64(mediaBytes)), "measurement": measurement.json, "hits": .integer(Int64(hits)),
        ]
    }

    /// Nil when a member is missing or invalid.
    package init?(_ json: JSONValue) {
        guard let zone = json["zone"]?.stringValue, let storedAt = json["storedAtMs"]?.integerValue,
            let response = json["responseBytes"].flatMap(Self.count),
            let media = json["mediaBytes"].flatMap(Self.count),
            let measurement = json["measurement"].flatMap(DownloadMeasurement.init)
        else { return nil }
        self.init(
            zone: zone, storedAt: UnixTime(milliseconds: storedAt), responseBytes: response, mediaBytes: media,
            measurement: measurement)
        hits = json["hits"].flatMap(Self.count) ?? 0
    }

    private static func count(_ json: JSONValue) -> Int? { json.integerValue.flatMap(Int.init(exactly:)) }
}
