import Ports

/// Playback state of one track: the ranges that were played and the events due on it.
struct TrackPlay: Sendable {
    /// Time of the ads across steps of the dates.
    var clock = SeamClock()
    /// Events triggered by playback alone, by time.
    var index = DueIndex()
    /// Ranges played at a rate that counts.
    private(set) var played = PlayedRanges()
    /// What of it was played in observe mode, and not since: nothing that was due there is sent (TRK-11).
    private(set) var observed = PlayedRanges()
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
    /// - Parameters:
    ///   - mode: the mode in which it was played.
    ///   - end: that of what it continues: what was due there was due before.
    mutating func recordPlayed(
        _ stretch: ClosedRange<UnixTime>, in mode: ReportingMode, continuing end: UnixTime? = nil
    ) {
        record(stretch)
        let from = max(stretch.lowerBound, end.map { $0 + .microseconds(1) } ?? stretch.lowerBound)
        guard from <= stretch.upperBound else { return }
        switch mode {
        case .fire: observed.remove(from...stretch.upperBound)
        case .observe:
            let continuesObserved = end.map(observed.contains) ?? false
            observed.record((continuesObserved ? stretch.lowerBound : from)...stretch.upperBound)
        }
    }

    /// Records that a stretch of media dates, which was recorded as played, shows other times of ads.
    /// - Parameter shift: time of ads minus media date.
    mutating func recordPlayed(_ stretch: ClosedRange<UnixTime>, shiftedBy shift: Duration) {
        record(stretch)
        for range in observed.ranges {
            let (from, through) = (range.lowerBound + shift, range.upperBound + shift)
            guard from <= stretch.upperBound, through >= stretch.lowerBound else { continue }
            observed.record(max(from, stretch.lowerBound)...min(through, stretch.upperBound))
        }
    }

    /// Playback continues what was played up to `end`.
    mutating func proceed(with stretch: PlayedStretch, from end: UnixTime, in mode: ReportingMode) {
        let (first, through) = (min(end, stretch.from), max(end, stretch.through))
        recordPlayed(first...through, in: mode, continuing: end)
        shown.show(first...through, continues: true)
        openEnd = through
    }

    /// `stretch` does not continue the dates that were played before. Its media may follow all the same.
    mutating func showElsewhere(_ stretch: PlayedStretch) {
        if !stretch.isSeamless || openEnd == nil { shown.stop() }
        shown.show(stretch.from...stretch.through, continues: false)
    }

    /// Playback begins with `stretch`.
    mutating func begin(with stretch: PlayedStretch, in mode: ReportingMode) {
        recordPlayed(stretch.from...stretch.through, in: mode)
        openEnd = stretch.through
    }

    /// The viewer is elsewhere; the range played so far is closed.
    mutating func jump(to position: UnixTime?) {
        clock.stop()
        shown.stop()
        self.position = position
        isAtEnd = false
    }

    /// `stretch` was passed at a rate that does not count.
    mutating func scrub(_ stretch: PlayedStretch) {
        shown.stop()
        scrubbed.record(stretch.from...stretch.through)
    }

    private mutating func record(_ stretch: ClosedRange<UnixTime>) {
        played.record(stretch)
        firstPlayed = min(firstPlayed ?? stretch.lowerBound, stretch.lowerBound)
    }

    /// The same media has other dates from now on.
    mutating func redate(by shift: Duration) {
        clock.redate(by: shift)
        played.redate(by: shift)
        observed.redate(by: shift)
        shown.redate(by: shift)
        scrubbed.redate(by: shift)
        firstPlayed = firstPlayed.map { $0 + shift }
        position = position.map { $0 + shift }
        openEnd = openEnd.map { $0 + shift }
    }

    mutating func clean(keep: Duration) {
        guard let position else { return }
        played.clean { shown.distance(from: $0, to: position) >= keep }
        observed.clean { shown.distance(from: $0, to: position) >= keep }
        scrubbed.clean { position - $0 >= keep }
        clock.clean(at: position, keep: keep)
    }
}
