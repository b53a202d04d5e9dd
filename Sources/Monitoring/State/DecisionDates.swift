import HLS
import Ports

extension MonitorState {
    /// Ads lie at media dates. A finished stream that has none, as most have, gets those of a clock that stands at zero
    /// when it begins, so that the date is the position and the same in every session: beacons keep their identity.
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
