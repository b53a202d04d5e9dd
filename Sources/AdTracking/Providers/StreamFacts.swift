package import HLS
package import Ports

/// What is known of the stream when a provider makes a request or reads a document: it places times that are not dates, and
/// names the part of the stream whose ads it wants.
package struct StreamFacts: Sendable {
    /// Segments, dates, markers and target duration; empty before the first playlist.
    package var timeline: Timeline
    /// Media date of the playhead; nil before it joined, and without dates.
    package var playhead: UnixTime?
    /// Whether the timeline is that of a playlist; otherwise it follows the wall clock (PRV-48).
    package var hasPlaylist = true
    /// Whether position 0 of the timeline is second 0 of the session, as far as is known.
    package var placesSeconds = true

    package init(timeline: Timeline = Timeline(), playhead: UnixTime? = nil) {
        self.timeline = timeline
        self.playhead = playhead
    }

    /// The timeline on which seconds of the session have a place; nil before the first playlist, and on the wall clock
    /// without the date of second 0.
    var knownTimeline: Timeline? { timeline.playlist == nil || !placesSeconds ? nil : timeline }

    /// The state that lint compares a document with.
    func surroundings(pollInterval: Duration) -> FeedLint.Surroundings {
        let window = timeline.window
        return FeedLint.Surroundings(
            playhead: playhead, liveEdge: timeline.hasEnded || !hasPlaylist ? nil : window?.endDate,
            pollInterval: pollInterval, targetDuration: timeline.targetDuration ?? .zero,
            lacksDates: window.map { $0.startDate == nil && $0.endDate == nil } ?? false)
    }
}
