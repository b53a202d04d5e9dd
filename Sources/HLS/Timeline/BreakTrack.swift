import Algorithms
package import Ports

/// The ad breaks that cue tags and date ranges describe, across all reloads: a break is kept when its first marker
/// slides out of the window, and its duration is measured in stream time (HLS-23).
package struct BreakTrack: Equatable, Sendable {
    /// Most breaks kept; the oldest closed ones are dropped first.
    package static let breakLimit = 1_000
    /// A break of unknown duration is closed after this time (HLS-23).
    package static let openLimit: Duration = .seconds(1_800)

    /// The breaks in the order in which they were first listed.
    package internal(set) var breaks: [TrackedBreak] = []
    private(set) var nextNumber = 0
    private var openCue: Int?
    /// What is known of the newest break of cue tags by its events, also when it is over: the end of an ad in it may come late.
    private var events: BreakEvents?
    /// End of the newest segment that continued the open break; nil while none did.
    private var continuedUntil: StreamTime?
    /// Where the last ad in the open break ended, if nothing followed; nil where other markers tell the end.
    private var adsEnd: StreamTime?
    /// Number of the first break of the current epoch.
    private var epochNumber = 0
    private var epoch = 0
    private var variantChanges = 0
    /// The latest stream time that any playlist reached.
    private var reach = StreamTime(microseconds: .min)
    private var markers = ReadMarkers()
    /// IDs of the listed date ranges that are ads in a break.
    var adRangeIDs: Set<String> = []
    /// Breaks that ended before this date were dropped.
    private(set) var forgotten: UnixTime?

    package init() {}

    /// Merges the newest playlist of `timeline`, which was the answer to reload number `reload`.
    package mutating func fold(_ timeline: Timeline, reload: Int) {
        guard let playlist = timeline.playlist, let last = timeline.listed.last else { return }
        if timeline.epoch != epoch {
            epoch = timeline.epoch
            epochNumber = nextNumber
            markers = ReadMarkers()
        }
        if timeline.variantChanges != variantChanges {
            variantChanges = timeline.variantChanges
            changeNumbers(to: timeline, playlist)
        }
        for (_, cues) in markers.new(in: playlist, through: last.sequence).chunked(on: \.sequence) {
            // A payload may be listed before the OUT that it describes.
            let signals = (cues.filter { $0.kind != .scte35 } + cues.filter { $0.kind == .scte35 }).flatMap(\.signals)
            for signal in signals.inOrder(mayEnd: { mayEnd(at: cues.first?.sequence, timeline) }) {
                apply(signal, timeline: timeline, reload: reload)
            }
        }
        reach = last.end
        closeByDuration(timeline, reload: reload)
        foldDateRanges(of: playlist, timeline, reload: reload)
        dropOldest()
    }

    /// Another variant has other sequence numbers: its markers on known media are known, too.
    private mutating func changeNumbers(to timeline: Timeline, _ playlist: MediaPlaylist) {
        markers = ReadMarkers(
            playlist.cuePoints.filter { cue in
                timeline.segment(sequence: cue.sequence).map { $0.start + $0.duration / 2 < reach } ?? false
            })
    }

    // MARK: Cue tags

    /// Whether a break that began before a segment may end there: its announced length does not end before, it was continued
    /// until there, or it began before the window.
    private func mayEnd(at sequence: Int?, _ timeline: Timeline) -> Bool {
        guard let sequence, let known = (openCue ?? breaks.lastIndex { $0.source == .cue }).map({ breaks[$0] }) else {
            return timeline.playlist?.mayHaveLostStart ?? false
        }
        guard known.startSequence != sequence, known.isOpen || known.closedBy == .duration else { return false }
        guard let planned = known.plannedDuration.announced, let start = known.startStream else { return true }
        if known.isOpen, let continuedUntil, let segment = timeline.segment(sequence: sequence),
            continuedUntil >= segment.start
        {
            return true
        }
        let next = timeline.listed.partitioningIndex { $0.start >= start + planned }
        return next == timeline.listed.endIndex || timeline.listed[next].sequence >= sequence
    }

    private mutating func apply(_ signal: CueSignal, timeline: Timeline, reload: Int) {
        guard let segment = timeline.segment(sequence: signal.cue.sequence) else { return }
        switch signal.cue.kind {
        case .out:
            // At its first segment a break is not over, also where one of its markers announces a length of 0.
            if events?.startSequence != signal.cue.sequence {
                closeIfOver(at: segment.start, before: signal, timeline, reload: reload)
            }
            adsEnd = nil
            if openCue == nil { open(signal, at: segment, reload: reload) } else { start(signal) }
        case .cont:
            adsEnd = nil
            if openCue == nil { open(signal, at: segment, reload: reload) } else { learn(from: signal) }
            continuedUntil = segment.end
        case .in:
            switch events?.ended(signal) {
            case .inside: break
            case .ofLastAd: adsEnd = segment.start
            case .ofBreak, nil: close(at: segment, reload: reload)
            }
        case .scte35, .asset, .insert:
            learn(from: signal)
        }
    }

    /// Another OUT while a break is open repeats the first or is nested; the parser reports the latter.
    private mutating func start(_ signal: CueSignal) {
        guard let openCue else { return }
        let isFirst = events?.startSequence == signal.cue.sequence
        switch events?.started(signal) {
        case .breakOfFirstAd:
            breaks[openCue].markerID = signal.cue.id ?? breaks[openCue].markerID
            breaks[openCue].plannedDuration = signal.cue.duration
            if let message = signal.cue.scte35 { breaks[openCue].scte35 = [message] }
        case .inside:
            if isFirst { learnName(from: signal.cue) }
        case .same where !isFirst && signal.eventID == nil && (signal.cue.id ?? "") != breaks[openCue].markerID:
            // Nothing says that it is the same: what is nested tells nothing about the break.
            break
        case .beside, .same, nil:
            learn(from: signal)
        }
    }

    /// A CONT without an open break joins one in the middle: it began `elapsed` before the segment.
    private mutating func open(_ signal: CueSignal, at segment: TimelineSegment, reload: Int) {
        let cue = signal.cue
        let elapsed = cue.kind == .cont ? max(.zero, cue.elapsed ?? .zero) : .zero
        let startSequence = cue.kind == .cont ? nil : segment.sequence
        (continuedUntil, adsEnd) = (nil, nil)
        events = BreakEvents(openedBy: signal, startSequence: startSequence)
        if let index = indexOfEarlier(cue, at: segment) {
            guard breaks[index].isOpen else { return }
            breaks[index].startStream = segment.start - elapsed
            openCue = index
            return
        }
        openCue = append(
            TrackedBreak(
                number: nextNumber, source: .cue, markerID: cue.id, start: segment.date.map { $0 - elapsed },
                startStream: segment.start - elapsed, startSequence: startSequence,
                plannedDuration: cue.duration, isJoinedMid: cue.kind == .cont, firstSeenReload: reload,
                scte35: cue.scte35.map { [$0] } ?? []))
    }

    /// The break of an earlier epoch that a cue marks: the same media may be listed under other numbers, and has the same dates.
    private func indexOfEarlier(_ cue: CuePoint, at segment: TimelineSegment) -> Int? {
        guard epoch > 0, let date = segment.date else { return nil }
        // A playlist may open any number of breaks; those of earlier epochs are few.
        let earlier = breaks[..<breaks.partitioningIndex { $0.number >= epochNumber }]
        return earlier.lastIndex { known in
            guard known.source == .cue, let start = known.start else { return false }
            if cue.kind == .out { return (start - date).magnitude <= Timeline.dateTolerance }
            return start <= date && date < known.expectedEnd ?? start + Self.openLimit
        }
    }

    private mutating func learn(from signal: CueSignal) {
        guard let openCue else { return }
        let cue = signal.cue
        // The message about the break is rather its own than one about an ad in it.
        if events?.learned(signal) ?? false, cue.scte35 != nil { breaks[openCue].scte35 = [] }
        let known = breaks[openCue].plannedDuration
        breaks[openCue].plannedDuration = known.announced ?? cue.duration ?? known
        learnName(from: cue)
    }

    private mutating func learnName(from cue: CuePoint) {
        guard let openCue else { return }
        breaks[openCue].markerID = breaks[openCue].markerID ?? cue.id
        if let message = cue.scte35, breaks[openCue].scte35.isEmpty { breaks[openCue].scte35 = [message] }
    }

    /// An IN closes the open break; a late one corrects the end that followed from the announced duration.
    private mutating func close(at segment: TimelineSegment, reload: Int) {
        let isLate = openCue == nil
        guard let index = openCue ?? breaks.lastIndex(where: { $0.source == .cue }),
            !isLate || breaks[index].closedBy == .duration, let start = breaks[index].startStream,
            start <= segment.start,
            !isLate || segment.start - start <= Self.openLimit
        else { return }
        breaks[index].end = segment.date
        breaks[index].endStream = segment.start
        breaks[index].endSequence = segment.sequence
        breaks[index].closedBy = .in
        breaks[index].endedReload = reload
        openCue = nil
    }

    /// Closes the open break once its announced duration is over and no marker continues it. In a break with CONT tags,
    /// this waits until a segment after the end is listed without a CONT.
    private mutating func closeByDuration(_ timeline: Timeline, reload: Int) {
        guard let openCue, let start = breaks[openCue].startStream, let last = timeline.listed.last else { return }
        let planned = breaks[openCue].plannedDuration
        if planned.announced == nil, let end = endOfAds,
            last.end >= end + (timeline.hasEnded ? .zero : BreakEvents.longestPause)
        {
            return close(openCue, at: end, timeline, reload: reload)
        }
        let end = start + (planned.announced ?? Self.openLimit)
        let reached = continuedUntil == nil ? last.end : last.start
        guard reached >= end, !hasContinuation(at: end, timeline) else { return }
        // With a length of 0 and nothing else, a point was meant.
        close(openCue, at: planned == .zero ? continuedUntil ?? start : end, timeline, reload: reload)
    }

    /// Where the open break is over if only its ads and continuations tell.
    private var endOfAds: StreamTime? { adsEnd.map { max($0, continuedUntil ?? $0) } }

    /// The next break begins: the open one is over where its announced length was, or, if it announced none, after the last segment
    /// that continued it, or with its ads.
    private mutating func closeIfOver(
        at next: StreamTime, before signal: CueSignal, _ timeline: Timeline, reload: Int
    ) {
        guard let openCue, let start = breaks[openCue].startStream else { return }
        let planned = breaks[openCue].plannedDuration
        let pause = events?.mayBeFollowed(by: signal) ?? false ? .zero : BreakEvents.longestPause
        let ofAds = endOfAds.flatMap { $0 + pause <= next ? $0 : nil }
        // What begins where the last continuation ends may be inside.
        let ofContinuations = continuedUntil.flatMap { $0 + Timeline.dateTolerance < next ? $0 : nil }
        let ofPoint = planned != nil && continuedUntil == nil ? start : nil
        let told = planned.announced.map { start + $0 } ?? ofAds ?? ofContinuations ?? ofPoint
        guard let end = told, end <= next + Timeline.dateTolerance else { return }
        close(openCue, at: min(end, next), timeline, reload: reload)
    }

    /// No marker says that the break at an index is over: its length does.
    private mutating func close(_ index: Int, at end: StreamTime, _ timeline: Timeline, reload: Int) {
        guard let start = breaks[index].startStream else { return }
        breaks[index].endStream = end
        breaks[index].end = breaks[index].start.map { $0 + (end - start) }
        let next = timeline.listed.partitioningIndex { $0.start >= end }
        breaks[index].endSequence = next < timeline.listed.endIndex ? timeline.listed[next].sequence : nil
        breaks[index].closedBy = .duration
        breaks[index].endedReload = reload
        openCue = nil
    }

    private func hasContinuation(at end: StreamTime, _ timeline: Timeline) -> Bool {
        guard continuedUntil != nil, let cue = timeline.playlist?.cuePoints.last(where: { $0.kind == .cont }),
            let segment = timeline.segment(sequence: cue.sequence)
        else { return false }
        return segment.start >= end
    }

    // MARK: Storage

    mutating func append(_ new: TrackedBreak) -> Int {
        breaks.append(new)
        nextNumber += 1
        return breaks.count - 1
    }

    /// Drops breaks that ended before `date`, except those that the playlist still lists.
    package mutating func forget(endedBefore date: UnixTime, in timeline: Timeline) {
        let listed = timeline.window?.startDate ?? date
        let limit = min(date, listed)
        let openNumber = openCue.map { breaks[$0].number }
        func isOver(_ tracked: TrackedBreak) -> Bool {
            guard tracked.number != openNumber, let start = tracked.start else { return false }
            // Ads may have dates of their own, long before those of the stream.
            if let place = tracked.startStream, let window = timeline.window,
                place + (tracked.expectedLength ?? .zero) >= window.start
            {
                return false
            }
            // Many packagers never close a date range, and announce no length.
            return tracked.expectedEnd.map { $0 < limit } ?? (start + Self.openLimit < limit)
        }
        guard breaks.contains(where: isOver) else { return }
        forgotten = limit
        remove(isOver)
    }

    mutating func remove(_ isGone: (TrackedBreak) -> Bool) {
        let openNumber = openCue.map { breaks[$0].number }
        breaks.removeAll(where: isGone)
        openCue = openNumber.flatMap { number in breaks.firstIndex { $0.number == number } }
    }

    private mutating func dropOldest() {
        guard breaks.count > Self.breakLimit else { return }
        drop(breaks.count - Self.breakLimit)
    }

    private mutating func drop(_ count: Int) {
        let first = breaks[count].number
        remove { $0.number < first }
    }
}
