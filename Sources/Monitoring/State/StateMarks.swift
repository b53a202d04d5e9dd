package import AdTracking
package import HLS
package import Ports

/// Where a session stands: little enough to be looked at after every input, which a snapshot is not.
package struct StateMarks: Sendable, Equatable {
    package var counters: Counters
    package var phase: SessionView.Phase
    package var playlist: FeedHealth.State
    package var metadata: FeedHealth.State
    package var playhead: PlayheadView.State
    /// As `PlayheadView.stream` and `.date`.
    package var stream: StreamTime?
    package var date: UnixTime?

    package init(
        counters: Counters = Counters(), phase: SessionView.Phase, playlist: FeedHealth.State,
        metadata: FeedHealth.State, playhead: PlayheadView.State, stream: StreamTime? = nil, date: UnixTime? = nil
    ) {
        self.counters = counters
        self.phase = phase
        self.playlist = playlist
        self.metadata = metadata
        self.playhead = playhead
        self.stream = stream
        self.date = date
    }
}

extension MonitorState {
    /// After the last input.
    package var marks: StateMarks {
        let reading = playhead.reading(on: playlist.follower.timeline)
        return StateMarks(
            counters: counters, phase: phase, playlist: playlist.record.health.state,
            metadata: metadata.record.health.state, playhead: PlayheadView.State(reading.state),
            stream: reading.stream, date: reading.presentationDate)
    }
}

extension ClaimID {
    /// Of a beacon of the stream's own ads; auctions and ad spaces have claims beside them.
    package var isOfStream: Bool { !FormatsPart.owns(self) && !NoticeBook.owns(self) }
}
