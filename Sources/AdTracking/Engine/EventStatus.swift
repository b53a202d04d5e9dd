import Ports

/// An event's state as people see it: what its URLs say, or why nothing was sent.
package struct EventStatus: Hashable, Sendable {
    package var state: ReportingState
    /// Why it is skipped, observed, or still idle.
    package var reason: SkipReason?

    package init(_ state: ReportingState, _ reason: SkipReason? = nil) {
        self.state = state
        self.reason = reason
    }
}

extension AdTracker {
    /// Why an event is as it is, at any moment (TRK-14). Nil when it is not known.
    /// - Parameter isPaused: whether the playhead stands still because the viewer wants it.
    package func status(of event: EventID, isPaused: Bool = false) -> EventStatus? {
        guard let plan = plans[event] else { return nil }
        guard let delivery = ledger[event] else { return EventStatus(.idle) }
        switch delivery.state {
        case .idle: break
        case .skipped: return EventStatus(.skipped, delivery.skipReason)
        case .observed: return EventStatus(.observed, .observeMode)
        case let state: return EventStatus(state)
        }
        switch plan.type.eventClass {
        // An error is told when there is one; whether an ad was viewable nobody can tell who shows nothing.
        case .user, .player: return EventStatus(.idle, .userClass)
        case .click: return EventStatus(.skipped, .clickClass)
        case .verification: return EventStatus(.skipped, .verificationClass)
        // Nobody knows what moment an unknown name stands for; like the user's events it never happens by playing.
        case .companion, .unknown: return EventStatus(.skipped, .userClass)
        case .time: return timeStatus(plan, hasURLs: !delivery.urls.isEmpty, isPaused: isPaused)
        }
    }

    private func timeStatus(_ plan: PlannedEvent, hasURLs: Bool, isPaused: Bool) -> EventStatus {
        let policy = settings.policy
        let dataRange = dataRange(of: plan.source)
        guard plan.coverage(dataRange, policy) != .cut else { return EventStatus(.skipped, .adCut) }
        let track = tracks[plan.track] ?? TrackPlay()
        guard let position = track.position, plan.start <= position else {
            return track.isOver
                ? EventStatus(.skipped, .interstitialNotPlaying)
                : EventStatus(.idle, isPaused ? .paused : .notReached)
        }
        guard hasURLs else { return EventStatus(.skipped, .badURL) }
        let window = plan.start..<max(plan.end, plan.start + .microseconds(1))
        let range = track.played.range(meeting: window) ?? track.played.range(near: plan.start, within: policy.tick)
        let isReached = range.map {
            plan.reached(in: $0, isOpen: $0.upperBound == track.openEnd, dataRange: dataRange, policy) != nil
        }
        if isReached == true {
            guard plan.isListed, plan.coverage(dataRange, policy) == .covered else {
                return EventStatus(.idle, .noMetadataInTime)
            }
            let isTooLate = position - plan.start > policy.latestLate
            return EventStatus(.skipped, isTooLate ? .expired : .noMetadataInTime)
        }
        return EventStatus(.skipped, track.scrubbed.contains(plan.start) ? .rateGate : .seekedOver)
    }
}
