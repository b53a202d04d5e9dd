import Ports

/// Playback state of one track: the ranges that were played and the events due on it.
struct TrackPlay: Sendable {
    /// Time of the ads across steps of the dates.
    var clock = SeamClock()
    /// Events triggered by playback alone, by time.
    var index = DueIndex()
    /// Ranges played at a rate that counts.
    private(set) var played = PlayedRanges()
    /// The earliest media that was ever played; unlike the ranges it is never forgotten.
    private(set) var firstPlayed: UnixTime?
    /// Which dates were shown across their steps.
    var shown = ShownPlaces()
    /// Ranges passed at a rate that does not count.
    var scrubbed = PlayedRanges()
    /// Where the playhead was last on this track.
    var position: UnixTime?
    /// End of the stretch being played, while it may still be continued.
    var openEnd: UnixTime?
    /// The track was left; it does not play again unless the viewer seeks back.
    var isOver = false
    /// The stream is at its end: nothing continues what was played, unless the stream continues after all.
    var isAtEnd = false

    /// Records a stretch that was played without a gap, at a rate that counts.
    mutating func recordPlayed(_ stretch: ClosedRange<UnixTime>) {
        played.record(stretch)
        firstPlayed = min(firstPlayed ?? stretch.lowerBound, stretch.lowerBound)
    }

    mutating func clean(keep: Duration) {
        guard let position else { return }
        played.clean { shown.distance(from: $0, to: position) >= keep }
        scrubbed.clean { position - $0 >= keep }
        clock.clean(at: position, keep: keep)
    }
}
