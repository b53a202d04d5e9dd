import Algorithms
import Ports

extension Timeline {
    /// Merges the playlist of a reload: places new segments, compares known ones, moves the window.
    ///
    /// With `ignoresOldCopies` it departs from the conformance sequence model in one case: a playlist that lists only
    /// known segments with the same resources and dates, and that ends before the held one, is an old copy from a
    /// cache. It is reported and otherwise ignored, because a new epoch for every lagging edge server would move the
    /// playhead as no player does.
    package mutating func fold(_ update: MediaPlaylist) -> TimelineFold {
        if awaitsVariant { return foldVariant(update) }
        let merge = merged(update)
        guard case .merged(let whole) = merge else {
            let finding = SequenceRules.deltaIncomplete(update, isTooLarge: merge == .tooLarge)
            return TimelineFold(outcome: .deltaIncomplete, findings: [finding])
        }
        guard let held = self.playlist, let window else {
            return begin(with: whole)
        }
        let (playlist, stuck) = renumbered(whole)
        let hadOldCopies = oldCopies != nil
        if isOldCopy(playlist) {
            return TimelineFold(outcome: .unchanged, findings: [SequenceRules.oldCopy(playlist, held: held)])
        }
        // Copies that grew are the list of a packager that began again under the same names.
        let isRestart = hadOldCopies && oldCopies != nil || beginsAgain(playlist, after: held)
        oldCopies = nil
        var fold = TimelineFold(outcome: .unchanged, findings: SequenceRules.compare(held, playlist))
        fold.findings += [statedDateRanges.note(update, whole: playlist), stuck].compactMap { $0 }
        beginEpoch(with: playlist, after: window, isRestart: isRestart, &fold)
        move(to: playlist, from: held, window, &fold)
        dropPast()
        return fold
    }

    /// Begins an epoch if the numbers of the segments begin again: the known segments are then not compared with the listed ones.
    private mutating func beginEpoch(
        with playlist: MediaPlaylist, after window: TimelineWindow, isRestart: Bool, _ fold: inout TimelineFold
    ) {
        if let first = playlist.segments.first?.sequence,
            isRestart || first < window.firstSequence && !continuesKnown(playlist)
        {
            fold.isReset = true
            numberLag = 0
            fold.findings.append(SequenceRules.reset(to: first, after: window))
            epoch += 1
            epochStart = segments.count
        } else if let jump = SequenceRules.windowJump(lastKnown: segments[epochStart...].last?.sequence, playlist) {
            fold.findings.append(jump)
        }
    }

    /// Places the listed segments and moves the window to them.
    private mutating func move(
        to playlist: MediaPlaylist, from held: MediaPlaylist, _ window: TimelineWindow, _ fold: inout TimelineFold
    ) {
        let before = (range: windowRange, count: segments.count, edge: window.end)
        var differences = SegmentDifferences()
        // The end of the window is not enough: segments at its end that are no longer listed keep their place, too.
        place(playlist, epochEdge: max(window.end, segments.last?.end ?? window.end), differences: &differences)
        self.playlist = playlist
        edgeOfParts = partsEdge
        if !fold.isReset, let removed = removedEarly(from: held, in: playlist) { fold.findings.append(removed) }
        fold.findings += differences.findings
        let edge = self.window?.end
        fold.hasAdvanced =
            segments.count > before.count || (edge ?? before.edge) > before.edge || (hasEnded && !held.isComplete)
        let isSame =
            !fold.hasAdvanced && windowRange == before.range && edge == before.edge && differences.isEmpty
            && !SequenceRules.differ(held, playlist)
        fold.outcome = isSame ? .unchanged : .changed
    }

    /// The playlist itself, or a delta update merged into the held one.
    private mutating func merged(_ update: MediaPlaylist) -> PlaylistDelta.Outcome {
        guard !update.hasUnreadableSkip else { return .incomplete }
        guard update.isDelta else { return .merged(update) }
        guard var held = playlist else { return .incomplete }
        // The update may be an old copy; then the held playlist is kept.
        if isBehind(update, held) { return PlaylistDelta.merge(held: held, delta: update) }
        // Its segments have no other owner now, so they are moved instead of copied.
        playlist = nil
        defer { playlist = held }
        return PlaylistDelta.merge(takingSegmentsOf: &held, delta: update)
    }

    /// Whether `update` ends before `held`, or lists nothing.
    func isBehind(_ update: MediaPlaylist, _ held: MediaPlaylist) -> Bool {
        guard let last = update.segments.last, let heldLast = held.segments.last else { return true }
        return (last.sequence, update.trailingParts.count) < (heldLast.sequence, held.trailingParts.count)
    }

    /// Handles the first playlist with segments, or a further one without any.
    private mutating func begin(with playlist: MediaPlaylist) -> TimelineFold {
        var differences = SegmentDifferences()
        let edge = continued?.start(of: playlist) ?? .zero
        place(playlist, epochEdge: edge, epochDate: continued?.date(at: edge), differences: &differences)
        let hasChanged = self.playlist.map { SequenceRules.differ($0, playlist) } ?? true || !segments.isEmpty
        self.playlist = playlist
        edgeOfParts = partsEdge
        let findings = [statedDateRanges.note(playlist, whole: playlist)].compactMap { $0 }
        return TimelineFold(
            outcome: hasChanged ? .changed : .unchanged, findings: findings, hasAdvanced: !segments.isEmpty)
    }

