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
    /// The newest break of cue tags, also when it is over: its end may come late.
    private var newest: CueBreak?
    /// Its index; nil where it can change no more.
    private var newestIndex: Int?
    /// Number of the first break of the current epoch.
    private var epochNumber = 0
    private var epoch = 0
    private var variantChanges = 0
    /// The latest stream time that any playlist reached.
    private var reach = StreamTime(microseconds: .min)
    private var markers = ReadMarkers()
    /// Number of the segment in progress whose parts the newest playlist lists; nil without one.
    private var partial: Int?
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
        foldMarkers(of: playlist, timeline, through: last.sequence, reload: reload)
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

    private mutating func foldMarkers(of playlist: MediaPlaylist, _ timeline: Timeline, through last: Int, reload: Int)
    {
        var reader = CueSignalReader()
        if let partial, let place = CuePlace(partial, in: timeline) { newest?.mediaGrew(at: place) }
        let start = newestIndex.flatMap { breaks[$0].startSequence }
        let news = markers.read(playlist, through: last, breakFrom: start)
        for cue in news.corrected {
            guard let place = CuePlace(cue.sequence, in: timeline, dated: cue.date) else { continue }
            for signal in reader.signals(of: [cue]) { correct(signal, at: place) }
        }
        for (sequence, cues) in news.new.chunked(on: \.sequence) {
            guard let place = CuePlace(sequence, in: timeline, dated: cues.first?.date) else { continue }
            let signals = reader.signals(of: cues)
            for signal in signals.inOrder(mayEnd: { newest.mayEnd(at: place, in: playlist) }) {
                apply(signal, at: place, timeline, reload: reload)
            }
        }
        partial = playlist.trailingParts.isEmpty ? nil : last.addingSaturating(1)
    }

    /// A marker of the newest break has another length than when it was read.
    private mutating func correct(_ signal: CueSignal, at place: CuePlace) {
        guard let newestIndex, newest?.corrected(by: signal, at: place) ?? false else { return }
        reopen(newestIndex)
        showOpen()
    }

    /// The end of a break no longer follows from its length.
    private mutating func reopen(_ index: Int) {
        newest?.reopen()
        (breaks[index].end, breaks[index].endStream, breaks[index].endSequence) = (nil, nil, nil)
        (breaks[index].closedBy, breaks[index].endedReload) = (nil, nil)
    }

    /// Index of the break that no marker or length has ended.
    private var openCue: Int? { newest?.isOpen ?? false ? newestIndex : nil }

    private mutating func apply(_ signal: CueSignal, at place: CuePlace, _ timeline: Timeline, reload: Int) {
        switch signal.cue.kind {
        case .out:
            if let openCue, let end = newest?.end(before: signal, at: place) {
                close(openCue, at: end, timeline, reload: reload)
            }
            // A marker may come at its start when its length is over.
            if let newestIndex, let newest, newest.closedBy == .duration, newest.began(at: place) {
                reopen(newestIndex)
            }
            // The parser reports what is nested.
            guard openCue != nil else {
                open(signal, at: place, reload: reload)
                break
            }
            _ = newest?.started(signal, at: place)
        case .cont:
            proceed(with: signal, at: place, timeline, reload: reload)
        case .in:
            if let openCue, let end = newest?.end(beforeEndAt: place) {
                close(openCue, at: end, timeline, reload: reload)
            }
            guard let newestIndex, newest?.ended(signal, at: place) ?? false else { return }
            breaks[newestIndex].end = place.date
            breaks[newestIndex].endStream = place.start
            breaks[newestIndex].endSequence = place.sequence
            breaks[newestIndex].closedBy = .in
            breaks[newestIndex].endedReload = reload
        case .scte35, .insert:
            if openCue != nil { newest?.learn(from: signal) }
        case .asset: break
        }
        showOpen()
    }

    /// A CONT continues the newest break, also one that its length has ended; else it joins one in the middle.
    private mutating func proceed(with signal: CueSignal, at place: CuePlace, _ timeline: Timeline, reload: Int) {
        let end = newest?.end(beforeContinuation: signal.cue, at: place)
        if let openCue, let end { close(openCue, at: end, timeline, reload: reload) }
        guard let newestIndex, end == nil, newest?.isOpen ?? false || newest?.closedBy == .duration else {
            return open(signal, at: place, reload: reload)
        }
        reopen(newestIndex)
        newest?.continued(by: signal, at: place)
    }

    private mutating func open(_ signal: CueSignal, at place: CuePlace, reload: Int) {
        let cue = signal.cue
        let new = CueBreak(openedBy: signal, at: place)
        if let index = indexOfEarlier(cue, at: place.date) {
            newest = new.known(as: breaks[index])
            // Its end is known by the positions of the earlier epoch.
            newestIndex = breaks[index].isOpen ? index : nil
            if breaks[index].isOpen { breaks[index].startStream = new.start }
            return
        }
        newest = new
        let isJoinedMid = cue.kind == .cont
        newestIndex = append(
            TrackedBreak(
                number: nextNumber, source: .cue, markerID: cue.id,
                start: place.date.map { $0 - (place.start - new.start) }, startStream: new.start,
                startSequence: isJoinedMid ? nil : place.sequence, plannedDuration: cue.duration,
                isJoinedMid: isJoinedMid, firstSeenReload: reload))
    }

    /// What is known of the open break, as it is shown.
    private mutating func showOpen() {
        guard let openCue, let newest else { return }
        breaks[openCue].markerID = newest.markerID
        breaks[openCue].plannedDuration = newest.plannedDuration
        breaks[openCue].scte35 = newest.scte35.map { [$0] } ?? []
    }

    /// The break of an earlier epoch that a cue marks: the same media may be listed under other numbers, and has the same dates.
    private func indexOfEarlier(_ cue: CuePoint, at date: UnixTime?) -> Int? {
        guard epoch > 0, let date else { return nil }
        // A playlist may open any number of breaks; those of earlier epochs are few.
        let earlier = breaks[..<breaks.partitioningIndex { $0.number >= epochNumber }]
        return earlier.lastIndex { known in
            guard known.source == .cue, let start = known.start else { return false }
            if cue.kind == .out { return (start - date).magnitude <= Timeline.dateTolerance }
            return start <= date && date < known.expectedEnd ?? start + Self.openLimit
        }
    }

    /// Closes the open break where the segments behind it tell that it is over.
    private mutating func closeByDuration(_ timeline: Timeline, reload: Int) {
        guard let openCue, let first = timeline.listed.first, let last = timeline.listed.last else { return }
        let list = CueWindow(start: first.start, lastStart: last.start, end: last.end, hasEnded: timeline.hasEnded)
        guard let end = newest?.end(in: list) else { return }
        close(openCue, at: end, timeline, reload: reload)
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
        newest?.close(by: .duration)
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
        let number = newestIndex.map { breaks[$0].number }
        breaks.removeAll(where: isGone)
        newestIndex = number.flatMap { number in breaks.firstIndex { $0.number == number } }
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

extension CuePlace {
    /// Nil when the segment is neither listed nor kept, and has no listed parts.
    /// - Parameter date: that of a segment of which only parts are listed.
    fileprivate init?(_ sequence: Int, in timeline: Timeline, dated date: UnixTime? = nil) {
        guard let index = timeline.index(ofSequence: sequence) else {
            guard let last = timeline.listed.last, let end = timeline.endOfParts,
                sequence == last.sequence.addingSaturating(1)
            else { return nil }
            self.init(
                sequence: sequence, start: last.end, end: end, date: date ?? last.date(at: last.end),
                previous: last.start)
            return
        }
        let segment = timeline.segments[index]
        self.init(
            sequence: sequence, start: segment.start, end: segment.end, date: segment.date,
            previous: index > 0 ? timeline.segments[index - 1].start : nil)
    }
}
