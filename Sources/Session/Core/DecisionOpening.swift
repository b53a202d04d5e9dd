import AdTracking
import HLS
import Ports
import VAST

/// Decides which breaks to fill and when to request their ads.
extension MonitorState {
    /// Whether ads may be requested: the beacons sent earlier and the viewer's position must be known.
    private var canDecide: Bool {
        tracker != nil && playhead.state != .idle && (desk.journal.state == .open || desk.journal.state == .failed)
    }

    mutating func decideIfDue(at now: Moment) {
        guard let source = configuration.decision else { return }
        for number in decisions.overdue(at: now) {
            decisions.giveUp(number)
            placeIfComplete(number, at: now)
        }
        if session.addresses != nil { decisions.askForScheduleIfDue(&desk, at: now) }
        guard canDecide else { return }
        sayHowItIs(source, at: now)
        switch source {
        case .vast(let tag): openMarkerBreaks(tag, at: now)
        case .vmap, .vmapDocument: openStops(at: now)
        }
        followBreakEnds(at: now)
    }

    /// The uptime at which the ads of the next break must be requested, or a chain of wrappers must be abandoned.
    func nextDecision(at now: Moment) -> Duration? {
        guard let source = configuration.decision else { return nil }
        var instants = [decisions.nextDeadline, decisions.vmap.nextRequest]
        if canDecide {
            switch source {
            case .vast: instants.append(nextMarkerRequest)
            case .vmap, .vmapDocument: instants.append(nextStopRequest)
            }
        }
        return instants.compactMap { $0 }.min()
    }

    /// Opens a break and sends the first requests of its parts. `tags` has one element per part.
    mutating func open(_ decision: DecisionPart.Decision, tags: [TagSource], at now: Moment) {
        let timeline = playlist.follower.timeline
        placeIfComplete(decisions.open(decision, tags: tags, on: timeline, &desk, at: now), at: now)
    }

    mutating func decisionAnswered(_ id: RequestID, _ exchange: HTTPExchange, at now: Moment) {
        guard let number = decisions.answered(id, exchange, &desk, at: now) else { return }
        placeIfComplete(number, at: now)
    }

    private mutating func placeIfComplete(_ number: Int, at now: Moment) {
        if decisions.isComplete(number) { place(number, at: now) }
    }

    private mutating func sayHowItIs(_ source: DecisionSource, at now: Moment) {
        guard !decisions.hasSaidHowItIs, playlist.follower.timeline.playlist != nil else { return }
        decisions.hasSaidHowItIs = true
        if desk.mode == .observe {
            desk.note(
                .warning, "ads are requested although beacons are only observed; the ad server may count requests",
                at: now)
        }
        guard case .vast = source, playlist.follower.breaks.breaks.isEmpty else { return }
        desk.note(
            .info, "the playlist has no ad markers yet: the tag is requested when a break is marked", from: .ads,
            at: now)
    }

    // MARK: Markers

    private func ahead(of marker: TrackedBreak) -> Duration? {
        let timeline = playlist.follower.timeline
        let stream = marker.startStream ?? marker.start.flatMap { timeline.position(of: $0) }
        return stream.map { $0 - playhead.position }
    }

    /// The breaks that the playlist marks, on the clock on which ads of tags are placed.
    var markedBreaks: [TrackedBreak] {
        let breaks = playlist.follower.breaks.breaks
        if configuration.decision == nil {
            let shifts = breaks.map { playlist.redating(of: $0) }
            guard shifts.contains(where: { $0 != nil }) else { return breaks }
            return zip(breaks, shifts).map { marker, shift in shift.map(marker.moved) ?? marker }
        }
        guard !decisions.markerShifts.isEmpty else { return breaks }
        return breaks.map { marker in decisions.markerShifts[marker.number].map(marker.moved) ?? marker }
    }