    /// Matches the listed segments with the known ones: both ascend without gaps from the first listed number.
    /// - Parameter epochDate: the date at `epochEdge`, as far as is known otherwise than from `playlist`.
    mutating func place(
        _ playlist: MediaPlaylist, epochEdge: StreamTime, epochDate: UnixTime? = nil,
        differences: inout SegmentDifferences
    ) {
        guard let first = playlist.segments.first else { return }
        let lower = segments[epochStart...].partitioningIndex { $0.sequence >= first.sequence }
        let overlap = min(segments.count - lower, playlist.segments.count)
        var datesMoved = false
        for offset in differingOffsets(playlist.segments, from: lower, count: overlap) {
            datesMoved = differences.compare(&segments[lower + offset], with: playlist.segments[offset]) || datesMoved
        }
        if datesMoved { rebuildDateRuns() }
        for listed in playlist.segments[overlap...] {
            var segment = TimelineSegment(listed, start: start(of: listed, in: playlist, epochEdge: epochEdge))
            dateByMediaBefore(&segment, epochDate)
            // The array would double its room for the first segment too many.
            if segments.count == segments.capacity {
                segments.reserveCapacity(segments.count + segments.count / 4 + 16)
            }
            segments.append(segment)
            extendDateRuns(with: segments.count - 1)
        }
        windowRange = lower..<lower + playlist.segments.count
    }

    /// Dates a segment that follows everything known, if its own list has no date for it or only one that is counted back (HLS-12).
    private func dateByMediaBefore(_ new: inout TimelineSegment, _ epochDate: UnixTime?) {
        guard let previous = segments[epochStart...].last else {
            new.date = new.date ?? epochDate ?? assumedDate(at: new.start)
            return
        }
        let follows = previous.dateSource != nil && new.sequence == previous.sequence.addingSaturating(1)
        if follows, new.dateSource == nil || new.dateSource == .backward {
            (new.date, new.dateSource) = (previous.date(at: new.start), .forward)
        } else if new.date == nil {
            // The length of a hole is an estimate, and so are the dates behind it.
            new.date = previous.date(at: new.start) ?? assumedDate(at: new.start)
        }
    }

    private func assumedDate(at position: StreamTime) -> UnixTime? {
        dateOfZero.map { $0 + (position - .zero) }
    }

    /// Offsets of those of the first `count` listed segments that differ from the known ones. Thousands are compared
    /// and hardly any differs, hence the buffers: array access here would copy every segment.
    private func differingOffsets(_ listed: [MediaSegment], from lower: Int, count: Int) -> [Int] {
        segments.withUnsafeBufferPointer { known in
            listed.withUnsafeBufferPointer { listed in
                (0..<count).filter { offset in
                    (listed[offset].date ?? known[lower + offset].date) != known[lower + offset].date
                        || known[lower + offset].uri != listed[offset].uri
                        || known[lower + offset].duration != listed[offset].duration
                        || known[lower + offset].discontinuitySequence != listed[offset].discontinuitySequence
                        || known[lower + offset].byteRange != listed[offset].byteRange
                }
            }
        }
    }

    /// Start of a segment that follows everything known (HLS-11).
    private func start(of new: MediaSegment, in playlist: MediaPlaylist, epochEdge: StreamTime) -> StreamTime {
        guard segments.count > epochStart, let previous = segments.last else { return epochEdge }
        let distance = new.sequence.subtractingSaturating(previous.sequence)
        guard distance > 1 else { return previous.end }
        if let date = new.date, let previousDate = previous.date {
            return previous.start + max(previous.duration, date - previousDate)
        }
        let missing = Int64(distance - 1)
        let target = max(.zero, playlist.targetDuration ?? previous.duration).inMicroseconds
        return previous.end + .microseconds(missing.multipliedSaturating(by: target))
    }

    /// End of the trailing parts; nil when they do not count.
    var partsEdge: StreamTime? { isLowLatency ? endOfParts : nil }

    /// End of the trailing parts, whether they count or not; nil without any.
    var endOfParts: StreamTime? {
        guard let last = listed.last, let parts = playlist?.trailingParts, !parts.isEmpty else { return nil }
        return parts.reduce(last.end) { $0 + max(.zero, $1.duration) }
    }

    /// The rule `daterange-removed-early`, for all ranges at once (rfc8216bis-22 section 6.2.1).
    private func removedEarly(from held: MediaPlaylist, in playlist: MediaPlaylist) -> Finding? {
        guard let windowStart = window?.startDate, let windowEnd = window?.endDate, !held.dateRanges.isEmpty else {
            return nil
        }
        let kept = Set(playlist.dateRanges.lazy.map(\.id))
        let early = held.dateRanges.filter { range in
            guard !kept.contains(range.id), let start = range.start else { return false }
            let end = range.end ?? range.plannedDuration.map { start + $0 } ?? start
            return start < windowEnd && (end > windowStart || start >= windowStart)
        }
        return early.first.map { SequenceRules.dateRangeRemovedEarly($0, count: early.count) }
    }

    /// Drops segments long before the window, many at a time, so that the cost per reload stays even.
    mutating func dropPast() {
        let excess = windowRange.lowerBound - Self.pastSegmentLimit
        guard excess > Self.pastSegmentLimit / 4 else { return }
        segments.removeFirst(excess)
        epochStart = max(0, epochStart - excess)
        windowRange = windowRange.lowerBound - excess..<windowRange.upperBound - excess
        let kept = dateRunStarts.partitioningIndex { $0 > excess }
        dateRunStarts = [0] + dateRunStarts[kept...].map { $0 - excess }
    }
}
