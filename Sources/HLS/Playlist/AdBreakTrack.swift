import Algorithms
import Ports

/// Builds the breaks of one playlist from its cue points (HLS-23).
///
/// Durations are EXTINF sums, because dates may jump at the return from a stitched break.
struct AdBreakTrack {
    private let playlist: MediaPlaylist
    private var closed: [AdBreakMarker] = []
    private var open: OpenBreak?
    /// Segment at which a break ended whose start the window has lost.
    private var endOfLost: Int?

    /// The break that no marker or length has ended yet.
    private struct OpenBreak {
        var marker: AdBreakMarker
        /// Line of the marker that opened it.
        let line: Int
        var events: BreakEvents
        /// Offset of the last CONT in it.
        var lastContinuation: Duration?
        /// Where the last ad in it ended, if nothing followed; nil where other markers tell the end.
        var adsEnd: Duration?

        init(_ marker: AdBreakMarker, openedBy signal: CueSignal) {
            self.marker = marker
            line = signal.cue.line
            events = BreakEvents(openedBy: signal, startSequence: marker.startSequence)
        }
    }

    /// Largest difference between announced and measured times that is not a finding.
    private static let tolerance = Duration.seconds(1)

    init(playlist: MediaPlaylist) {
        self.playlist = playlist
    }

    /// All breaks in the order of their starts, and whether a break ends whose start the window may have lost.
    func breaks(findings: inout PlaylistFindings) -> (markers: [AdBreakMarker], endsLost: Bool) {
        guard !playlist.cuePoints.isEmpty else { return ([], false) }
        var track = self
        for (_, points) in playlist.cuePoints.chunked(on: \.sequence) {
            // The message of a continuation is that of the start.
            let signals = points.flatMap { [.out, .in].contains($0.kind) ? $0.signals : [CueSignal(cue: $0)] }
            for signal in signals.inOrder(mayEnd: { points.first.map(track.mayEnd) ?? false }) {
                switch signal.cue.kind {
                case .out: track.out(signal, findings: &findings)
                case .cont: track.cont(signal, findings: &findings)
                case .in: track.in(signal, findings: &findings)
                case .scte35, .asset, .insert: break
                }
            }
        }
        track.finish(findings: &findings)
        return (track.closed, track.endOfLost != nil)
    }

    /// Whether a break that began before the segment of a marker may end there: its announced length does not end before, it was continued
    /// until there, or it began before the window.
    private func mayEnd(at point: CuePoint) -> Bool {
        guard let current = open?.marker else { return closed.isEmpty && playlist.mayHaveLostStart }
        guard let planned = current.plannedDuration.announced, let start = current.startOffset else { return true }
        if let continued = open?.lastContinuation.flatMap(firstStart), continued >= point.offset { return true }
        return sequence(at: start + planned) >= point.sequence
    }

    private mutating func out(_ signal: CueSignal, findings: inout PlaylistFindings) {
        let point = signal.cue
        // At its first segment a break is not over, also where one of its markers announces a length of 0.
        if open?.events.startSequence != point.sequence {
            closeIfOver(at: point.offset, tolerance: Timeline.dateTolerance)
            let isNext = open?.events.mayBeFollowed(by: signal) ?? false
            closeIfAdsEnded(at: point.offset, after: isNext ? .zero : BreakEvents.longestPause)
            closeIfContinuationsStopped(before: point)
        }
        open?.adsEnd = nil
        guard let current = open?.marker else {
            let marker = AdBreakMarker(
                source: .cue, id: point.id, start: point.date, startSequence: point.sequence,
                startOffset: point.offset, plannedDuration: point.duration)
            open = OpenBreak(marker, openedBy: signal)
            return
        }
        let isFirst = current.startSequence == point.sequence
        let isRepeat = isFirst && (current.id == nil || point.id == nil || current.id == point.id)
        switch open?.events.started(signal) {
        case .breakOfFirstAd:
            open?.marker.id = point.id ?? current.id
            open?.marker.plannedDuration = point.duration
        // An ad in the pod of the break is an event of its own (ANSI/SCTE 35 2022b section 10.3.3), whatever marks the break.
        case .inside where point.isMessage:
            if isFirst { open?.marker.id = current.id ?? point.id }
        // Several dialects may announce one break at one segment.
        case .beside where point.isMessage || isRepeat, .same where isRepeat:
            open?.events.learned(signal)
            open?.marker.id = current.id ?? point.id
            open?.marker.plannedDuration =
                current.plannedDuration.announced ?? point.duration ?? current.plannedDuration
        case .inside, .beside, .same, nil:
            findings.add(.cueOutNested, line: point.line, "a break opens inside another break")
        }
    }

    private mutating func cont(_ signal: CueSignal, findings: inout PlaylistFindings) {
        let point = signal.cue
        defer { open?.lastContinuation = point.offset }
        guard let current = open?.marker else { return joinMid(signal) }
        open?.events.learned(signal)
        open?.adsEnd = nil
        open?.marker.plannedDuration = current.plannedDuration.announced ?? point.duration ?? current.plannedDuration
        open?.marker.id = current.id ?? point.id
        guard let elapsed = point.elapsed, let start = current.startOffset else { return }
        let measured = point.offset - start
        if (elapsed - measured).magnitude > Self.tolerance {
            findings.add(
                .cueContElapsedMismatch, line: point.line,
                "\(elapsed.secondsText) s elapsed announced, \(measured.secondsText) s measured")
        }
    }

