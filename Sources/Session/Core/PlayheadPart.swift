import AdTracking
import HLS
import Ports

extension MonitorState {
    /// How far ahead due events are searched; the wake-up at the end of this range continues the search.
    private static let horizon: Duration = .seconds(60)
    /// How far behind a step of the dates the search continues, so that the step was played.
    private static let behindStep: Duration = .milliseconds(1)

    /// Plays up to `now` with what was known before. The viewer who waits for the next session holds the picture, because that
    /// session continues here.
    mutating func move(to now: Moment) {
        guard renewal.successor == nil else { return }
        let progress = playhead.advance(to: now, on: playlist.follower.timeline)
        desk.playheadDate = playheadDate
        absorb(progress, at: now)
    }

    /// A playhead that has not joined yet waits until the playlist is as new as possible.
    mutating func showTimelineToPlayhead(at now: Moment) {
        guard playhead.state != .idle || !playlist.follower.isTuningIn else { return }
        let place = playhead.state == .idle ? nil : playhead.position
        let progress = playhead.timelineChanged(playlist.follower.timeline, at: now)
        noteDateReturns(from: place ?? playhead.position, at: now)
        placeInterstitials(at: now)
        placeSignaledBreaks(at: now)
        absorb(progress, at: now)
    }

    /// Looks for dates that the viewer will see twice (TRK-30).
    private mutating func noteDateReturns(from place: StreamTime, at now: Moment) {
        let outcome = tracker?.noteDateReturns(of: playlist.follower.timeline, from: place, at: now)
        if let outcome = outcome ?? nil { take(outcome, at: now) }
    }

    /// The newest playlist may date media otherwise that the viewer has reached (TRK-33).
    mutating func noteRedating(of media: ReachedMedia?) {
        guard let shift = media?.shift(on: playlist.follower.timeline), shift != .zero else { return }
        // The media continues: its dates do not step.
        lastPlayedDate = lastPlayedDate.map { $0 + shift }
        tracker?.redated(by: shift)
    }

    /// Claims the beacons of played media and logs changes.
    mutating func absorb(_ progress: PlayheadProgress, at now: Moment) {
        let steps = progress.steps
        for (index, step) in steps.enumerated() {
            switch step {
            case .played(let segment):
                noteDateStep(before: segment, at: now)
                let next = index + 1 < steps.count ? steps[index + 1] : nil
                absorb(PlayedStretch(segment)?.ending(before: next), at: now)
                // One more of the steps ahead may be named now.
                if segment.isSeamless, !segment.isContinuous { noteDateReturns(from: segment.toStream, at: now) }
            case .playedAsset(let segment): absorb(stretch(of: segment), at: now)
            case .changed(let change): absorb(change, at: now)
            }
        }
        desk.noteFindings(progress.findings, from: .playlist, at: now)
    }

    /// Reports a step of the dates inside an ad. The tracker's position is that before the step.
    private mutating func noteDateStep(before segment: PlayheadSegment, at now: Moment) {
        defer { lastPlayedDate = segment.toDate }
        guard segment.isSeamless, !segment.isContinuous, let end = lastPlayedDate, let date = segment.fromDate,
            let tracker, let time = tracker.position,
            let ad = tracker.book.adOnAir(at: time, dataRange: tracker.dataRange, slack: .zero)?.ad, time < ad.end,
            ad.start < time, !tracker.awaitsStep(ad.start),
            let finding = DeliveryLint.datesStepped(by: date - end, in: ad.subject)
        else { return }
        desk.noteFindings([finding], from: .playlist, at: now)
    }

    private mutating func absorb(_ stretch: PlayedStretch?, at now: Moment) {
        guard let stretch, let outcome = tracker?.played(stretch, at: now) else { return }
        take(outcome, at: now)
    }

    /// The stretch on the clock of the interstitial; nil when it has no position in time.
    private func stretch(of segment: AssetSegment) -> PlayedStretch? {
        interstitials.clockStart(of: segment.interstitialID).map { start in
            PlayedStretch(
                from: start + segment.fromElapsed, through: start + segment.toElapsed, rate: segment.rate,
                track: .interstitial(segment.interstitialID))
        }
    }

