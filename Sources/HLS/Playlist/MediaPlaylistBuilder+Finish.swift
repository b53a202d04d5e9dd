import Ports

/// The steps that need every tag.
extension MediaPlaylistBuilder {
    /// Places, dates and checks everything. The builder must not be used afterwards.
    mutating func finish(_ shared: SharedTags, context: inout ParseContext) -> MediaPlaylist {
        if expectsURI { reportUnusedDuration(context: &context) }
        playlist.version = shared.version
        playlist.start = shared.start
        playlist.hasIndependentSegments = shared.hasIndependentSegments
        playlist.definitions = context.variables.definitions
        playlist.trailingParts = pending.parts
        placeSegments()
        dateSegments(context: &context)
        placeParts()
        placeCuePoints()
        finishDateRanges(context: &context)
        MediaPlaylistLint(playlist: playlist, marks: marks, partLines: partLines).check(
            tagLine: { line(of: $0) ?? shared.line(of: $0) }, preloadHintLine: preloadHintLine,
            findings: &context.findings)
        context.versions.check(
            version: playlist.version, isIFramesOnly: playlist.isIFramesOnly, findings: &context.findings)
        playlist.placeBreaks(findings: &context.findings)
        return playlist
    }

    private mutating func placeSegments() {
        let first = playlist.firstListedSequence
        let substitute = playlist.targetDuration ?? .zero
        for index in playlist.segments.indices {
            playlist.segments[index].sequence = first &+ index
            playlist.segments[index].discontinuitySequence &+= playlist.discontinuitySequence
            if marks[index].isUnreadable { playlist.segments[index].duration = substitute }
        }
        playlist.segments.placeStarts()
    }

    private mutating func dateSegments(context: inout ParseContext) {
        let segments = playlist.segments.indices
        let firstDated = segments.first { playlist.segments[$0].date != nil } ?? segments.endIndex
        if firstDated < segments.endIndex {
            playlist.segments.dateBackwards(from: firstDated)
        } else if let date = pending.date {
            // The date of the next segment, which is not listed yet or in parts.
            playlist.segments.dateBackwards(fromEnd: date, at: playlist.duration)
        } else {
            return
        }
        playlist.segments.dateForwards(from: firstDated)
        DateRules(firstDated: firstDated).run(playlist.segments, marks: marks, findings: &context.findings)
    }

    private mutating func placeParts() {
        let first = playlist.firstListedSequence
        for index in playlist.segments.indices where !playlist.segments[index].parts.isEmpty {
            for part in playlist.segments[index].parts.indices {
                playlist.segments[index].parts[part].sequence = first &+ index
            }
        }
        for part in playlist.trailingParts.indices {
            playlist.trailingParts[part].sequence = first &+ playlist.segments.count
        }
    }

    /// A marker belongs to the segment that follows it, listed or not yet.
    private mutating func placeCuePoints() {
        guard !cuePoints.isEmpty else { return }
        let (first, listed) = (playlist.firstListedSequence, playlist.segments.count)
        playlist.cuePoints = cuePoints.map { point in
            var point = point
            if point.sequence >= listed { point.date = pending.date }
            point.sequence = first &+ point.sequence
            return point
        }
        playlist.placeCuePoints()
    }

    private mutating func finishDateRanges(context: inout ParseContext) {
        // The date of the segment in progress counts, too.
        let hasDates =
            pending.date != nil || playlist.segments.indices.contains { playlist.segments[$0].dateSource == .explicit }
        dateRanges.finish(isDelta: playlist.isDelta, hasDates: hasDates, findings: &context.findings)
        playlist.dateRanges = dateRanges.ranges
        playlist.readInterstitials(resolver: context.resolver, findings: &context.findings)
    }
}
