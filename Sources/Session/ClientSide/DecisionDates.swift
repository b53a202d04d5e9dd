import HLS
import Ports

extension MonitorState {
    /// Ads are placed at media dates. A complete stream mostly has none; it gets the dates of a clock that is zero at
    /// its start. The date then equals the position and is the same in every session, so that beacons keep their
    /// identity.
    func dated(_ parsed: ParsedPlaylist) -> ParsedPlaylist {
        guard configuration.decision != nil, var media = parsed.media, media.hasEndList,
            media.segments.allSatisfy({ $0.date == nil })
        else { return parsed }
        var start = UnixTime(microseconds: 0)
        for index in media.segments.indices {
            media.segments[index].date = start
            media.segments[index].dateSource = .forward
            start += media.segments[index].duration
        }
        var dated = parsed
        dated.kind = .media(media)
        return dated
    }
}
