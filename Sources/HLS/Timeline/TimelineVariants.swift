import Algorithms
import Ports

extension Timeline {
    /// How many of the newest segments of another variant are compared with known ones.
    private static let alignmentReach = 64

    /// Records that the next playlist is that of another variant.
    mutating func variantChanged() {
        awaitsVariant = playlist != nil
    }

    /// Replaces the held playlist by that of another variant. Its segments are placed where the known timeline has
    /// their dates, else where its discontinuity has their number, else so that the ends coincide (HLS-14). Earlier
    /// segments are kept, so neither positions nor dates move for a playhead.
    mutating func foldVariant(_ playlist: MediaPlaylist) -> TimelineFold {
        guard !playlist.isDelta else {
            return TimelineFold(outcome: .deltaIncomplete, findings: [SequenceRules.deltaIncomplete(playlist)])
        }
        // There is nothing to place yet: the variant is requested again.
        guard let held = self.playlist, !playlist.segments.isEmpty else {
            return TimelineFold(outcome: .unchanged, findings: [])
        }
        let edge = window?.end
        let start = start(ofVariant: playlist, edge: edge)
        let date = date(at: start)
        cut(at: start)
        var differences = SegmentDifferences()
        place(playlist, epochEdge: start, epochDate: date, differences: &differences)
        self.playlist = playlist
        edgeOfParts = partsEdge
        awaitsVariant = false
        (oldCopies, numberLag, statedDateRanges) = (nil, 0, StatedDateRanges())
        _ = statedDateRanges.note(playlist, whole: playlist)
        variantChanges += 1
        dropPast()
        let hasAdvanced = (window?.end ?? .zero) > (edge ?? .zero) || hasEnded && !held.isComplete
        return TimelineFold(
            outcome: .changed, findings: SequenceRules.compareVariants(held, playlist), hasAdvanced: hasAdvanced)
    }

    /// Start of the first segment of `playlist` on the timeline.
    private func start(ofVariant playlist: MediaPlaylist, edge: StreamTime?) -> StreamTime {
        for segment in playlist.segments.suffix(Self.alignmentReach).reversed() {
            guard let place = place(ofVariantSegment: segment) else { continue }
            return place - segment.start
        }
        if let date = playlist.segments.first?.date, let position = position(of: date) { return position }
        return (edge ?? .zero) - playlist.duration
    }

    /// The position at which the known timeline has the media of `segment`; nil when unknown.
    private func place(ofVariantSegment segment: MediaSegment) -> StreamTime? {
        if let date = segment.date {
            guard let position = position(of: date), let known = self.segment(at: position),
                Self.isContinuous(from: known.date(at: position), to: date)
            else { return nil }
            return position
        }
        guard segment.isDiscontinuity else { return nil }
        return listed.last {
            $0.isDiscontinuity && $0.discontinuitySequence == segment.discontinuitySequence
        }?.start
    }

    /// Drops everything after `position`; a segment that contains it is cut there.
    private mutating func cut(at position: StreamTime) {
        segments.removeLast(segments.count - segments.partitioningIndex { $0.start >= position })
        if let last = segments.last, last.end > position {
            segments[segments.count - 1].duration = position - last.start
        }
        epochStart = segments.count
        windowRange = segments.count..<segments.count
        rebuildDateRuns()
    }

    /// Whether the held playlist lists what `directives` wait for, or has ended.
    func lists(_ directives: DeliveryDirectives) -> Bool {
        guard let sequence = directives.sequence, let playlist, !playlist.isComplete else { return true }
        let next = playlist.firstUnlistedSequence
        guard sequence == next, let part = directives.part else { return sequence < next }
        return playlist.trailingParts.contains { $0.index >= part }
    }

    /// Directives for the media that the rendition report on `uri` announces: a request by number cannot return an
    /// older playlist from a cache (rfc8216bis-22 section 4.4.5.4). Nil without a report, or when the server does not
    /// block.
    func directives(fromReportOn uri: String) -> DeliveryDirectives? {
        guard prefersLowLatency, let playlist, playlist.serverControl?.canBlockReload == true,
            let report = playlist.renditionReports.first(where: { $0.names(uri) })
        else { return nil }
        let last = playlist.trailingParts.last
        let sequence = last?.sequence ?? playlist.segments.last?.sequence
        return DeliveryDirectives(
            sequence: report.lastSequence ?? sequence,
            part: playlist.partTarget == nil ? nil : report.lastPart ?? last?.index)
    }
}

extension RenditionReport {
    /// Query strings may differ, because they contain tokens.
    fileprivate func names(_ other: String) -> Bool {
        uri.utf8.prefix { $0 != UInt8(ascii: "?") }.elementsEqual(other.utf8.prefix { $0 != UInt8(ascii: "?") })
    }
}

extension MediaPlaylist {
    /// Media sequence number of the segment in progress.
    fileprivate var firstUnlistedSequence: Int {
        segments.last?.sequence.addingSaturating(1) ?? mediaSequence
    }
}