    /// Opens a break that began before any listed marker of it.
    private mutating func joinMid(_ signal: CueSignal) {
        let point = signal.cue
        let elapsed = point.elapsed ?? .zero
        let start = point.offset - elapsed
        let marker = AdBreakMarker(
            source: .cue, id: point.id, start: point.date.map { $0 - elapsed },
            startSequence: start < .zero ? nil : sequence(at: start), startOffset: start,
            plannedDuration: point.duration, isJoinedMid: true)
        open = OpenBreak(marker, openedBy: signal)
    }

    private mutating func `in`(_ signal: CueSignal, findings: inout PlaylistFindings) {
        let point = signal.cue
        guard let current = open?.marker else {
            // Several dialects may announce one return at one segment.
            if let last = closed.last, last.closedBy == .in, last.endSequence == point.sequence { return }
            if closed.isEmpty, playlist.mayHaveLostStart, endOfLost ?? point.sequence == point.sequence {
                endOfLost = point.sequence
                return
            }
            findings.add(.cueInWithoutOut, line: point.line, "a break ends, but none is open")
            return
        }
        switch open?.events.ended(signal) {
        case .inside: return
        case .ofLastAd:
            open?.adsEnd = point.offset
            return
        case .ofBreak, nil: break
        }
        if let planned = current.plannedDuration.announced, let start = current.startOffset {
            let measured = point.offset - start
            if (measured - planned).magnitude > Self.tolerance {
                findings.add(
                    .cueOutDurationMismatch, line: point.line,
                    "\(planned.secondsText) s announced, \(measured.secondsText) s measured")
            }
        }
        close(current, by: .in, end: point.date, endOffset: point.offset, endSequence: point.sequence)
    }

    private mutating func finish(findings: inout PlaylistFindings) {
        if !goesOn { closeIfOver(at: playlist.duration) }
        closeIfAdsEnded(at: playlist.duration, after: playlist.hasEndList ? .zero : BreakEvents.longestPause)
        guard let open else { return }
        if playlist.hasEndList {
            findings.add(.cueOutWithoutIn, line: open.line, "the break is still open at the end")
        }
        closed.append(open.marker)
    }

    /// A CONT at or after the announced end shows that the open break continues.
    private var goesOn: Bool {
        guard let open, let lastContinuation = open.lastContinuation, let planned = open.marker.plannedDuration,
            let start = open.marker.startOffset
        else { return false }
        return lastContinuation >= start + planned
    }

    /// Closes the open break when a segment boundary reaches its announced end; a length of 0 is none where it is continued.
    private mutating func closeIfOver(at offset: Duration, tolerance: Duration = .zero) {
        guard let current = open?.marker, let planned = current.plannedDuration, let start = current.startOffset,
            start + planned <= offset + tolerance, planned > .zero || open?.lastContinuation == nil
        else { return }
        close(current, from: start, at: min(start + planned, offset))
    }

    /// Closes an open break of unknown length after the last segment that continued it: dialects without an end marker
    /// announce the length at the start alone, which the window may have lost.
    private mutating func closeIfContinuationsStopped(before point: CuePoint) {
        guard let current = open?.marker, current.plannedDuration.announced == nil, let start = current.startOffset,
            let lastContinuation = open?.lastContinuation, let end = firstStart(after: lastContinuation),
            end < point.offset
        else { return }
        close(current, from: start, at: end)
    }

    /// Closes an open break of unknown length where its ads ended, if none followed within a pause.
    private mutating func closeIfAdsEnded(at offset: Duration, after pause: Duration) {
        guard let current = open?.marker, current.plannedDuration.announced == nil, let start = current.startOffset,
            let end = open?.adsEnd, end + pause <= offset
        else { return }
        close(current, from: start, at: end)
    }

    /// No marker says that the break is over: its length does, or what follows.
    private mutating func close(_ marker: AdBreakMarker, from start: Duration, at end: Duration) {
        close(
            marker, by: .duration, end: marker.start.map { $0 + (end - start) }, endOffset: end,
            endSequence: sequence(at: end))
    }

    private mutating func close(
        _ marker: AdBreakMarker, by closing: AdBreakMarker.Closing, end: UnixTime?, endOffset: Duration,
        endSequence: Int
    ) {
        var marker = marker
        marker.closedBy = closing
        marker.end = end
        marker.endOffset = endOffset
        marker.endSequence = endSequence
        closed.append(marker)
        open = nil
    }

    /// Start of the first segment that starts after `offset`; nil when none is listed.
    private func firstStart(after offset: Duration) -> Duration? {
        let index = playlist.segments.partitioningIndex { $0.start > offset }
        return index < playlist.segments.count ? playlist.segments[index].start : nil
    }

    /// Media sequence number of the first segment that starts at or after `offset`, listed or next.
    private func sequence(at offset: Duration) -> Int {
        playlist.firstListedSequence &+ playlist.segments.partitioningIndex { $0.start >= offset }
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
        self.init(
            source: .dateRange, id: range.id, start: range.start, end: range.end,
            plannedDuration: range.plannedDuration, closedBy: range.end == nil ? nil : .dateRange)
    }
}
