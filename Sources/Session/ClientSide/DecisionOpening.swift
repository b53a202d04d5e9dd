import AdTracking
import HLS
import Ports
import VAST

/// Decides which breaks to fill and when to request their ads.
extension MonitorState {
    /// Whether ads may be requested: the beacons sent earlier and the viewer's position must be known.
    private var canDecide: Bool {
        tracker != nil && playhead.state != .idle && (journal.state == .open || journal.state == .failed)
    }

    mutating func decideIfDue(at now: Moment) {
        guard let source = configuration.decision else { return }
        giveUpDecisions(at: now)
        askForScheduleIfDue(at: now)
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

    private mutating func sayHowItIs(_ source: DecisionSource, at now: Moment) {
        guard !decisions.hasSaidHowItIs, playlist.follower.timeline.playlist != nil else { return }
        decisions.hasSaidHowItIs = true
        if mode == .observe {
            note(
                .warning, "ads are requested although beacons are only observed; the ad server may count requests",
                at: now)
        }
        guard case .vast = source, playlist.follower.breaks.breaks.isEmpty else { return }
        note(.info, "the playlist has no ad markers yet: the tag is requested when a break is marked", at: now)
    }

    // MARK: Markers

    private func ahead(of marker: TrackedBreak) -> Duration? {
        let timeline = playlist.follower.timeline
        let stream = marker.startStream ?? marker.start.flatMap { timeline.position(of: $0) }
        return stream.map { $0 - playhead.position }
    }

    private mutating func openMarkerBreaks(_ tag: String, at now: Moment) {
        for marker in playlist.follower.breaks.breaks where !decisions.answeredMarkers.contains(marker.number) {
            guard let start = marker.start, let ahead = ahead(of: marker), ahead <= DecisionPart.lead else { continue }
            guard ahead >= .zero - DecisionPart.lateOpening else {
                sayMissed(marker, at: now)
                continue
            }
            decisions.answeredMarkers.insert(marker.number)
            let length = marker.expectedEnd.map { $0 - start }
            let name = "\(marker.markerID ?? "vast")@\(start.milliseconds)"
            open(
                DecisionPart.Decision(
                    name: name, marker: marker.number, start: start, position: position(of: marker), length: length,
                    parts: [DecisionPart.Part(name: name)], requestedAt: now, deadline: now.uptime,
                    values: MacroValues()),
                tags: [TagSource(tag: tag)], at: now)
        }
        guard let first = playlist.follower.breaks.breaks.first?.number else { return }
        // Numbers ascend: markers that the track dropped are not used again.
        if decisions.answeredMarkers.count > BreakTrack.breakLimit {
            decisions.answeredMarkers = decisions.answeredMarkers.filter { $0 >= first }
            decisions.missedMarkers = decisions.missedMarkers.filter { $0 >= first }
        }
    }

    /// A viewer who joins in the middle of a break gets the rest of it unchanged, as in a player.
    private mutating func sayMissed(_ marker: TrackedBreak, at now: Moment) {
        guard let start = marker.start, let date = playheadDate, marker.expectedEnd.map({ $0 > date }) ?? marker.isOpen,
            decisions.missedMarkers.insert(marker.number).inserted
        else { return }
        note(.info, "break at \(Wording.clock(start)): already on air; no ads are requested", at: now)
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
}
