package import Ports

extension AdTracker {
    /// The playhead moved without a gap: claims what lies in it (TRK-12). However play is cut into
    /// stretches, the same events are claimed, each once.
    package mutating func played(_ stretch: PlayedStretch, at now: Moment) -> Outcome {
        var outcome = Outcome()
        // Of an interstitial without breaks there is nothing to know.
        guard tracks[stretch.track] != nil else { return outcome }
        tracks[stretch.track]?.position = stretch.through
        tracks[stretch.track]?.isOver = false
        guard settings.policy.rates.contains(stretch.rate) else {
            closeRange(of: stretch.track, at: now, &outcome)
            tracks[stretch.track]?.scrubbed.record(stretch.from...stretch.through)
            outcome.effects = ledger.takeEffects(at: now)
            return outcome
        }
        let candidates: [EventID]
        if let end = tracks[stretch.track]?.openEnd, isContinuous(end, stretch.from) {
            candidates = tracks[stretch.track]?.index.starting(after: end, through: stretch.through) ?? []
            let through = max(end, stretch.through)
            tracks[stretch.track]?.played.record(min(end, stretch.from)...through)
            tracks[stretch.track]?.openEnd = through
        } else {
            closeRange(of: stretch.track, at: now, &outcome)
            candidates = tracks[stretch.track]?.index.touched(by: stretch, tick: settings.policy.tick) ?? []
            tracks[stretch.track]?.played.record(stretch.from...stretch.through)
            tracks[stretch.track]?.openEnd = stretch.through
        }
        if let range = tracks[stretch.track]?.played.range(near: stretch.through, within: .zero) {
            for event in candidates { consider(event, in: range, isLatePath: false, at: now, &outcome) }
        }
        outcome.effects = ledger.takeEffects(at: now)
        return outcome
    }

    private func isContinuous(_ end: UnixTime, _ start: UnixTime) -> Bool {
        max(start - end, end - start) <= settings.policy.joinGap
    }

    /// The playhead went elsewhere in the stream without playing what lies between: nothing there is reported.
    package mutating func jumped(to position: UnixTime?, at now: Moment) -> Outcome {
        var outcome = Outcome()
        closeRange(of: .primary, at: now, &outcome)
        tracks[.primary]?.position = position
        outcome.effects = ledger.takeEffects(at: now)
        return outcome
    }

    /// An interstitial was left, or will not be played: what was not reached of it is not reported, unless the viewer
    /// goes back and it plays again.
    package mutating func left(_ track: AdTrack, at now: Moment) -> Outcome {
        var outcome = Outcome()
        guard track != .primary, tracks[track] != nil else { return outcome }
        closeRange(of: track, at: now, &outcome)
        tracks[track]?.isOver = true
        outcome.touched = Set(book.breaks.lazy.filter { $0.track == track }.map(\.id))
        outcome.effects = ledger.takeEffects(at: now)
        return outcome
    }

    /// A range that nothing extends any more reaches one tick further.
    private mutating func closeRange(of track: AdTrack, at now: Moment, _ outcome: inout Outcome) {
        guard let end = tracks[track]?.openEnd else { return }
        tracks[track]?.openEnd = nil
        guard let range = tracks[track]?.played.range(near: end, within: .zero) else { return }
        for event in tracks[track]?.index.starting(after: end, through: end + settings.policy.tick) ?? [] {
            consider(event, in: range, isLatePath: false, at: now, &outcome)
        }
    }

    /// Claims an event when it was reached in `range`, its ad really lasted that long, and nobody claimed it before.
    mutating func consider(
        _ event: EventID, in range: ClosedRange<UnixTime>, isLatePath: Bool, at now: Moment, _ outcome: inout Outcome
    ) {
        guard let plan = plans[event], plan.isListed, ledger.hasPlanned(event) else { return }
        let dataRange = dataRange(of: plan.source)
        let isOpen = range.upperBound == tracks[plan.track]?.openEnd
        guard let position = tracks[plan.track]?.position,
            plan.coverage(dataRange, settings.policy) == .covered,
            let due = plan.reached(in: range, isOpen: isOpen, dataRange: dataRange, settings.policy)
        else { return }
        let late = max(.zero, position - due)
        outcome.touched.insert(plan.breakID)
        let occasion = BeaconMacros.Occasion(at: now, adPlayhead: max(.zero, due - plan.adStart))
        if ledger.claim(event, late: late, adEndsIn: plan.adEnd - position, occasion: occasion, at: now) {
            outcome.claimed.append(
                Claimed(breakID: plan.breakID, adID: plan.adID, event: event, late: late, isLatePath: isLatePath))
        }
    }
}

extension DueIndex {
    /// What may be due where play begins with `stretch`: spans it falls into, and what starts from a tick before it on.
    fileprivate func touched(by stretch: PlayedStretch, tick: Duration) -> [EventID] {
        open(at: stretch.from) + starting(after: stretch.from - tick - .microseconds(1), through: stretch.through)
    }
}
