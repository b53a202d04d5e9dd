import Algorithms
package import Ports

/// The stream timeline of one media playlist: every segment has its place on a continuous clock across all reloads
/// (HLS-11). Dates are mapped to and from it segment by segment (HLS-12), never by one offset for all.
///
/// The first segment ever listed starts at 0, or where another process had it; a segment never changes its start. Segments that left the
/// playlist are kept up to `pastSegmentLimit`, so that a paused playhead and breaks before the window still have dates.
package struct Timeline: Equatable, Sendable {
    /// Most segments kept before the window; about an hour of 4 s segments.
    package static let pastSegmentLimit = 1_024
    /// Dates of neighbours that differ from EXTINF by at most this much are continuous, as in the rules `pdt-drift` and
    /// `pdt-jump`.
    package static let dateTolerance: Duration = .milliseconds(100)
    /// The hold-back, in target durations, when the playlist states none (rfc8216bis-22 section 4.4.3.8).
    package static let defaultHoldBackFactor = 3

    /// Whether requests carry delivery directives if the server supports them, and trailing parts and PART-HOLD-BACK
    /// count if the playlist has PART-INF.
    package let prefersLowLatency: Bool
    /// Whether a playlist that is an earlier state of the held one is reported and otherwise ignored, and one whose list
    /// moves while its numbers do not is followed.
    package let ignoresOldCopies: Bool
    /// The newest valid playlist, with delta updates merged.
    package internal(set) var playlist: MediaPlaylist?
    /// EXT-X-START of the multivariant playlist; nil without one.
    package internal(set) var multivariantStart: StartPoint?
    /// How often the media sequence went backwards and numbering restarted.
    package internal(set) var epoch = 0
    /// How often the variant changed: media sequence numbers of two variants are unrelated (rfc8216bis-22 section
    /// 6.3.2).
    package internal(set) var variantChanges = 0
    /// Whether the next playlist is that of another variant.
    package internal(set) var awaitsVariant = false
    /// All kept segments in stream order, including those before the window.
    package internal(set) var segments: [TimelineSegment] = []
    /// The indices in `segments` that the newest playlist lists.
    package internal(set) var windowRange = 0..<0
    /// Earlier copies seen since the playlist last grew; nil without any.
    var oldCopies: OldCopies?
    /// What was stated about date ranges since the variant changed.
    var statedDateRanges = StatedDateRanges()
    /// How far the numbers of the playlist are behind the media it lists; 0 unless EXT-X-MEDIA-SEQUENCE is stuck.
    var numberLag = 0
    /// The date of position 0 in a stream whose playlists have no dates, where its segments get one all the same; else nil (HLS-15).
    package var dateOfZero: UnixTime?
    /// Where the timeline of another process has a segment; nil unless that is continued.
    var continued: TimelineAnchor?
    /// Index in `segments` at which the current epoch begins; media sequence numbers ascend from there.
    var epochStart = 0
    /// Indices in `segments` at which dates go backwards, or are missing on one side; between them dates ascend.
    var dateRunStarts: [Int] = []
    /// End of the trailing parts; the end of the last segment outside low-latency mode.
    var edgeOfParts: StreamTime?

    /// The conformance sequence model accepts every playlist; without `ignoresOldCopies` so does the timeline.
    package init(prefersLowLatency: Bool = false, ignoresOldCopies: Bool = true) {
        self.prefersLowLatency = prefersLowLatency
        self.ignoresOldCopies = ignoresOldCopies
    }

    /// The segments that the newest playlist lists.
    package var listed: ArraySlice<TimelineSegment> { segments[windowRange] }

    /// Whether the playlist has parts and the session uses low latency.
    package var isLowLatency: Bool { prefersLowLatency && playlist?.partTarget != nil }

    /// Whether no more segments will follow.
    package var hasEnded: Bool { playlist?.isComplete ?? false }

    /// Where to start to play; what the multivariant playlist names counts before that of the media playlist (rfc8216bis-22 section 4.4.2.2).
    package var startPoint: StartPoint? { multivariantStart ?? playlist?.start }

    /// EXT-X-TARGETDURATION, or the duration of the longest listed segment when it is missing.
    package var targetDuration: Duration? {
        if let target = playlist?.targetDuration { return target }
        return listed.lazy.map(\.duration).max()
    }

    /// Distance of a live viewer from the edge (rfc8216bis-22 section 4.4.3.8).
    package var holdBack: Duration? {
        if isLowLatency, let partHoldBack = playlist?.serverControl?.partHoldBack { return partHoldBack }
        if let holdBack = playlist?.serverControl?.holdBack { return holdBack }
        return targetDuration.map { $0 * Self.defaultHoldBackFactor }
    }

    /// Nil until a playlist has segments.
    package var window: TimelineWindow? {
        guard let first = listed.first, let last = listed.last else { return nil }
        let end = edgeOfParts ?? last.end
        let latest = hasEnded ? end : max(first.start, end - max(.zero, holdBack ?? .zero))
        return TimelineWindow(
            firstSequence: first.sequence, lastSequence: last.sequence, start: first.start, end: end,
            startDate: first.date, endDate: last.date(at: end), latest: latest, latestDate: date(at: latest))
    }

    /// Number of EXT-X-DISCONTINUITY tags in the window.
    package var discontinuityCount: Int {
        listed.lazy.filter(\.isDiscontinuity).count
    }

    /// The segment of the current epoch with that media sequence number, if it is listed or still kept.
    package func segment(sequence: Int) -> TimelineSegment? {
        index(ofSequence: sequence).map { segments[$0] }
    }

    /// The segment that contains `position`; nil in a gap and outside the timeline.
    package func segment(at position: StreamTime) -> TimelineSegment? {
        guard let index = indexOfLastSegment(startingAtOrBefore: position), position < segments[index].end else {
            return nil
        }
        return segments[index]
    }

    /// The listed segments that end after one position and start before another.
    package func listed(from start: StreamTime, to end: StreamTime) -> ArraySlice<TimelineSegment> {
        let rest = listed[listed.partitioningIndex { $0.end > start }...]
        return rest[..<rest.partitioningIndex { $0.start >= end }]
    }

    /// The segment boundary nearest to `position`, for X-SNAP; ties go to the earlier one. Nil unless `position` is in
    /// the window.
    package func nearestBoundary(to position: StreamTime) -> StreamTime? {
        guard let window, let last = listed.last, position >= window.start, position <= last.end,
            let index = indexOfLastSegment(startingAtOrBefore: position)
        else { return nil }
        let before = segments[index].start
        let after = index + 1 < windowRange.upperBound ? segments[index + 1].start : last.end
        return position - before <= after - position ? before : after
    }

    /// Index of the last segment whose start is at or before `position`.
    func indexOfLastSegment(startingAtOrBefore position: StreamTime) -> Int? {
        let index = segments.partitioningIndex { $0.start > position }
        return index > 0 ? index - 1 : nil
    }

    func index(ofSequence sequence: Int) -> Int? {
        let index = segments[epochStart...].partitioningIndex { $0.sequence >= sequence }
        return index < segments.count && segments[index].sequence == sequence ? index : nil
    }
}
