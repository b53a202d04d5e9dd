import Ports

/// The state of an event as the dashboard shows it: the aggregate of its URLs, or the reason nothing was sent.
package struct EventStatus: Hashable, Sendable {
    package var state: ReportingState
    /// Reason why the event is skipped, observed or still idle; nil for one without a URL.
    package var reason: SkipReason?
    /// Whether the event is older than everything that was played: the session joined after it.
    package var isBeforeJoin = false
    /// Whether metadata listed the event, and does not any more: it is not late but withdrawn.
    package var isWithdrawn = false

    package init(_ state: ReportingState, _ reason: SkipReason? = nil) {
        self.state = state
        self.reason = reason
    }

    /// What listed the event does not any more, before it was sent.
    static let withdrawn: EventStatus = {
        var status = EventStatus(.skipped, .noMetadataInTime)
        status.isWithdrawn = true
        return status
    }()
}

extension EventStatus {
    /// The reason in words; nil without one.
    package func reasonWords(isUserTriggered: Bool) -> ReasonWord? {
        reason.map {
            ReasonWord(
                $0, isBeforeJoin: isBeforeJoin, isWithdrawn: isWithdrawn, isUserTriggered: isUserTriggered)
        }
    }
}

extension AdTracker {
    /// State and reason of an event (TRK-14); nil when the event is unknown.
    /// - Parameter isPaused: whether the viewer has paused playback.
    package func status(of event: EventID, isPaused: Bool = false) -> EventStatus? {
        guard let plan = plans[event] else { return nil }
        guard let delivery = ledger[event] else { return EventStatus(.idle) }
        switch delivery.state {
        case .idle: break
        case .skipped: return EventStatus(.skipped, delivery.skipReason)
        case .observed: return EventStatus(.observed, delivery.observedReason)
        case let state: return EventStatus(state)
        }
        if plan.isReportedByService {
            var status = EventStatus(.skipped, .serverBeaconed)
            status.isBeforeJoin = isBeforeJoin(plan)
            return status
        }
        if [.time, .user, .player].contains(plan.type.eventClass), ledger.isShared(event), !isBeforeJoin(plan) {
            return EventStatus(.skipped, .twoParties)
        }
        switch plan.type.eventClass {
        // Errors are reported when they occur. Viewability cannot be measured: nothing is rendered.
        case .user, .player: return EventStatus(mayComeOnAir(plan) ? .idle : .skipped, .userClass)
        case .click: return EventStatus(.skipped, .clickClass)
        case .verification: return EventStatus(.skipped, .verificationClass)
        // The due time of an unknown name is unknown; like the viewer's events it never falls due by playback.
        case .companion, .unknown: return EventStatus(.skipped, .userClass)
        case .time: return timeStatus(plan, hasURLs: !delivery.urls.isEmpty, isPaused: isPaused)
        }
    }

    /// Number of known events by the state that ``status(of:isPaused:)`` gives. It looks at each event, so it is for what
    /// is read now and then; ``Ledger/stateCounts`` is kept, without what depends on the playhead.
    package func statusCounts() -> [ReportingState: Int] {
        var counts: [ReportingState: Int] = [:]
        for event in book.breaks.lazy.flatMap(\.ads).flatMap(\.eventIDs) {
            counts[status(of: event)?.state ?? .idle, default: 0] += 1
        }
        return counts
    }

    /// How long an event that was played waits for metadata that lists it.
    package static let patience: Duration = .seconds(10)

    private func timeStatus(_ plan: PlannedEvent, hasURLs: Bool, isPaused: Bool) -> EventStatus {
        // It is never due, and no fault of its own: what lists no URL has its finding.
        guard hasURLs || plan.awaitsMedia else { return EventStatus(.skipped) }
        let policy = settings.policy
        let dataRange = dataRange(of: plan.source)
        guard plan.coverage(dataRange, policy) != .cut || mayGrow(plan) else { return EventStatus(.skipped, .adCut) }
        let track = tracks[plan.track] ?? TrackPlay()
        guard let position = track.position, plan.start <= position, !isAhead(plan) else {
            // An interstitial that was withdrawn is never reached, while a poll may list an event of the stream again.
            guard plan.source != .interstitial || plan.isListed else { return .withdrawn }
            return track.isOver
                ? EventStatus(.skipped, .interstitialNotPlaying)
                : EventStatus(.idle, isPaused ? .paused : .notReached)
        }
        let window = plan.start..<max(plan.end, plan.start + .microseconds(1))
        let range = track.played.range(meeting: window) ?? track.played.range(near: plan.start, within: policy.tick)
        let isReached = range.map {
            plan.reached(in: $0, isOpen: $0.upperBound == track.openEnd && !track.isAtEnd, dataRange: dataRange, policy)
                != nil
        }
        if isReached == true {
            let late = track.shown.distance(from: plan.start, to: position)
            guard plan.isListed, hasURLs, plan.coverage(dataRange, policy) == .covered else {
                // The next poll may list it, or the media have its id. If that is later, it is still sent, late.
                var status = EventStatus.withdrawn
                (status.state, status.isWithdrawn) = (late > Self.patience ? .skipped : .idle, !plan.isListed)
                return status
            }
            return EventStatus(.skipped, late > settings.latestLate ? .expired : .noMetadataInTime)
        }
        guard !track.scrubbed.contains(plan.start) else { return EventStatus(.skipped, .rateGate) }
        var status = EventStatus(.skipped, .seekedOver)
        status.isBeforeJoin = isBeforeJoin(plan)
        return status
    }

    /// Whether the newest document is too old to show that the ad was cut: it ended where the stream did then (TRK-5).
    private func mayGrow(_ plan: PlannedEvent) -> Bool {
        plan.source == .metadata && settledUntil.map { $0 < plan.adEnd } == true
    }

    /// Whether an event is older than everything that was played.
    private func isBeforeJoin(_ plan: PlannedEvent) -> Bool {
        tracks[plan.track]?.firstPlayed.map { plan.start < $0 } ?? false
    }

    /// Whether the viewer can still act while the ad of this event is on air, without seeking back.
    private func mayComeOnAir(_ plan: PlannedEvent) -> Bool {
        let track = tracks[plan.track] ?? TrackPlay()
        guard plan.isListed, !track.isOver else { return false }
        guard let position = track.position else { return true }
        return position < plan.adEnd || dataRange(of: plan.source)?.isReached(by: plan.adEnd) == true
    }
}
