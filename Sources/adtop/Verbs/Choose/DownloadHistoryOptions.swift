import ArgumentParser
import CreativeCache
import Ports
import VAST

/// The options that describe the last download of a rewarded video.
struct DownloadHistoryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Duration of the last download.", valueName: "seconds"))
    var lastTime: Double?

    @Option(help: "Quality of the last download: low, mid or high.", completion: .list(["low", "mid", "high"]))
    var lastQuality: String?

    /// Nil when neither is given.
    func rule(bandwidth: Int?) throws(CommandFailure) -> DownloadRule? {
        guard lastTime != nil || lastQuality != nil else { return nil }
        if let lastQuality, Quality(rawValue: lastQuality) == nil {
            throw CommandFailure(.usage, "--last-quality: '\(lastQuality)' is not low, mid or high")
        }
        guard lastTime != nil, lastQuality != nil else {
            let (given, other) =
                lastTime == nil ? ("--last-quality", "--last-time") : ("--last-time", "--last-quality")
            throw CommandFailure(.usage, "\(given): has an effect only with \(other); give both")
        }
        let quality = lastQuality.flatMap(Quality.init(rawValue:))
        let measurement = lastTime.flatMap { seconds in
            quality.map { DownloadMeasurement(seconds: seconds, quality: $0) }
        }
        return DownloadRule(measurement: measurement, bandwidth: bandwidth)
    }
}

/// The next download after that one, and the choice by bandwidth alone (CACHE-16).
struct DownloadRule {
    var measurement: DownloadMeasurement?
    /// kbit/s
    var bandwidth: Int?

    func lines(for files: [VASTDocument.MediaFile]) -> [String] {
        let quality = QualitySelector.next(after: measurement)
        guard let mapping = MediaMapping(files.map(Rendition.init)) else {
            return ["  ✗ download: no MP4 file (error \(MediaMapping.nothingPlayableCode))"]
        }
        var lines = [
            "  ↓ download \(quality.rawValue): \(QualitySelector.reason(after: measurement))  \(mapping[quality].url)"
        ]
        if let bandwidth {
            lines.append("  ↓ by \(bandwidth.grouped) kbit/s alone  \(mapping.rendition(forBandwidth: bandwidth).url)")
        }
        return lines
    }

    func json(for files: [VASTDocument.MediaFile]) -> JSONValue {
        let quality = QualitySelector.next(after: measurement)
        let mapping = MediaMapping(files.map(Rendition.init))
        return [
            "quality": .string(quality.rawValue), "reason": .string(QualitySelector.reason(after: measurement)),
            "low": .optional(mapping?.low.url), "mid": .optional(mapping?.mid.url),
            "high": .optional(mapping?.high.url), "url": .optional(mapping?[quality].url),
            "byBandwidth": .optional(
                bandwidth.flatMap { bandwidth in mapping?.rendition(forBandwidth: bandwidth).url }),
        ]
    }
}
