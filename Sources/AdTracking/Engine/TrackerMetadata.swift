package import Ports

extension AdTracker {
    /// A document was read: merges it, and claims what was played before it was known (ssai-tracking 1.9, 1.16 rule 4).
    package mutating func metadataArrived(_ document: DecodedMetadata, at now: Moment) -> Outcome {
        var outcome = Outcome()
        if let range = document.dataRange { dataRange = range }
        outcome.merge = book.merge(document, playhead: position, keep: settings.keep)
        outcome.touched = outcome.merge.touched
        ledger.remove(outcome.merge.removedEvents)
        let changed = replan(outcome.merge)
        for plan in changed.sorted(by: { ($0.start, $0.id) < ($1.start, $1.id) }) { claimLate(plan, at: now, &outcome) }
        outcome.effects = ledger.takeEffects(at: now)
        if let position {
            played.clean(at: position, keep: settings.keep)
            scrubbed.clean(at: position, keep: settings.keep)
        }
        return outcome
    }

    /// Brings plans, index and ledger in line with the ads a merge changed.
    /// - Returns: the plans of events that playing alone reports.
    private mutating func replan(_ report: MergeReport) -> [PlannedEvent] {
        var changed = Set(report.removedEvents)
        for event in report.removedEvents { plans[event] = nil }
        let added = max(0, book.nodeCount - plans.count)
        plans.reserveCapacity(plans.count + added)
        ledger.reserve(added)
        var automatic: [PlannedEvent] = []
        let adsByBreak = Dictionary(grouping: Set(report.ads), by: \.breakID)
        for adBreak in book.breaks {
            guard let places = adsByBreak[adBreak.id] else { continue }
            let adIDs = Set(places.map(\.adID))
            for ad in adBreak.ads where adIDs.contains(ad.id) {
                let isListed = adBreak.presence != .vanished && ad.presence != .vanished
                for event in ad.events {
                    let plan = PlannedEvent(event, of: ad, in: adBreak.id, isListed: isListed)
                    plans[event.id] = plan
                    changed.insert(event.id)
                    if event.presence != .vanished {
                        ledger.register(event.id, key: event.key, type: event.event.type, urls: event.event.urls)
                    }
                    if plan.type.eventClass == .time { automatic.append(plan) }
                }
            }
        }
        index.update(changed, with: automatic.lazy.filter(\.isListed).map { ($0.id, $0.start, $0.end) })
        return automatic
    }

    private mutating func claimLate(_ plan: PlannedEvent, at now: Moment, _ outcome: inout Outcome) {
        let window = plan.isSpan ? plan.start..<plan.end : plan.start..<(plan.start + .microseconds(1))
        guard let position,
            let range = played.range(meeting: window) ?? played.range(near: plan.start, within: settings.policy.tick),
            position - plan.start <= settings.policy.latestLate
        else { return }
        consider(plan.id, in: range, isLatePath: true, at: now, &outcome)
    }
}

extension PlannedEvent {
    fileprivate init(_ event: KnownEvent, of ad: KnownAd, in breakID: BreakID, isListed: Bool) {
        self.init(
            id: event.id, breakID: breakID, adID: ad.id, type: event.event.type, start: event.event.start,
            end: event.event.end, adStart: ad.start, adEnd: ad.end, isListed: isListed && event.presence != .vanished)
    }
}
