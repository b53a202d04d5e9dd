import Ports

/// What was played of one track, and what is due on it.
struct TrackPlay: Sendable {
    /// Events that playing alone reports, by time.
    var index = DueIndex()
    /// What was played at a rate that counts.
    var played = PlayedRanges()
    /// What was passed at a rate that does not.
    var scrubbed = PlayedRanges()
    /// Where the playhead was last on this track.
    var position: UnixTime?
    /// End of the stretch being played, while it may go on.
    var openEnd: UnixTime?
    /// It was left, and nothing of it plays unless the viewer goes back.
    var isOver = false

    mutating func clean(keep: Duration) {
        guard let position else { return }
        played.clean(at: position, keep: keep)
        scrubbed.clean(at: position, keep: keep)
    }
}
