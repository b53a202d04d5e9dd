import HLS
import Ports

extension ParsedPlaylist {
    /// Whether it is of a live stream, and no segment has a date.
    var isUndatedLive: Bool {
        media?.isComplete == false && hasUndatedSegments
    }

    /// Whether it is of a complete stream, and no segment has a date.
    var isUndatedRecording: Bool {
        media?.isComplete == true && hasUndatedSegments
    }

    private var hasUndatedSegments: Bool {
        guard let media, !media.segments.isEmpty else { return false }
        return media.segments.allSatisfy { $0.date == nil }
    }

    /// Ads are placed at media dates. A complete stream mostly has none; it gets the dates of a clock that is zero at
    /// its start. The date then equals the position and is the same in every session, so that beacons keep their
    /// identity.
    var dated: ParsedPlaylist {
        guard isUndatedRecording, var media else { return self }
        var start = UnixTime(microseconds: 0)
        for index in media.segments.indices {
            media.segments[index].date = start
            media.segments[index].dateSource = .forward
            start += media.segments[index].duration
        }
        var dated = self
        dated.kind = .media(media)
        return dated
    }
}
