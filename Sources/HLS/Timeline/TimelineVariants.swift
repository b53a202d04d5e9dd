import Ports

extension Timeline {
    /// How many of the newest segments of another variant are looked for among the known ones.
    private static let alignmentReach = 64

    /// The next playlist is that of another variant.
    mutating func variantChanged() {
        awaitsVariant = playlist != nil
    }

    /// Puts the playlist of another variant in the place of the held one: its segments go where the known timeline has
    /// their dates, else where its discontinuity has their number, else so that the ends coincide (hls-timeline 2.6).
    /// What lies before them is kept, so neither positions nor dates move for a playhead.
    mutating func foldVariant(_ playlist: MediaPlaylist) -> TimelineFold {
        guard playlist.skip == nil else {
            return TimelineFold(outcome: .deltaIncomplete, findings: [SequenceRules.deltaIncomplete(playlist)])
        }
        // Nothing to place yet: the variant is asked again.
        guard let held = self.playlist, !playlist.segments.isEmpty else {
            return TimelineFold(outcome: .unchanged, findings: [])
        }
        let edge = window?.end
        let start = start(ofVariant: playlist, edge: edge)
        cut(at: start)
        var differences = SegmentDifferences()
        place(playlist, epochEdge: start, differences: &differences)
        self.playlist = playlist
        edgeOfParts = partsEdge
        awaitsVariant = false
        variantChanges += 1
        dropPast()
        let hasAdvanced = (window?.end ?? .zero) > (edge ?? .zero) || hasEnded && !held.hasEndList
        return TimelineFold(
            outcome: .changed, findings: SequenceRules.compareVariants(held, playlist), hasAdvanced: hasAdvanced)
    }

    /// Where the first segment of `playlist` begins.
    private func start(ofVariant playlist: MediaPlaylist, edge: StreamTime?) -> StreamTime {
        for segment in playlist.segments.suffix(Self.alignmentReach).reversed() {
            guard let place = place(ofVariantSegment: segment) else { continue }
            return place - segment.start
        }
        if let date = playlist.segments.first?.date, let position = position(of: date) { return position }
        return (edge ?? .zero) - playlist.duration
    }

    /// Where the known timeline shows what `segment` shows; nil when that is not known.
    private func place(ofVariantSegment segment: MediaSegment) -> StreamTime? {
        if let date = segment.date {
            guard let position = position(of: date), let known = self.segment(at: position),
                Self.isContinuous(from: known.date(at: position), to: date)
            else { return nil }
            return position
        }
        guard segment.isDiscontinuity else { return nil }
        return listed.last {
            $0.isDiscontinuity && $0.date == nil && $0.discontinuitySequence == segment.discontinuitySequence
        }?.start
    }

    /// Forgets everything from `position` on; the segment across it ends there.
    private mutating func cut(at position: StreamTime) {
        segments.removeLast(segments.count - segments.partitionPoint { $0.start < position })
        if let last = segments.last, last.end > position {
            segments[segments.count - 1].duration = position - last.start
        }
        epochStart = segments.count
        windowRange = segments.count..<segments.count
        rebuildDateRuns()
    }

    /// Whether the held playlist lists what `directives` wait for, or has ended.
    func lists(_ directives: DeliveryDirectives) -> Bool {
        guard let sequence = directives.sequence, let playlist, !playlist.hasEndList else { return true }
        let next = playlist.firstUnlistedSequence
        guard sequence == next, let part = directives.part else { return sequence < next }
        return playlist.trailingParts.contains { $0.index >= part }
    }

    /// What the rendition report on `uri` says is there: asked for by number, no cache gives an older playlist
    /// (rfc8216bis-22 section 4.4.5.4). Nil without a report, or where the server does not block.
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
    /// Query strings may differ: tokens live there.
    fileprivate func names(_ other: String) -> Bool {
        uri.utf8.prefix { $0 != UInt8(ascii: "?") }.elementsEqual(other.utf8.prefix { $0 != UInt8(ascii: "?") })
    }
}

extension MediaPlaylist {
    /// The number of the segment that is being made.
    fileprivate var firstUnlistedSequence: Int {
        segments.last?.sequence.addingSaturating(1) ?? mediaSequence
    }
}
