import Ports

/// What is known of one break from its cue tags and the segments behind them: its name, its length and its end (HLS-23). These rules hold for
/// a playlist alone and for its reloads.
struct CueBreak: Equatable, Sendable {
    /// Where it began, also before the listed segments.
    let start: StreamTime
    /// ID or event id as written.
    private(set) var markerID: String?
    private(set) var plannedDuration: Duration?
    /// The marker that announced the length.
    private var announcement: Announcement?
    /// The SCTE-35 message about it; nil while there is none.
    private(set) var scte35: [UInt8]?
    /// How it ended; nil while it is open.
    private(set) var closedBy: AdBreakMarker.Closing?
    private var events: BreakEvents
    /// The newest segment that continued it, from start to end; nil while none did.
    private var continuation: Range<StreamTime>?
    /// Where the last ad in it ended, if nothing followed; nil where other markers give the end.
    private var adsEnd: StreamTime?
    /// Whether it ended with a marker that may be that of an ad in it.
    private var hasDoubtfulEnd = false

    /// The break that a start opens, or a continuation, which joins it in the middle: it began `elapsed` before the segment.
    init(openedBy signal: CueSignal, at place: CuePlace) {
        let cue = signal.cue
        let elapsed = cue.kind == .cont ? max(.zero, cue.elapsed ?? .zero) : .zero
        start = place.start - elapsed
        (markerID, plannedDuration, scte35) = (cue.id, signal.length, cue.scte35)
        events = BreakEvents(openedBy: signal, startSequence: elapsed == .zero ? place.sequence : nil)
        if cue.kind == .cont { continuation = place.media }
        announcement = Announcement(signal)
    }

    var isOpen: Bool { closedBy == nil }

    // MARK: Markers

    /// Whether it began at the start of a segment.
    func began(at place: CuePlace) -> Bool { (place.start - start).magnitude <= Timeline.dateTolerance }

    /// Another start while it is open repeats the first, is about something inside, or is nested.
    /// - Returns: whether it is nested: another break begins inside this one, and does not describe it.
    mutating func started(_ signal: CueSignal, at place: CuePlace) -> Bool {
        let cue = signal.cue
        let isFirst = events.startSequence == place.sequence
        adsEnd = nil
        switch events.started(signal) {
        case .breakOfFirstAd:
            (markerID, plannedDuration, scte35) = (cue.id ?? markerID, signal.length, cue.scte35 ?? scte35)
            announcement = Announcement(signal)
        // An ad in the pod of the break is an event of its own (ANSI/SCTE 35 2022b section 10.3.3), whatever marks the break.
        case .inside:
            if isFirst { learnName(from: cue) }
            return !cue.isMessage
        case .late:
            var late = signal
            // Its length counts from its own segment.
            late.cue.duration = cue.duration.announced.map { $0 + (place.start - start) } ?? cue.duration
            learn(from: late)
        case .repeated:
            learn(from: signal)
        case .beside, .same:
            let hasID = markerID != nil && cue.id == markerID
            // Several dialects may announce one break at one segment.
            let isRepeat = isFirst && (cue.isMessage || markerID == nil || cue.id == nil) || hasID
            if isRepeat { learn(from: signal) }
            return !(isFirst && isRepeat)
        }
        return false
    }

    /// A continuation of it.
    mutating func continued(by signal: CueSignal, at place: CuePlace) {
        (closedBy, adsEnd) = (nil, nil)
        learn(from: signal)
        continuation = place.media
    }

    /// A marker that describes it.
    mutating func learn(from signal: CueSignal) {
        let cue = signal.cue
        // The event of a message inside the break may be another one.
        let isOwn = cue.kind == .cont || events.startSequence == cue.sequence || events.names(signal)
        // The message about the break is rather its own than one about an ad in it.
        if events.learned(signal), cue.scte35 != nil { scte35 = nil }
        if plannedDuration.announced == nil, let length = isOwn ? signal.length : cue.duration {
            (plannedDuration, announcement) = (length, Announcement(signal))
        }
        learnName(from: cue)
    }

