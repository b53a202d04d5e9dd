import Algorithms
import Ports

extension MediaPlaylist {
    /// `adBreaks` with the ends of the date ranges that others end.
    package var followedBreaks: [AdBreakMarker] {
        let (ranges, cues) = adBreaks.partitioned { $0.source == .cue }
        return cues + ended(ranges)
    }

    /// Markers of date ranges with the ends that they have where the playlist is followed from here: a range that tells none of its own may
    /// end with one of another ID, or with cue tags (HLS-25). Ranges that are ads in a break, and delta updates, stay as they are.
    func ended(_ ranges: [AdBreakMarker]) -> [AdBreakMarker] {
        let mayEnd = adBreaks.contains { $0.source == .cue } || dateRanges.contains(where: \.endsAnotherBreak)
        guard mayEnd, ranges.contains(where: { $0.closedBy == nil }) else { return ranges }
        var (timeline, track) = (Timeline(), BreakTrack())
        _ = timeline.fold(self)
        track.fold(timeline, reload: 0)
        let followed = Dictionary(
            track.breaks.lazy.filter { $0.source == .dateRange && !$0.isOpen }
                .compactMap { known in known.markerID.map { ($0, known) } },
            uniquingKeysWith: { first, _ in first })
        return ranges.map { range in
            guard range.closedBy == nil, let known = range.id.flatMap({ followed[$0] }) else { return range }
            var range = range
            (range.end, range.endSequence, range.closedBy) = (known.end, known.endSequence, known.closedBy)
            return range
        }
    }
}