    private mutating func absorb(_ change: PlayheadChange, at now: Moment) {
        let timeline = playlist.follower.timeline
        switch change.kind {
        case .joined(let position):
            jumped(to: position, at: now)
            let behind = timeline.window.map { ", \(Wording.seconds($0.end - position)) behind the edge" } ?? ""
            desk.note(
                .info, "playhead joins at \(Wording.place(position, date: timeline.date(at: position)))\(behind)",
                at: change.at)
        case .jumped(let from, let position):
            pings.jumped(from: from, to: position)
            jumped(to: position, at: now)
            desk.note(
                .info, "playhead jumps to \(Wording.place(position, date: timeline.date(at: position)))", at: change.at)
        case .stalled: desk.note(.warning, "playhead stalled: the playlist has nothing more to play", at: change.at)
        case .resumed: desk.note(.info, "playhead resumed after a stall", at: change.at)
        case .fellBehind: desk.note(.warning, "playhead fell behind the window of the playlist", at: change.at)
        case .ended:
            if let outcome = tracker?.ended(at: now) { take(outcome, at: now) }
            desk.note(.info, "playhead is at the end of the stream", at: change.at)
        case .paused: desk.note(.info, "playhead paused", at: change.at)
        case .played: desk.note(.info, "playhead plays", at: change.at)
        case .rateChanged(let rate): desk.note(.info, "playhead plays at rate \(rate)", at: change.at)
        case .muted: desk.note(.info, "player muted", at: change.at)
        case .unmuted: desk.note(.info, "player unmuted", at: change.at)
        case .interstitialStarted(let id, _):
            let date = playheadDate
            if let outcome = tracker?.jumped(to: date, at: now) { take(outcome, at: now) }
            desk.note(.info, "interstitial \(id) started", at: change.at)
        case .interstitialEnded(let id, let result):
            interstitialLeft(id, at: now)
            lintFailure(of: id, at: now)
            desk.note(.info, "interstitial \(id) ended: \(result.rawValue)", at: change.at)
        case .replaced(_, let position): jumped(to: position, at: now)
        case .seekRefused(let id): desk.note(.warning, "interstitial \(id) does not allow seeking now", at: change.at)
        }
        views.playheadChanged()
    }

    private mutating func jumped(to position: StreamTime, at now: Moment) {
        let date = playlist.follower.timeline.date(at: position)
        metadata.media.plays(from: position, date: date)
        noteDateReturns(from: position + .microseconds(1), at: now)
        if let outcome = tracker?.jumped(to: date, at: now) { take(outcome, at: now) }
        leavePassedInterstitials(at: now)
    }

    /// The media date at the playhead; held while an interstitial plays.
    var playheadDate: UnixTime? {
        playhead.state == .idle ? nil : playlist.follower.timeline.date(at: playhead.position)
    }

    /// The viewer's time and its clock; nil without dates.
    var viewerPlace: (track: AdTrack, time: UnixTime)? {
        guard let play = playhead.playedInterstitial else {
            return playheadDate.map { (.primary, tracker?.viewerTime(of: $0) ?? $0) }
        }
        return interstitials.clockStart(of: play.id).map { (.interstitial(play.id), $0 + play.elapsed) }
    }

    /// Where a viewer who plays faster than the clock has caught up with a live stream: at the distance from the edge that
    /// the playlist asks for. Nil for other viewers and streams.
    private var catchUp: StreamTime? {
        let timeline = playlist.follower.timeline
        guard configuration.following.keepsFromEdge, playhead.rate > 1, playhead.playedInterstitial == nil,
            !timeline.hasEnded, let end = timeline.window?.end, let holdBack = timeline.holdBack
        else { return nil }
        return end - holdBack
    }

    /// A player does not play faster than a live stream is made: it would run into the edge again and again.
    mutating func keepFromEdge(at now: Moment) {
        guard playhead.state == .playing || playhead.state == .stalled, let place = catchUp, playhead.position >= place
        else { return }
        desk.note(.info, "at the live edge: no faster than rate 1 from here", at: now)
        absorb(playhead.setRate(1, at: now, on: playlist.follower.timeline), at: now)
    }

    /// The uptime of the next change by playback, or of the moment at which the live edge is near.
    func nextPlayed(at now: Moment) -> Duration? {
        guard renewal.successor == nil else { return nil }
        let caughtUp = catchUp.flatMap { playhead.uptime(reaching: $0) }
        return [nextPlayedEvent(at: now), caughtUp].compactMap { $0 }.min()
    }