    /// A marker of its start is listed with another length than before. That counts where the former one was announced by this marker, or by
    /// none that is a start.
    /// - Returns: whether its length is another one now, so that its end is, too.
    mutating func corrected(by signal: CueSignal, at place: CuePlace) -> Bool {
        let isLate = events.isOfLateDialect(signal) && place.previous == start
        guard isOpen || closedBy == .duration, began(at: place) || isLate else { return false }
        let isRival = plannedDuration.announced != nil && announcement?.kind == .out
        let isSame = announcement?.isRepeated(by: signal) ?? false
        guard isSame || !isRival && events.mayDescribe(signal), let length = signal.length.announced else {
            return false
        }
        (plannedDuration, announcement) = (length + (place.start - start), Announcement(signal))
        return true
    }

    private mutating func learnName(from cue: CuePoint) {
        (markerID, scte35) = (markerID ?? cue.id, scte35 ?? cue.scte35)
    }

    /// A marker of an end, which may be late: then it corrects the end that followed from the announced length.
    /// - Returns: whether the break ends there.
    mutating func ended(_ signal: CueSignal, at place: CuePlace) -> Bool {
        guard mayBeEnded(by: signal, at: place) else { return false }
        switch events.ended(signal) {
        case .inside: return false
        case .ofLastAd:
            adsEnd = place.start
            return false
        case .ofBreak:
            hasDoubtfulEnd = events.isOfLateDialect(signal) && !events.names(signal)
            closedBy = .in
            return true
        }
    }

    /// It is over by the segments behind it.
    mutating func close(by closing: AdBreakMarker.Closing) { closedBy = closing }

    /// The segments behind it no longer show its end.
    mutating func reopen() { closedBy = nil }

    /// A segment that was read in parts has grown, or is complete: it continues the break to its end.
    mutating func mediaGrew(at place: CuePlace) {
        if continuation?.lowerBound == place.start { continuation = place.media }
    }

    /// Whether a marker may be that of its end, or correct that.
    private func mayBeEnded(by signal: CueSignal, at place: CuePlace) -> Bool {
        guard start <= place.start else { return false }
        switch closedBy {
        case nil: return true
        case .duration: return place.start <= latestEnd
        case .in, .dateRange: return hasDoubtfulEnd && events.names(signal)
        }
    }

    /// Whether a marker one segment behind its end is a second one of that end: its dialect was late at the start, too.
    func hasLateEnd(_ signal: CueSignal) -> Bool { closedBy == .in && events.isOfLateDialect(signal) }

    // MARK: Where it is over

    /// A marker of an end behind this is none of its own: half an hour behind the announced end or, without one, its start.
    private var latestEnd: StreamTime { start + (plannedDuration.announced ?? .zero) + BreakTrack.openLimit }

    /// Where it is over by its ads and continuations alone.
    private var endOfAds: StreamTime? { adsEnd.map { max($0, continuation?.upperBound ?? $0) } }

    /// Whether it was continued behind a length.
    private func isContinued(behind end: StreamTime) -> Bool { continuation.map { $0.lowerBound >= end } ?? false }

    /// Where a length of it is over: with the last segment that continued it, if that is behind it.
    private func end(afterLength length: Duration) -> StreamTime {
        let end = start + length
        return isContinued(behind: end) ? continuation?.upperBound ?? end : end
    }

    /// Where it was over before the next start: where its announced length was, or, if it announced none, after the last segment that
    /// continued it, or with its ads. Nil where it is not.
    func end(before signal: CueSignal, at next: CuePlace) -> StreamTime? {
        // At its first segment a break is not over, also where one of its markers announces a length of 0.
        guard events.startSequence != next.sequence else { return nil }
        let pause = events.mayBeFollowed(by: signal) ? .zero : BreakEvents.longestPause
        let ofAds = endOfAds.flatMap { $0 + pause <= next.start ? $0 : nil }
        // What begins where the last continuation ends may be inside.
        let ofContinuations = continuation.flatMap {
            $0.upperBound + Timeline.dateTolerance < next.start ? $0.upperBound : nil
        }
        let ofPoint = plannedDuration != nil && continuation == nil ? start : nil
        let known = plannedDuration.announced.map { self.end(afterLength: $0) } ?? ofAds ?? ofContinuations ?? ofPoint
        let end = known ?? start + BreakTrack.openLimit
        return end <= next.start + Timeline.dateTolerance ? min(end, next.start) : nil
    }