    private mutating func openMarkerBreaks(_ tag: String, at now: Moment) {
        for marker in markedBreaks where !decisions.answeredMarkers.contains(marker.number) {
            guard let start = marker.start, let ahead = ahead(of: marker), ahead <= DecisionPart.lead else { continue }
            guard ahead >= .zero - DecisionPart.lateOpening else {
                sayMissed(marker, ahead, at: now)
                continue
            }
            let isRequested = isRequested(marker)
            decisions.answeredMarkers.insert(marker.number)
            guard !isRequested else { continue }
            let length = marker.expectedLength
            let name = "\(marker.markerID ?? "vast")@\(start.milliseconds)"
            open(
                DecisionPart.Decision(
                    name: name, marker: marker.number, start: start,
                    shift: decisions.markerShifts[marker.number] ?? .zero, place: playhead.position + ahead,
                    position: position(of: marker), length: length, parts: [DecisionPart.Part(name: name)],
                    requestedAt: now, deadline: now.uptime, values: MacroValues()),
                tags: [TagSource(tag: tag)], at: now)
        }
        guard let first = playlist.follower.breaks.breaks.first?.number else { return }
        // Numbers ascend: markers that the track dropped are not used again.
        if decisions.answeredMarkers.count > BreakTrack.breakLimit {
            decisions.answeredMarkers = decisions.answeredMarkers.filter { $0 >= first }
            decisions.missedMarkers = decisions.missedMarkers.filter { $0 >= first }
        }
    }

    /// Whether the ads of the break were requested for another marker of it (HLS-24).
    private func isRequested(_ marker: TrackedBreak) -> Bool {
        playlist.follower.breaks.breaks.contains { other in
            decisions.answeredMarkers.contains(other.number) && other.isSameBreak(as: marker)
        }
    }

    /// A viewer who joins in the middle of a break gets the rest of it unchanged, as in a player.
    /// - Parameter ahead: distance of its start from the viewer, below zero.
    private mutating func sayMissed(_ marker: TrackedBreak, _ ahead: Duration, at now: Moment) {
        guard let start = marker.start, marker.expectedLength.map({ ahead + $0 > .zero }) ?? marker.isOpen,
            decisions.missedMarkers.insert(marker.number).inserted
        else { return }
        desk.note(.info, "break at \(Wording.clock(start)): already on air; no ads are requested", from: .ads, at: now)
    }

    /// Only a complete stream has a first and a last instant.
    private func position(of marker: TrackedBreak) -> VMAPSchedule.Position {
        let timeline = playlist.follower.timeline
        guard timeline.hasEnded, let window = timeline.window, let start = marker.startStream else { return .midRoll }
        if start <= window.start { return .preRoll }
        return start >= window.end ? .postRoll : .midRoll
    }

    private var nextMarkerRequest: Duration? {
        playlist.follower.breaks.breaks.lazy.compactMap { marker -> Duration? in
            guard !decisions.answeredMarkers.contains(marker.number), let ahead = ahead(of: marker),
                ahead > DecisionPart.lead
            else { return nil }
            return playhead.uptime(reaching: playhead.position + (ahead - DecisionPart.lead))
        }.min()
    }

    // MARK: Stops

    /// Opens the stops that are due.
    mutating func openStops(at now: Moment) {
        guard let document = decisions.vmap.document, let window = playlist.follower.timeline.window else { return }
        guard playlist.follower.timeline.hasEnded else {
            guard !decisions.vmap.saidLive else { return }
            decisions.vmap.saidLive = true
            return desk.note(
                .warning, "VMAP: offsets need a complete stream; no breaks are filled in a live stream", from: .ads,
                at: now)
        }
        makeSchedule(document, window, at: now)
        let stops = decisions.vmap.schedule?.stops ?? []
        for (index, stop) in stops.enumerated() where !decisions.vmap.answered.contains(index) {
            guard let place = place(of: stop, window), isDue(place, stop.position) else { continue }
            decisions.vmap.answered.insert(index)
            open(stop.breaks, of: document, at: place, position: stop.position, occurrence: stop.occurrence, now)
        }
        openOpportunities(document, at: now)
    }

