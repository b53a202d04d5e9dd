import Ports

/// The stream timeline of one media playlist: every segment at its place on a continuous clock, over all reloads
/// (hls-timeline 2.3), and dates mapped to and from it segment by segment (2.4), never by one offset for all.
///
/// The first segment ever listed starts at 0; a segment keeps its start for good. Segments that left the playlist stay
/// up to `pastSegmentLimit`, so that a paused playhead and breaks that slid out keep their dates.
package struct Timeline: Equatable, Sendable {
    /// How many segments before the window are kept; about an hour of 4 s segments.
    package static let pastSegmentLimit = 1_024
    /// Dates of neighbours that differ from EXTINF by no more count as continuous, as in the rules `pdt-drift` and
    /// `pdt-jump`.
    package static let dateTolerance: Duration = .milliseconds(100)
    /// The hold-back in target durations where the playlist states none (rfc8216bis-22 section 4.4.3.8).
    package static let defaultHoldBackFactor = 3

    /// Requests carry delivery directives where the server takes them; trailing parts count and PART-HOLD-BACK applies
    /// where the playlist has PART-INF.
    package let prefersLowLatency: Bool
    /// Playlists that are earlier states of the held one are flagged and left aside.
    package let ignoresOldCopies: Bool
    /// The newest good playlist, delta updates merged.
    package internal(set) var playlist: MediaPlaylist?
    /// Counts the times that the media sequence went backwards and numbers began anew.
    package internal(set) var epoch = 0
    /// Counts the changes to another variant: media sequence numbers of two variants have nothing to do with each other
    /// (rfc8216bis-22 section 6.3.2).
    package internal(set) var variantChanges = 0
    /// The next playlist is that of another variant.
    package internal(set) var awaitsVariant = false
    /// All kept segments in stream order, those before the window included.
    package internal(set) var segments: [TimelineSegment] = []
    /// Which of `segments` the newest playlist lists.
    package internal(set) var windowRange = 0..<0
    /// Where the current epoch begins in `segments`; media sequence numbers ascend from there.
    var epochStart = 0
    /// Indices in `segments` where dates fall, or are missing on one side: between them dates ascend.
    var dateRunStarts: [Int] = []
    /// End of the trailing parts; equals the end of the last segment outside low-latency mode.
    var edgeOfParts: StreamTime?

    /// The sequence model takes every playlist at its word; without `ignoresOldCopies` so does the timeline.
    package init(prefersLowLatency: Bool = false, ignoresOldCopies: Bool = true) {
        self.prefersLowLatency = prefersLowLatency
        self.ignoresOldCopies = ignoresOldCopies
    }

    /// The segments that the newest playlist lists.
    package var listed: ArraySlice<TimelineSegment> { segments[windowRange] }

    /// The playlist has parts and the session wants them.
    package var isLowLatency: Bool { prefersLowLatency && playlist?.partTarget != nil }

    /// No more segments will come.
    package var hasEnded: Bool { playlist?.hasEndList ?? false }

    /// EXT-X-TARGETDURATION, or the longest listed segment where that is missing.
    package var targetDuration: Duration? {
        if let target = playlist?.targetDuration { return target }
        return listed.lazy.map(\.duration).max()
    }

    /// How far behind the edge a live viewer stays (rfc8216bis-22 section 4.4.3.8).
    package var holdBack: Duration? {
        if isLowLatency, let partHoldBack = playlist?.serverControl?.partHoldBack { return partHoldBack }
        if let holdBack = playlist?.serverControl?.holdBack { return holdBack }
        return targetDuration.map { $0 * Self.defaultHoldBackFactor }
    }

    /// Nil until a playlist with segments came.
    package var window: TimelineWindow? {
        guard let first = listed.first, let last = listed.last else { return nil }
        let end = edgeOfParts ?? last.end
        let latest = hasEnded ? end : max(first.start, end - max(.zero, holdBack ?? .zero))
        return TimelineWindow(
            firstSequence: first.sequence, lastSequence: last.sequence, start: first.start, end: end,
            startDate: first.date, endDate: last.date(at: end), latest: latest, latestDate: date(at: latest))
    }

    /// EXT-X-DISCONTINUITY tags in the window.
    package var discontinuityCount: Int {
        listed.lazy.filter(\.isDiscontinuity).count
    }

    /// The segment of the current epoch with that media sequence number, listed or still kept.
    package func segment(sequence: Int) -> TimelineSegment? {
        index(ofSequence: sequence).map { segments[$0] }
    }

    /// The segment that contains `position`; nil in a hole and outside.
    package func segment(at position: StreamTime) -> TimelineSegment? {
        guard let index = indexOfLastSegment(startingAtOrBefore: position), position < segments[index].end else {
            return nil
        }
        return segments[index]
    }

    /// The segment boundary nearest to `position`, ties to the earlier one (X-SNAP); nil unless `position` lies in the
    /// window.
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
        let index = segments.partitionPoint { $0.start <= position }
        return index > 0 ? index - 1 : nil
    }

    func index(ofSequence sequence: Int) -> Int? {
        let index = segments[epochStart...].partitionPoint { $0.sequence < sequence }
        return index < segments.count && segments[index].sequence == sequence ? index : nil
    }
}

extension RandomAccessCollection where Index == Int {
    /// The index of the first element that is not in the leading part where `isLeading` holds; binary search.
    package func partitionPoint(_ isLeading: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if isLeading(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
