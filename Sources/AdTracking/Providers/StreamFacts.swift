package import HLS
package import Ports

/// What is known of the stream when a provider makes a request or reads a document: it places times that are not dates, and
/// names the part of the stream whose ads it wants.
package struct StreamFacts: Sendable {
    /// Segments, dates, markers and target duration; empty before the first playlist.
    package var timeline: Timeline
    /// Media date of the playhead; nil before it joined, and without dates.
    package var playhead: UnixTime?
    /// Whether the viewer has played all that is listed.
    package var isPlayed = false
    /// Whether the timeline is that of a playlist; otherwise it follows the wall clock (PRV-48).
    package var hasPlaylist = true
    /// Whether position 0 of the timeline is second 0 of the session, as far as is known.
    package var placesSeconds = true
    /// Which media was read.
    package var reading = MediaReading()

    package init(timeline: Timeline = Timeline(), playhead: UnixTime? = nil) {
        self.timeline = timeline
        self.playhead = playhead
    }

    /// The timeline on which seconds of the session have a place; nil before the first playlist, and on the wall clock
    /// without the date of second 0.
    var knownTimeline: Timeline? { timeline.playlist == nil || !placesSeconds ? nil : timeline }

    /// Whether the dates follow from the arrival of the first playlist (HLS-15): seconds off, so that dates of metadata have no place in them.
    var hasAssumedDates: Bool { timeline.dateOfZero != nil }

    /// Date up to which the viewer has played and the media was read: what was found there is all that there is. Nil before the join.
    var playedAndRead: UnixTime? { playhead.map { min($0, reading.awaited ?? $0) } }

    /// The state that lint compares a document with.
    func surroundings(pollInterval: Duration) -> FeedLint.Surroundings {
        let window = timeline.window
        return FeedLint.Surroundings(
            playhead: playhead, liveEdge: timeline.hasEnded || !hasPlaylist ? nil : window?.endDate,
            pollInterval: pollInterval, targetDuration: timeline.targetDuration ?? .zero,
            lacksDates: window.map { $0.startDate == nil && $0.endDate == nil } ?? false)
    }
}

/// The part of the stream whose timed metadata was read, for a provider that places ads by it (PRV-47).
package struct MediaReading: Hashable, Sendable {
    /// Date at which the viewer joined, or went to last: what is before is not read. Nil before, and without dates.
    package var from: UnixTime?
    /// Date of the first segment that is being read, or that the viewer has reached unread; nil if there is none.
    package var awaited: UnixTime?

    package init(from: UnixTime? = nil, awaited: UnixTime? = nil) {
        (self.from, self.awaited) = (from, awaited)
    }

    /// Whether all that is to be read before that date was read.
    func isRead(to date: UnixTime) -> Bool { awaited.map { date <= $0 } ?? true }
}
