import AdTracking
import HLS
import Ports

/// Media that the viewer has reached, with the date that a playlist gives it (TRK-33).
struct ReachedMedia {
    private var place: StreamTime
    private var date: UnixTime
    /// Those of the timeline: behind their change, media is compared with no earlier list.
    private var epoch: Int
    private var variantChanges: Int

    /// The last media before `position`; nil in a stream without dates.
    init?(before position: StreamTime, on timeline: Timeline) {
        // What begins at the position was not reached: its date may be another for its own reasons. So may that of a segment of which only
        // parts were listed.
        place = position - .microseconds(1)
        guard let date = timeline.segment(at: place)?.date(at: place) else { return nil }
        self.date = date
        (epoch, variantChanges) = (timeline.epoch, timeline.variantChanges)
    }

    /// How much later the media is dated now; nil where the playlist does not continue the one before.
    func shift(on timeline: Timeline) -> Duration? {
        guard epoch == timeline.epoch, variantChanges == timeline.variantChanges else { return nil }
        return timeline.segment(at: place)?.date(at: place).map { $0 - date }
    }
}

extension PlaylistPart {
    /// How much later the media is dated now with which a break of cue tags begins; nil where it has the date with which it was marked.
    func redating(of marker: TrackedBreak) -> Duration? {
        guard marker.source == .cue, !marker.isJoinedMid, let start = marker.start, let place = marker.startStream,
            let date = follower.timeline.segment(at: place)?.date(at: place)
        else { return nil }
        let shift = date - start
        return shift.magnitude > TrackingPolicy().seamSlack ? shift : nil
    }
}

/// A document of metadata with the answer that brought it.
struct AnsweredDocument {
    var document: DecodedMetadata
    var exchange: HTTPExchange
    /// Number of the answer among those of metadata; nil where no poll brought it.
    var poll: Int?
    /// Number of the ping whose answer it is.
    var ping: Int?
}

/// A document with new dates for all its breaks waits for the next playlist, which may have them for their media, too (TRK-33).
struct WaitingDocument {
    /// How long it may wait: playlists may be late, or not come at all.
    private static let longest: Duration = .seconds(30)

    /// The newest one, and the uptime since which one waits.
    private var waiting: (answer: AnsweredDocument, since: Duration)?

    /// - Parameter mayWait: whether it has new dates for all its breaks.
    /// - Returns: whether it waits. A former one does not any more.
    mutating func keep(_ new: AnsweredDocument, ifItMay mayWait: Bool, at now: Moment) -> Bool {
        let since = waiting?.since ?? now.uptime
        waiting = mayWait && now.uptime - since <= Self.longest ? (new, since) : nil
        return waiting != nil
    }

    /// A playlist arrived that was requested at `requested`.
    mutating func take(requested: Moment) -> AnsweredDocument? {
        guard let waiting, requested.uptime >= waiting.since else { return nil }
        self.waiting = nil
        return waiting.answer
    }
}
