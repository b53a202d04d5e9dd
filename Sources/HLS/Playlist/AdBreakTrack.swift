import Algorithms
import Ports

/// Builds the breaks of one playlist from its cue points (HLS-23).
///
/// Durations are EXTINF sums, because dates may jump at the return from a stitched break.
struct AdBreakTrack {
    private let playlist: MediaPlaylist
    /// In the order of their starts.
    private var markers: [AdBreakMarker] = []
    /// The last of them; its positions are offsets from the start of the listed window.
    private var newest: CueBreak?
    /// Line of the marker that opened it.
    private var line = 0
    /// Segment at which a break ended whose start the window has lost.
    private var endOfLost: Int?

    /// Largest difference between announced and measured times that is not a finding.
    private static let tolerance = Duration.seconds(1)

    init(playlist: MediaPlaylist) {
        self.playlist = playlist
    }

    /// All breaks, and whether a break ends whose start the window may have lost.
    func breaks(findings: inout PlaylistFindings) -> (markers: [AdBreakMarker], endsLost: Bool) {
        guard !playlist.cuePoints.isEmpty else { return ([], false) }
        var (track, reader) = (self, CueSignalReader())
        for (sequence, points) in playlist.cuePoints.chunked(on: \.sequence) {
            guard let place = points.first.map({ track.place(of: $0, sequence) }) else { continue }
            let signals = reader.signals(of: points)
            for signal in signals.inOrder(mayEnd: { track.newest.mayEnd(at: place, in: playlist) }) {
                track.apply(signal, at: place, findings: &findings)
            }
        }
        track.finish(findings: &findings)
        return (track.markers, track.endOfLost != nil)
    }

    private func place(of point: CuePoint, _ sequence: Int) -> CuePlace {
        let index = sequence.subtractingSaturating(playlist.firstListedSequence)
        let segments = playlist.segments
        let start = StreamTime.zero + point.offset
        return CuePlace(
            sequence: sequence, start: start,
            end: segments.indices.contains(index) ? start + segments[index].duration : start, date: point.date,
            previous: segments.indices.contains(index - 1) ? .zero + segments[index - 1].start : nil)
    }

    private mutating func apply(_ signal: CueSignal, at place: CuePlace, findings: inout PlaylistFindings) {
        switch signal.cue.kind {
        case .out: out(signal, at: place, findings: &findings)
        case .cont: cont(signal, at: place, findings: &findings)
        case .in: `in`(signal, at: place, findings: &findings)
        case .scte35, .insert: if isOpen { newest?.learn(from: signal) }
        case .asset: break
        }
        guard isOpen, let newest else { return }
        markers[markers.count - 1].id = newest.markerID
        markers[markers.count - 1].plannedDuration = newest.plannedDuration
    }

    private var isOpen: Bool { newest?.isOpen ?? false }

    private mutating func out(_ signal: CueSignal, at place: CuePlace, findings: inout PlaylistFindings) {
        if isOpen, let end = newest?.end(before: signal, at: place) { close(at: end) }
        guard isOpen else { return open(signal, at: place) }
        if newest?.started(signal, at: place) ?? false {
            findings.add(.cueOutNested, line: signal.cue.line, "a break opens inside another break")
        }
    }

    private mutating func cont(_ signal: CueSignal, at place: CuePlace, findings: inout PlaylistFindings) {
        if isOpen, let end = newest?.end(beforeContinuation: signal.cue, at: place) { close(at: end) }
        guard isOpen, let start = newest?.start else { return open(signal, at: place) }
        newest?.continued(by: signal, at: place)
        guard let elapsed = signal.cue.elapsed else { return }
        let measured = place.start - start
        if (elapsed - measured).magnitude > Self.tolerance {
            findings.add(
                .cueContElapsedMismatch, line: signal.cue.line,
                "\(elapsed.secondsText) s elapsed announced, \(measured.secondsText) s measured")
        }
    }

    /// A continuation opens a break that began before any listed marker of it.
    private mutating func open(_ signal: CueSignal, at place: CuePlace) {
        let new = CueBreak(openedBy: signal, at: place)
        (newest, line) = (new, signal.cue.line)
        let isJoinedMid = signal.cue.kind == .cont
        markers.append(
            AdBreakMarker(
                source: .cue, id: signal.cue.id, start: place.date.map { $0 - (place.start - new.start) },
                startSequence: isJoinedMid ? new.start < .zero ? nil : sequence(at: new.start) : place.sequence,
                startOffset: new.start - .zero, plannedDuration: signal.cue.duration, isJoinedMid: isJoinedMid))
    }

