package import Ports

extension AdTracker {
    /// The playhead moved without a gap: claims the events in the stretch (TRK-12). The way playback is divided into
    /// stretches does not matter: the same events are claimed, each once.
    package mutating func played(_ stretch: PlayedStretch, at now: Moment) -> Outcome {
        var outcome = Outcome()
        // An interstitial without breaks has no events.
        guard tracks[stretch.track] != nil else { return outcome }
        for part in parts(of: stretch) { play(part, at: now, &outcome) }
        if stretch.track == .primary { redating.pending?.play(stretch, settings.policy, in: ledger.mode) }
        outcome.effects = ledger.takeEffects(at: now)
        return outcome
    }

    /// The stretches of ad time that `stretch` shows: itself, but for steps of the dates while a pod plays.
    private mutating func parts(of stretch: PlayedStretch) -> [PlayedStretch] {
        guard stretch.track == .primary else { return [stretch] }
        guard settings.policy.rates.contains(stretch.rate) else {
            tracks[.primary]?.clock.scrub(stretch)
            return [stretch]
        }
        let ads = adsForSeams
        return tracks[.primary]?.clock.parts(of: stretch, gap: settings.policy.seamSlack, ads) ?? [stretch]
    }

    /// What the clock of the stream has to know about ads.
    var adsForSeams: SeamClock.Ads {
        let (book, dataRange, policy) = (book, dataRange, settings.policy)
        return SeamClock.Ads(
            run: { time, begins in
                book.run(around: time, dataRange: dataRange, gap: policy.joinGap) { start in
                    book.begins(start, with: begins, dataRange: dataRange, gap: policy.joinGap)
                }
            },
            start: { run in book[run.breakID]?.ads.first { $0.id == run.ad && $0.presence != .vanished }?.start },
            meet: { time, next in
                book.hasBoundary(\.end, at: time, slack: policy.joinGap)
                    && book.hasBoundary(\.start, at: next, slack: policy.seamSlack)
            },
            last: { start, end in
                book.lasts(from: start, beyond: end, dataRange: dataRange, gap: policy.joinGap, slack: policy.seamSlack)
            },
            isEnd: { book.hasBoundary(\.end, at: $0, slack: policy.seamSlack) })
    }

    /// Whether a break or an ad of the stream that starts at `start` is in media behind a step that lies ahead.
    package func awaitsStep(_ start: UnixTime) -> Bool {
        tracks[.primary]?.clock.awaits(start) { adsForSeams.last(start, $0) } == true
    }

    /// The time at which the viewer sees the stream's ads when the playlist shows `date`: like ``adTime(of:)``, but behind a pod not in it
    /// again.
    package func viewerTime(of date: UnixTime) -> UnixTime { tracks[.primary]?.clock.viewerTime(of: date) ?? date }

    /// The time of the stream's ads when the playlist shows `date`: another only while a pod plays across a step of the
    /// dates (TRK-30).
    package func adTime(of date: UnixTime) -> UnixTime { tracks[.primary]?.clock.time(of: date) ?? date }

    private mutating func play(_ stretch: PlayedStretch, at now: Moment, _ outcome: inout Outcome) {
        tracks[stretch.track]?.position = stretch.through
        tracks[stretch.track]?.isOver = false
        tracks[stretch.track]?.isAtEnd = false
        guard settings.policy.rates.contains(stretch.rate) else {
            closeRange(of: stretch.track, at: now, &outcome)
            tracks[stretch.track]?.scrub(stretch)
            return
        }
        let candidates: [EventID]
        if let end = tracks[stretch.track]?.openEnd, settings.policy.isContinuous(end, stretch.from) {
            candidates = tracks[stretch.track]?.index.starting(after: end, through: stretch.through) ?? []
            tracks[stretch.track]?.proceed(with: stretch, from: end, in: ledger.mode)
        } else {
            tracks[stretch.track]?.showElsewhere(stretch)
            closeRange(of: stretch.track, at: now, &outcome)
            candidates =
                tracks[stretch.track]?.index.touched(
                    from: stretch.from, through: stretch.through, tick: settings.policy.tick) ?? []
            tracks[stretch.track]?.begin(with: stretch, in: ledger.mode)
        }
        if let range = tracks[stretch.track]?.played.range(near: stretch.through, within: .zero) {
            for event in inDueOrder(candidates) { consider(event, in: range, isLatePath: false, at: now, &outcome) }
        }
    }

    /// Beacons leave in the order in which they are due.
    private func inDueOrder(_ events: [EventID]) -> [EventID] {
        guard events.count > 1 else { return events }
        return events.compactMap { plans[$0] }.sorted { $0.isDue(before: $1) }.map(\.id)
    }

