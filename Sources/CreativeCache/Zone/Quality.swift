/// One of three renditions of a video.
package enum Quality: String, Hashable, Sendable, CaseIterable {
    case low, mid, high
}

/// The duration of a rendition's download, on which the next choice is based.
package struct DownloadMeasurement: Hashable, Sendable {
    package var seconds: Double
    package var quality: Quality
    /// Bytes received, if known; shown, but not used by the rule (CACHE-16).
    package var bytes: Int?

    package init(seconds: Double, quality: Quality, bytes: Int? = nil) {
        self.seconds = seconds
        self.quality = quality
        self.bytes = bytes
    }

    /// Nil when bytes are unknown or the time is unusable.
    package var kilobitsPerSecond: Double? {
        guard let bytes, seconds > 0, seconds.isFinite else { return nil }
        return Double(bytes) * 8 / 1_000 / seconds
    }
}

/// Chooses the next quality from the last download, by table 5 of the thesis.
package enum QualitySelector {
    /// Below the first bound the highest quality is chosen, up to the second one the middle one (CACHE-16).
    private static func bounds(_ quality: Quality) -> (high: Double, mid: Double) {
        switch quality {
        case .low: (2, 3)
        case .mid: (3, 5)
        case .high: (5, 10)
        }
    }

    /// Low without a measurement, or with an impossible one.
    package static func next(after measurement: DownloadMeasurement?) -> Quality {
        guard let measurement, measurement.seconds.isFinite, measurement.seconds >= 0 else { return .low }
        let bounds = bounds(measurement.quality)
        if measurement.seconds < bounds.high { return .high }
        return measurement.seconds <= bounds.mid ? .mid : .low
    }

    /// The row of the table that decided, for display.
    package static func reason(after measurement: DownloadMeasurement?) -> String {
        guard let measurement else { return "no measurement yet" }
        guard measurement.seconds.isFinite, measurement.seconds >= 0 else { return "the last measurement is invalid" }
        let bounds = bounds(measurement.quality)
        let time = "the last \(measurement.quality.rawValue) download took \(Self.text(measurement.seconds)) s"
        switch next(after: measurement) {
        case .high: return "\(time), below \(Self.text(bounds.high)) s"
        case .mid: return "\(time), between \(Self.text(bounds.high)) and \(Self.text(bounds.mid)) s"
        case .low: return "\(time), above \(Self.text(bounds.mid)) s"
        }
    }

    private static func text(_ seconds: Double) -> String {
        seconds == seconds.rounded() && seconds < 1e9 ? "\(Int(seconds))" : "\(seconds)"
    }
}