    private mutating func makeSchedule(_ document: VMAPDocument, _ window: TimelineWindow, at now: Moment) {
        let length = window.end - window.start
        guard decisions.vmap.scheduledFor != length else { return }
        decisions.vmap.scheduledFor = length
        let schedule = VMAPSchedule(document, duration: length.inMilliseconds)
        decisions.vmap.schedule = schedule
        let late = schedule.stops.count { $0.position == .midRoll && place(of: $0, window) == nil }
        guard late > 0 else { return }
        desk.note(
            .warning, "VMAP: \(late.counted("break")) after the end of the content: not played", from: .ads,
            at: now)
    }

    /// Nil after the end of the content.
    private func place(of stop: VMAPSchedule.Stop, _ window: TimelineWindow) -> StreamTime? {
        let length = window.end - window.start
        guard let offset = stop.atMilliseconds, stop.position != .midRoll || Duration.milliseconds(offset) <= length
        else {
            return nil
        }
        return window.start + min(.milliseconds(offset), length)
    }

    /// A stop behind the playhead was missed; a post-roll is never missed before the end.
    private func isDue(_ place: StreamTime, _ position: VMAPSchedule.Position) -> Bool {
        let ahead = place - playhead.position
        let lead = position == .postRoll ? DecisionPart.postRollLead : DecisionPart.lead
        let late = position == .preRoll ? DecisionPart.latePreRoll : DecisionPart.lateOpening
        return ahead <= lead && ahead >= .zero - late
    }

    /// `#n` refers to the n-th break that the playlist marks.
    private mutating func openOpportunities(_ document: VMAPDocument, at now: Moment) {
        let markers = playlist.follower.breaks.breaks.filter { $0.startStream != nil }
            .sorted { ($0.startStream ?? .zero) < ($1.startStream ?? .zero) }
        for entry in decisions.vmap.schedule?.byOpportunity ?? [] {
            guard !decisions.vmap.answeredOpportunities.contains(entry.index), entry.number <= markers.count,
                let place = markers[entry.number - 1].startStream, isDue(place, .midRoll)
            else { continue }
            decisions.vmap.answeredOpportunities.insert(entry.index)
            open([entry.index], of: document, at: place, position: .midRoll, occurrence: 0, now)
        }
    }

    private mutating func open(
        _ indices: [Int], of document: VMAPDocument, at place: StreamTime, position: VMAPSchedule.Position,
        occurrence: Int, _ now: Moment
    ) {
        let timeline = playlist.follower.timeline
        // The end of the last segment belongs to no segment: its date is the end of the window.
        let listed = place == timeline.window?.end ? timeline.window?.endDate : timeline.date(at: place)
        // A viewer who is past the place plays across no step there.
        let isAhead = playhead.position < place
        let before = isAhead ? timeline.dateBeforeStep(at: place, slack: TrackingPolicy().seamSlack) : nil
        guard let date = before ?? listed else { return }
        let entries = indices.map { (index: $0, entry: document.breaks[$0]) }
        let parts = entries.map { entry in
            var part = DecisionPart.Part(name: entry.entry.name(index: entry.index, occurrence: occurrence))
            part.reports = DecisionPart.BreakReports(entry.entry.tracking)
            return part
        }
        var decision = DecisionPart.Decision(
            name: parts.first?.name ?? "", start: date, position: position, parts: parts, requestedAt: now,
            deadline: now.uptime, values: MacroValues())
        if let before, let listed { (decision.place, decision.shift) = (place, before - listed) }
        if position == .postRoll, let window = timeline.window {
            decision.endsAt = date
            decision.start = window.startDate ?? date
        }
        open(decision, tags: entries.map { $0.entry.tagSource(base: decisions.vmap.base) }, at: now)
    }

    var nextStopRequest: Duration? {
        guard let window = playlist.follower.timeline.window, let stops = decisions.vmap.schedule?.stops else {
            return nil
        }
        return stops.enumerated().compactMap { index, stop -> Duration? in
            guard !decisions.vmap.answered.contains(index), let place = place(of: stop, window) else { return nil }
            let lead = stop.position == .postRoll ? DecisionPart.postRollLead : DecisionPart.lead
            let due = place - lead
            return due > playhead.position ? playhead.uptime(reaching: due) : nil
        }.min()
    }
}
