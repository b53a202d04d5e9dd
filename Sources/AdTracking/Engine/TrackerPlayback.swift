package import Ports

extension AdTracker {
    /// The playhead moved without a gap: claims what lies in it (ssai-tracking 1.16 rule 3). However play is cut into
    /// stretches, the same events are claimed, each once.
    package mutating func played(_ stretch: PlayedStretch, at now: Moment) -> Outcome {
        var outcome = Outcome()
        position = stretch.through
        guard settings.policy.rates.contains(stretch.rate) else {
            closeRange(at: now, &outcome)
            scrubbed.record(stretch.from...stretch.through)
            outcome.effects = ledger.takeEffects(at: now)
            return outcome
        }
        let candidates: [EventID]
        if let end = openEnd, isContinuous(end, stretch.from) {
            candidates = index.starting(after: end, through: stretch.through)
            played.record(min(end, stretch.from)...max(end, stretch.through))
            openEnd = max(end, stretch.through)
        } else {
            closeRange(at: now, &outcome)
            let justBefore = stretch.from - settings.policy.tick - .microseconds(1)
            candidates = index.open(at: stretch.from) + index.starting(after: justBefore, through: stretch.through)
            played.record(stretch.from...stretch.through)
            openEnd = stretch.through
        }
        if let range = played.range(near: stretch.through, within: .zero) {
            for event in candidates { consider(event, in: range, isLatePath: false, at: now, &outcome) }
        }
        outcome.effects = ledger.takeEffects(at: now)
        return outcome
    }

    private func isContinuous(_ end: UnixTime, _ start: UnixTime) -> Bool {
        max(start - end, end - start) <= settings.policy.joinGap
    }

    /// The playhead went elsewhere without playing what lies between: nothing there is reported.
    package mutating func jumped(to position: UnixTime?, at now: Moment) -> Outcome {
        var outcome = Outcome()
        closeRange(at: now, &outcome)
        self.position = position
        outcome.effects = ledger.takeEffects(at: now)
        return outcome
    }

    /// A range that nothing extends any more reaches one tick further.
    private mutating func closeRange(at now: Moment, _ outcome: inout Outcome) {
        guard let end = openEnd else { return }
        openEnd = nil
        guard let range = played.range(near: end, within: .zero) else { return }
        for event in index.starting(after: end, through: end + settings.policy.tick) {
            consider(event, in: range, isLatePath: false, at: now, &outcome)
        }
    }

    /// Claims an event when it was reached in `range`, its ad really lasted that long, and nobody claimed it before.
    mutating func consider(
        _ event: EventID, in range: ClosedRange<UnixTime>, isLatePath: Bool, at now: Moment, _ outcome: inout Outcome
    ) {
        guard let plan = plans[event], plan.isListed, ledger.hasPlanned(event), let position,
            plan.coverage(dataRange, settings.policy) == .covered,
            let due = plan.reached(
                in: range, isOpen: range.upperBound == openEnd, dataRange: dataRange, settings.policy)
        else { return }
        let late = max(.zero, position - due)
        outcome.touched.insert(plan.breakID)
        if ledger.claim(event, late: late, adEndsIn: plan.adEnd - position, at: now) {
            outcome.claimed.append(
                Claimed(breakID: plan.breakID, adID: plan.adID, event: event, late: late, isLatePath: isLatePath))
        }
    }
}
