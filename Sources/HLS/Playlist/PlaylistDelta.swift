import Ports

/// Completes a delta update with the segments that it skips (rfc8216bis-22 section 6.3.7; the steps are HLS-2).
package enum PlaylistDelta {
    /// The result of a merge.
    package enum Outcome: Hashable, Sendable {
        /// The complete playlist; it has no `skip`.
        case merged(MediaPlaylist)
        /// The held playlist lacks a skipped segment or a byte range that the delta continues, or the number of skipped
        /// segments cannot be read: reload without `_HLS_skip`.
        case incomplete
        /// The complete playlist would be larger than one may be (HLS-6): reload without `_HLS_skip`, so that only what the server
        /// still lists is held.
        case tooLarge
    }

    /// Merges a delta update into the playlist before it.
    ///
    /// - Parameters:
    ///   - held: the last complete playlist.
    ///   - delta: the update; a whole playlist is returned unchanged.
    package static func merge(held: MediaPlaylist, delta: MediaPlaylist) -> Outcome {
        var held = held
        return merge(takingSegmentsOf: &held, delta: delta)
    }

    /// The same, but without a copy of thousands of segments when `held` is their only owner. After a merge, `held`
    /// keeps all but its segments, of which only the last remains. When there is no merge, `held` is unchanged.
    static func merge(takingSegmentsOf held: inout MediaPlaylist, delta: MediaPlaylist) -> Outcome {
        if delta.hasUnreadableSkip { return .incomplete }
        guard let skip = delta.skip else { return .merged(delta) }
        guard let skipped = skippedRange(of: delta, count: skip.count, in: held) else { return .incomplete }
        let last = skipped.isEmpty ? nil : held.segments[skipped.upperBound - 1]
        guard canContinueByteRanges(of: delta, skip, after: last) else { return .incomplete }
        let ranges = joinDateRanges(held: held, delta: delta, skip)
        let points = joinCuePoints(held: held, delta: delta)
        guard isWithinLimits(held.segments[skipped], delta, ranges, points) else { return .tooLarge }
        var segments = held.segments.suffix(1).map(\.self)
        swap(&segments, &held.segments)
        segments.removeSubrange(skipped.upperBound...)
        segments.removeSubrange(..<skipped.lowerBound)
        var merged = delta
        merged.skip = nil
        merged.segments = []
        swap(&merged.segments, &segments)
        merged.append(delta.segments, after: last, skip)
        merged.dateRanges = ranges
        var findings = PlaylistFindings()
        merged.readInterstitials(resolver: PlaylistURIResolver(base: delta.uri), findings: &findings)
        merged.cuePoints = points
        merged.placeCuePoints()
        merged.placeBreaks(findings: &findings)
        return .merged(merged)
    }

    /// Indices of the held segments that the delta skips; nil when one is missing.
    private static func skippedRange(of delta: MediaPlaylist, count: Int, in held: MediaPlaylist) -> Range<Int>? {
        guard count > 0 else { return 0..<0 }
        guard let first = held.segments.first?.sequence, held.skip == nil else { return nil }
        let start = delta.mediaSequence.subtractingSaturating(first)
        guard start >= 0, start <= held.segments.count, count <= held.segments.count - start else { return nil }
        return start..<start + count
    }

    /// Byte ranges without an offset continue the last skipped segment, which must be of the same resource.
    private static func canContinueByteRanges(
        of delta: MediaPlaylist, _ skip: SkippedSegments, after last: MediaSegment?
    ) -> Bool {
        delta.segments.prefix(skip.continuedByteRanges).allSatisfy { last?.byteRange != nil && last?.uri == $0.uri }
    }

    private static func isWithinLimits(
        _ kept: ArraySlice<MediaSegment>, _ delta: MediaPlaylist, _ ranges: [DateRange], _ points: [CuePoint]
    ) -> Bool {
        var size = PlaylistSize()
        size.add(kept)
        size.add(delta.segments[...])
        size.add(delta.trailingParts)
        size.add(ranges)
        size.add(points)
        return size.isWithinLimits
    }

    private static func joinDateRanges(
        held: MediaPlaylist, delta: MediaPlaylist, _ skip: SkippedSegments
    ) -> [DateRange] {
        guard skip.mayOmitDateRanges(of: delta) else { return delta.dateRanges }
        let removed = Set(skip.removedDateRanges)
        var ranges = held.dateRanges.filter { !removed.contains($0.id) }
        var indices = Dictionary(ranges.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        for range in delta.dateRanges {
            if let index = indices[range.id] {
                // With its start, it is listed as a whole playlist would list it: what it states now counts. The tag of an end may have another
                // date.
                let isWhole = range.start != nil && (range.hasBreakStart || !ranges[index].hasBreakStart)
                let (chosen, other) = isWhole ? (range, ranges[index]) : (ranges[index], range)
                ranges[index] = chosen
                _ = ranges[index].merge(other)
            } else {
                indices[range.id] = ranges.count
                ranges.append(range)
            }
        }
        ranges.resolveEnds()
        return ranges
    }

    /// Keeps the markers of skipped segments, which the delta omits, and takes those of listed segments from the delta.
    private static func joinCuePoints(held: MediaPlaylist, delta: MediaPlaylist) -> [CuePoint] {
        let skipped = delta.mediaSequence..<max(delta.mediaSequence, delta.firstListedSequence)
        return held.cuePoints.filter { skipped.contains($0.sequence) } + delta.cuePoints
    }
}

extension SkippedSegments {
    /// Whether the update has only some of the date ranges. Without CAN-SKIP-DATERANGES it has all: what it does not list is gone (section
    /// 6.2.5.1).
    fileprivate func mayOmitDateRanges(of delta: MediaPlaylist) -> Bool {
        delta.serverControl?.canSkipDateRanges == true || !removedDateRanges.isEmpty
    }
}

extension MediaPlaylist {
    /// Appends the listed segments of a delta update to the kept ones, whose last is `last`.
    fileprivate mutating func append(_ listed: [MediaSegment], after last: MediaSegment?, _ skip: SkippedSegments) {
        let kept = segments.count
        for (index, listed) in listed.enumerated() {
            var segment = listed
            if let last { segment.inherit(from: last, delta: self, keepsKeys: index < skip.keysClearedAt ?? .max) }
            if index < skip.continuedByteRanges, let base = last?.byteRange {
                segment.byteRange?.offset.addSaturating(base.end)
            }
            segments.append(segment)
        }
        segments.placeStarts()
        // Segments before the first date of the delta continue from the last held segment instead of being dated
        // backwards.
        guard last?.date != nil else { return }
        for index in kept..<segments.count where segments[index].dateSource == .backward {
            segments[index].dateSource = .forward
        }
        segments.dateForwards(from: kept - 1)
    }
}

extension MediaSegment {
    /// Inherits the state that tags before the skip boundary set and the delta does not repeat.
    fileprivate mutating func inherit(from last: MediaSegment, delta: MediaPlaylist, keepsKeys: Bool) {
        let since = discontinuitySequence.subtractingSaturating(delta.discontinuitySequence)
        discontinuitySequence = last.discontinuitySequence.addingSaturating(since)
        map = map ?? last.map
        if bitrate == nil, byteRange == nil { bitrate = last.bitrate }
        guard keepsKeys else { return }
        let stated = Set(keys.map(\.keyFormat))
        let inherited = last.keys.filter { !stated.contains($0.keyFormat) }
        // As in a whole playlist, formats beyond the limit are not read.
        keys = stated.isEmpty ? last.keys : Array((inherited + keys).prefix(PlaylistLimits.keyFormats))
    }
}

extension Int {
    fileprivate mutating func addSaturating(_ other: Int) {
        self = addingSaturating(other)
    }
}