    private mutating func `in`(_ signal: CueSignal, at place: CuePlace, findings: inout PlaylistFindings) {
        if isOpen, let end = newest?.end(beforeEndAt: place) { close(at: end) }
        let wasOpen = isOpen
        guard newest?.ended(signal, at: place) ?? false, let index = markers.indices.last else {
            if !wasOpen { endWithoutBreak(signal, at: place, findings: &findings) }
            return
        }
        if let planned = newest?.plannedDuration.announced, let start = newest?.start {
            let measured = place.start - start
            if (measured - planned).magnitude > Self.tolerance {
                findings.add(
                    .cueOutDurationMismatch, line: signal.cue.line,
                    "\(planned.secondsText) s announced, \(measured.secondsText) s measured")
            }
        }
        markers[index].closedBy = .in
        (markers[index].end, markers[index].endOffset) = (place.date, place.start - .zero)
        markers[index].endSequence = place.sequence
    }

    private mutating func endWithoutBreak(
        _ signal: CueSignal, at place: CuePlace, findings: inout PlaylistFindings
    ) {
        if let last = markers.last, last.closedBy == .in, let end = last.endSequence {
            // Several dialects may announce one return at one segment; one that was late at the start may be late at the end.
            if end == place.sequence { return }
            if place.sequence.subtractingSaturating(1) == end, newest?.hasLateEnd(signal) ?? false { return }
        }
        if markers.isEmpty, playlist.mayHaveLostStart, endOfLost ?? place.sequence == place.sequence {
            endOfLost = place.sequence
            return
        }
        findings.add(.cueInWithoutOut, line: signal.cue.line, "a break ends, but none is open")
    }

    private mutating func finish(findings: inout PlaylistFindings) {
        let list = CueWindow(
            start: .zero, lastStart: .zero + (playlist.segments.last?.start ?? .zero), end: .zero + playlist.duration,
            hasEnded: playlist.isComplete)
        if isOpen, let end = newest?.end(in: list) { close(at: end) }
        if isOpen, playlist.isComplete {
            findings.add(.cueOutWithoutIn, line: line, "the break is still open at the end")
        }
    }

    /// No marker says that the break is over: its length does, or what follows.
    private mutating func close(at end: StreamTime) {
        guard let index = markers.indices.last, let start = newest?.start else { return }
        newest?.close(by: .duration)
        markers[index].closedBy = .duration
        markers[index].end = markers[index].start.map { $0 + (end - start) }
        markers[index].endOffset = end - .zero
        markers[index].endSequence = sequence(at: end)
    }

    /// Media sequence number of the first segment that starts at or after a position, listed or next.
    private func sequence(at position: StreamTime) -> Int {
        playlist.firstListedSequence
            &+ playlist.segments.partitioningIndex { .zero + $0.start >= position }
    }
}

extension MediaPlaylist {
    /// Whether segments before the listed ones were removed, so that a break may have started in them (RFC 8216, 6.2.2).
    var mayHaveLostStart: Bool { !hasEndList && playlistType == nil && firstListedSequence > 0 }

    /// Sets `adBreaks` and `endsLostBreak` from the cue points and date ranges.
    mutating func placeBreaks(findings: inout PlaylistFindings) {
        let (markers, endsLost) = AdBreakTrack(playlist: self).breaks(findings: &findings)
        adBreaks = markers + dateRanges.adBreaks.map(AdBreakMarker.init)
        endsLostBreak = endsLost
    }
}

extension AdBreakMarker {
    /// The break that a date range with SCTE35-OUT or SCTE35-IN describes.
    init(_ range: DateRange) {
        // An end before the start, which is a finding, is none.
        let end = range.end.flatMap { end in range.start.map { $0 <= end } ?? true ? end : nil }
        self.init(
            source: .dateRange, id: range.id, start: range.start, end: end,
            plannedDuration: range.announcedLength ?? range.plannedDuration, closedBy: end == nil ? nil : .dateRange)
    }
}
