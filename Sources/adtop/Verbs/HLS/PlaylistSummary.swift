import HLS
import Ports

/// A parsed playlist as a few lines of text.
enum PlaylistSummary {
    static func lines(of parsed: ParsedPlaylist) -> [String] {
        switch parsed.kind {
        case .media(let playlist): media(playlist)
        case .multivariant(let playlist): multivariant(playlist)
        case .invalid(let rule): ["rejected: \(rule)"]
        }
    }

    private static func media(_ playlist: MediaPlaylist) -> [String] {
        let total = playlist.segments.reduce(Duration.zero) { $0 + $1.duration }
        var lines = [
            "media playlist, \(playlist.isComplete ? "finished" : "live"), "
                + "\(playlist.segments.count.counted("segment")), \(total.text)",
            "  media sequence \(playlist.mediaSequence), discontinuity sequence \(playlist.discontinuitySequence)",
        ]
        if let first = playlist.segments.first?.date { lines.append("  starts at \(first.iso8601)") }
        for adBreak in playlist.adBreaks {
            let start = adBreak.start?.iso8601 ?? "unknown time"
            lines.append(
                "  break from \(adBreak.source.rawValue) at \(start)\(adBreak.plannedDuration.map { ", planned \($0.text)" } ?? "")"
            )
        }
        if !playlist.interstitials.isEmpty {
            lines.append("  \(playlist.interstitials.count.counted("interstitial"))")
        }
        return lines
    }

    private static func multivariant(_ playlist: MultivariantPlaylist) -> [String] {
        [
            "multivariant playlist, \(playlist.variants.count.counted("variant")), "
                + playlist.renditions.count.counted("rendition")
        ]
            + playlist.variants.map { variant in
                let bandwidth = variant.bandwidth.map { "\(($0 / 1_000).grouped) kbit/s" } ?? "no bandwidth"
                return "  \(bandwidth)  \(variant.codecs ?? "")  \(variant.uri)"
            }
    }
}