    /// Where it was over before a continuation that is not its own; nil where that continues it.
    func end(beforeContinuation cue: CuePoint, at place: CuePlace) -> StreamTime? {
        guard let end = end(beforeSegmentAt: place) else { return nil }
        guard let elapsed = cue.elapsed else { return (place.previous.map { end > $0 } ?? true) ? nil : end }
        // Packagers round: it counts from this break if that began nearer than it ended.
        let began = place.start - elapsed
        return began - start < end - began ? nil : end
    }

    /// Where it was over before a marker of an end that comes too late for it; nil where it ends with that.
    func end(beforeEndAt place: CuePlace) -> StreamTime? {
        place.start > latestEnd ? end(beforeSegmentAt: place) : nil
    }

    /// Where it was over before a segment, by those ahead of it alone.
    private func end(beforeSegmentAt place: CuePlace) -> StreamTime? {
        let last = place.previous ?? place.start
        return end(in: CueWindow(start: place.start, lastStart: last, end: place.start, hasEnded: false))
    }

    /// Where it is over once segments are listed: its announced length is over and no marker continues it. In a break with CONT tags, this
    /// waits until a segment after the end is listed without a CONT. One behind the end keeps it open while it is listed. Nil while it may go
    /// on.
    func end(in list: CueWindow) -> StreamTime? {
        let announced = plannedDuration.announced
        if announced == nil {
            if let end = endOfAds, list.end >= end + (list.hasEnded ? .zero : BreakEvents.longestPause) { return end }
            // With a length of 0 and nothing else, a point was meant.
            if plannedDuration != nil, continuation == nil, list.hasEnded { return start }
        }
        let length = announced ?? BreakTrack.openLimit
        let end = self.end(afterLength: length)
        let reached = continuation == nil || list.hasEnded ? list.end : list.lastStart
        guard reached >= end, !isContinued(behind: max(start + length, list.start)) else { return nil }
        return plannedDuration == .zero ? continuation?.upperBound ?? start : end
    }
}

extension Optional where Wrapped == CueBreak {
    /// Whether a break that began before a segment may end there: its announced length does not end before, it was continued until there, or
    /// it began before the window.
    func mayEnd(at place: CuePlace, in playlist: MediaPlaylist) -> Bool {
        guard let self else { return playlist.mayHaveLostStart }
        return self.mayReach(place)
    }
}

extension CueBreak {
    /// Whether it may last until a segment behind its first.
    fileprivate func mayReach(_ place: CuePlace) -> Bool {
        guard events.startSequence != place.sequence, isOpen || closedBy == .duration else { return false }
        guard let planned = plannedDuration.announced else { return true }
        if let continuation, continuation.upperBound >= place.start { return true }
        return place.previous.map { start + planned > $0 } ?? true
    }

    /// The same break as it was known in an earlier epoch, where its media had other numbers.
    func known(as earlier: TrackedBreak) -> CueBreak {
        var known = self
        known.markerID = earlier.markerID ?? markerID
        known.plannedDuration = earlier.plannedDuration.announced ?? plannedDuration ?? earlier.plannedDuration
        known.scte35 = earlier.scte35.first ?? scte35
        known.closedBy = earlier.closedBy
        return known
    }
}

/// Where a marker is: at the start of the segment that follows it.
struct CuePlace {
    let sequence: Int
    let start: StreamTime
    /// End of the segment; its start while it is not listed.
    let end: StreamTime
    let date: UnixTime?
    /// Start of the segment before; nil where that is not known.
    let previous: StreamTime?

    /// The segment.
    var media: Range<StreamTime> { start..<max(start, end) }
}

/// The listed segments in which a break may be over.
struct CueWindow {
    let start: StreamTime
    /// Start of the last segment.
    let lastStart: StreamTime
    let end: StreamTime
    /// Whether no more will follow.
    let hasEnded: Bool
}

/// The marker that announced the length of a break.
private struct Announcement: Equatable {
    let kind: CuePoint.Kind
    let tag: String
    /// The events in its message.
    let ids: Set<String>

    init(_ signal: CueSignal) {
        (kind, tag) = (signal.cue.kind, signal.cue.tag)
        ids = signal.eventIDs
    }

    /// Whether another one is the same in a later playlist. It may have no message at first.
    func isRepeated(by signal: CueSignal) -> Bool {
        guard kind == signal.cue.kind, tag == signal.cue.tag else { return false }
        return ids == signal.eventIDs || ids.isEmpty && !signal.isAdvertisement
    }
}