    /// The uptime of the next change by playback: an event, the start or end of a break or ad, the edge.
    private func nextPlayedEvent(at now: Moment) -> Duration? {
        if playhead.playedInterstitial != nil { return nextPlayedOfInterstitial }
        guard let transition = playhead.nextWake, let end = playlist.follower.timeline.window?.end else {
            return playhead.nextWake
        }
        let horizon = min(end, playhead.position + Self.horizon * playhead.rate)
        let stretches = playlist.follower.timeline.dateStretches(from: playhead.position, to: horizon)
        guard let stretch = stretches.first else { return transition }
        if let from = stretch.fromDate, let to = stretch.toDate {
            let time = tracker?.adTime(of: from) ?? from
            let isDueNow = isDue(at: time, on: .primary) || isDueAfterChange(at: time)
            let next = isDueNow ? time : nextOnAir(after: time, on: .primary)
            if let next, next - time <= to - from {
                return playhead.uptime(reaching: stretch.from + (next - time)).map { min($0, transition) } ?? transition
            }
        }
        // Behind a step of the dates the time of ads depends on what is on air there.
        let ahead = stretches.count > 1 ? min(stretch.to + Self.behindStep, horizon) : horizon
        return ahead < end ? playhead.uptime(reaching: ahead) ?? transition : transition
    }

    private var nextPlayedOfInterstitial: Duration? {
        guard let place = viewerPlace, let play = playhead.playedInterstitial,
            let next = nextDue(of: play, at: place),
            let uptime = playhead.uptime(reachingElapsed: play.elapsed + (next - place.time))
        else { return playhead.nextWake }
        return min(uptime, playhead.nextWake ?? uptime)
    }

    private func nextDue(
        of play: (id: String, elapsed: Duration), at place: (track: AdTrack, time: UnixTime)
    ) -> UnixTime? {
        guard isFresh(play) else { return nextOnAir(after: place.time, on: place.track) }
        if isDue(at: place.time, on: place.track) { return place.time }
        return nextOnAir(after: place.time - .microseconds(1), on: place.track)
    }

    /// Whether events wait only for the first instant of play there (TRK-12).
    private func isDue(at time: UnixTime, on track: AdTrack) -> Bool {
        tracker?.isDue(whenPlayBeginsAt: time, rate: playhead.rate, on: track) == true
    }

    /// Whether events wait only for the next media, because dates have changed (TRK-33).
    private func isDueAfterChange(at time: UnixTime) -> Bool {
        tracker?.isDue(whenPlayContinuesAt: time, rate: playhead.rate) == true
    }

    /// Whether nothing of it was played, so that an event exactly at its start is still to come.
    private func isFresh(_ play: (id: String, elapsed: Duration)) -> Bool {
        playhead.interstitials[id: play.id]?.play?.joinedOffset == play.elapsed
    }

    private func nextOnAir(after time: UnixTime, on track: AdTrack) -> UnixTime? {
        let shown = track == .primary ? metadata.provider?.nextDocument(after: time) : nil
        return [tracker?.nextDue(after: time, on: track), air.nextBoundary(after: time, on: track), shown]
            .compactMap { $0 }.min()
    }

    private mutating func viewerOnAir() -> AirPart.OnAir {
        guard let place = inPlace({ $0.viewerPlace }) else { return AirPart.OnAir() }
        return air.onAir(at: place.time, on: place.track) { start in
            place.track == .primary && tracker?.awaitsStep(start) == true
        }
    }

    /// Logs starts and ends of breaks and ads.
    mutating func watchAir(at now: Moment) {
        let new = viewerOnAir()
        let old = air.current
        guard new != old else { return }
        air.current = new
        views.touch([old.breakID, new.breakID].compactMap { $0 })
        if old.breakID != new.breakID {
            if let id = old.breakID, let tracker {
                desk.note(.info, "break \(air.label(of: id)) ended", about: logged(id), at: now)
                desk.noteFindings(verdicts.ended(id, in: tracker), from: .delivery, at: now)
                if playlist.clock == nil {
                    join.noteStitching(of: id, in: tracker, on: playlist.follower.timeline, &desk, at: now)
                }
            }
            if let id = new.breakID, air.noteReached(id) { desk.counters.breaksOnAir += 1 }
            if let id = new.breakID, let adBreak = tracker?.book[id] {
                let ads = adBreak.presentAds.count.counted("ad")
                desk.note(
                    .info, "break \(air.label(of: id)) started \(Wording.seconds(adBreak.duration)) \(ads)",
                    about: LogEntry.Break(adBreak), at: now)
            }
        }
        if let id = new.adID, id != old.adID, let breakID = new.breakID,
            let ad = tracker?.book[breakID]?.ads.first(where: { $0.id == id })
        {
            desk.note(
                .info, "ad \(air.label(of: id)) \(ad.name.text) started", about: logged(breakID), at: now)
        }
    }
}

extension PlayedStretch {
    /// At the instant when the stream is left for an interstitial, the interstitial is shown and not the stream.
    fileprivate func ending(before next: PlayheadStep?) -> PlayedStretch {
        guard case .changed(let change)? = next, case .interstitialStarted = change.kind else { return self }
        var ended = self
        ended.through = max(from, through - .microseconds(1))
        return ended
    }
}