    /// Whether an event was not shown yet, although its date may have been before a step of the dates.
    func isAhead(_ plan: PlannedEvent) -> Bool {
        guard let clock = tracks[plan.track]?.clock, clock.mayReturn(to: plan.start, ofAdFrom: plan.adStart) else {
            return false
        }
        let starts = book[plan.breakID]?.starts(
            leadingTo: plan.adStart, dataRange: dataRange(of: plan.source), gap: settings.policy.joinGap)
        return clock.isAhead(plan.start, ofAdsFrom: starts ?? [plan.adStart], last: adsForSeams.last)
    }

    /// The playhead jumped within the stream: events in the gap are not reported.
    package mutating func jumped(to position: UnixTime?, at now: Moment) -> Outcome {
        var outcome = Outcome()
        closeRange(of: .primary, at: now, &outcome)
        tracks[.primary]?.jump(to: position)
        redating.pending?.jump(to: position)
        outcome.effects = ledger.takeEffects(at: now)
        return outcome
    }

    /// The stream is at its end: what is due there was reached, although the sum of its segments is up to a tick shorter. If the stream
    /// continues after all, so does what was played.
    package mutating func ended(at now: Moment) -> Outcome {
        var outcome = Outcome()
        tracks[.primary]?.isAtEnd = true
        if let end = tracks[.primary]?.openEnd { considerNext(to: end, of: .primary, at: now, &outcome) }
        outcome.effects = ledger.takeEffects(at: now)
        return outcome
    }

    /// Leaves interstitials, or skips them: events that were not reached are not reported unless the viewer seeks back
    /// and it plays again.
    package mutating func left(_ left: [AdTrack], at now: Moment) -> Outcome {
        var outcome = Outcome()
        let left = left.filter { $0 != .primary && tracks[$0] != nil }
        guard !left.isEmpty else { return outcome }
        for track in left {
            closeRange(of: track, at: now, &outcome)
            tracks[track]?.isOver = true
        }
        let over = Set(left)
        outcome.touched.formUnion(book.breaks.lazy.filter { over.contains($0.track) }.map(\.id))
        outcome.effects = ledger.takeEffects(at: now)
        return outcome
    }

    private mutating func closeRange(of track: AdTrack, at now: Moment, _ outcome: inout Outcome) {
        guard let end = tracks[track]?.openEnd else { return }
        tracks[track]?.openEnd = nil
        considerNext(to: end, of: track, at: now, &outcome)
    }

    /// A range extends one tick beyond its end where nothing continues it.
    private mutating func considerNext(
        to end: UnixTime, of track: AdTrack, at now: Moment, _ outcome: inout Outcome
    ) {
        guard let range = tracks[track]?.played.range(near: end, within: .zero) else { return }
        for event in tracks[track]?.index.starting(after: end, through: end + settings.policy.tick) ?? [] {
            consider(event, in: range, isLatePath: false, at: now, &outcome)
        }
    }

    /// Claims an event that was reached in `range`, whose ad really lasted that long and that was not claimed before.
    mutating func consider(
        _ event: EventID, in range: ClosedRange<UnixTime>, isLatePath: Bool, at now: Moment, _ outcome: inout Outcome
    ) {
        guard let plan = plans[event], plan.isListed, !plan.isReportedByService, ledger.hasPlanned(event),
            !isAhead(plan)
        else { return }
        let dataRange = dataRange(of: plan.source)
        let isOpen = range.upperBound == tracks[plan.track]?.openEnd && tracks[plan.track]?.isAtEnd != true
        guard let position = tracks[plan.track]?.position,
            plan.coverage(dataRange, settings.policy) == .covered,
            let due = plan.reached(in: range, isOpen: isOpen, dataRange: dataRange, settings.policy)
        else { return }
        let late = max(.zero, tracks[plan.track]?.shown.distance(from: due, to: position) ?? .zero)
        outcome.touched.insert(plan.breakID)
        let occasion = BeaconMacros.Occasion(at: now, adPlayhead: max(.zero, due - plan.adStart))
        // Arming sends what becomes due from then on, and this was due before; only the document that lists it is newer.
        let isObserved = isLatePath && tracks[plan.track]?.observed.contains(due) == true
        let result = ledger.claim(
            event, late: late, adEndsIn: plan.adEnd - position, occasion: occasion, isObserved: isObserved, at: now)
        outcome.unsent += result.unsent
        if result.isAny {
            outcome.claimed.append(
                Claimed(breakID: plan.breakID, adID: plan.adID, event: event, late: late, isLatePath: isLatePath))
        }
    }
}
