package import Ports

/// Zone records as JSON in files and recordings.
extension ZoneRecord {
    package var json: JSONValue {
        [
            "zone": .string(zone), "storedAtMs": .integer(storedAt.milliseconds), "sourceUrl": .string(sourceURL),
            "mediaUrl": .string(mediaURL), "mediaType": .optional(mediaType),
            "mediaBytes": .integer(Int64(mediaBytes)), "measurement": measurement.json, "etag": .optional(etag),
            "response": .string(String(decoding: response, as: UTF8.self)),
        ]
    }

    /// Nil when a member is missing or invalid.
    package init?(_ json: JSONValue) {
        guard let zone = json["zone"]?.stringValue, let storedAt = json["storedAtMs"]?.integerValue,
            let source = json["sourceUrl"]?.stringValue, let response = json["response"]?.stringValue,
            let mediaURL = json["mediaUrl"]?.stringValue,
            let bytes = json["mediaBytes"]?.integerValue.flatMap(Int.init(exactly:)), bytes >= 0,
            let measurement = json["measurement"].flatMap(DownloadMeasurement.init)
        else { return nil }
        self.init(
            zone: zone, storedAt: UnixTime(milliseconds: storedAt), sourceURL: source, response: Array(response.utf8),
            mediaURL: mediaURL, mediaType: json["mediaType"]?.stringValue, mediaBytes: bytes,
            measurement: measurement, etag: json["etag"]?.stringValue)
    }
}

extension DownloadMeasurement {
    package var json: JSONValue {
        ["seconds": .double(seconds), "quality": .string(quality.rawValue), "bytes": .optional(bytes)]
    }

    package init?(_ json: JSONValue) {
        guard let seconds = json["seconds"]?.doubleValue,
            let quality = json["quality"]?.stringValue.flatMap(Quality.init(rawValue:))
        else { return nil }
        self.init(
            seconds: seconds, quality: quality, bytes: json["bytes"]?.integerValue.flatMap(Int.init(exactly:)))
    }
}
