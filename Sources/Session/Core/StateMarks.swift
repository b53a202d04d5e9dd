import AdTracking
package import HLS
package import Ports

/// The main state of a session, small enough to check after every input, unlike a snapshot.
package struct StateMarks: Sendable, Equatable {
    package var counters: Counters
    package var phase: SessionView.Phase
    package var playlist: FeedHealth.State
    package var metadata: FeedHealth.State
    package var playhead: PlayheadView.State
    /// Position as in `PlayheadView.stream`; the next member is the date.
    package var stream: StreamTime?
    package var date: UnixTime?
    /// The date at the end of the newest playlist; nil without a playlist or dates.
    package var edge: UnixTime?
    /// Number of sessions that were replaced: each has stream times of its own.
    package var renewals: Int

    package init(
        counters: Counters = Counters(), phase: SessionView.Phase, playlist: FeedHealth.State,
        metadata: FeedHealth.State, playhead: PlayheadView.State, stream: StreamTime? = nil, date: UnixTime? = nil,
        edge: UnixTime? = nil, renewals: Int = 0
    ) {
        self.counters = counters
        self.phase = phase
        self.playlist = playlist
        self.metadata = metadata
        self.playhead = playhead
        self.stream = stream
        self.date = date
        self.edge = edge
        self.renewals = renewals
    }
}

extension StateMarks {
    /// The marks after the last input.
    package init(_ state: borrowing MonitorState) {
        let reading = state.playhead.reading(on: state.playlist.follower.timeline)
        self.init(
            counters: state.desk.counters, phase: state.phase, playlist: state.playlist.record.health.state,
            metadata: state.metadata.record.health.state, playhead: PlayheadView.State(reading.state),
            stream: reading.stream, date: reading.presentationDate,
            edge: state.playlist.follower.timeline.window?.endDate, renewals: state.renewal.count)
    }
}
