import AdTracking
import Screen
import Session

extension StateSign {
    /// The sign of an event: an event whose URLs all wait for a retry shows that it waits.
    init(_ event: EventView) {
        let isWaiting =
            event.state == .connecting && event.urls.contains { $0.state == .waiting }
            && !event.urls.contains { $0.state == .claimed || $0.state == .sent }
        self = isWaiting ? .retry : StateSign(event.state)
    }

    /// The sign of one URL.
    init(_ state: DeliveryState) {
        switch state {
        case .planned: self = .idle
        case .claimed, .sent: self = .busy
        case .waiting: self = .retry
        case .acknowledged: self = .done
        case .rejected, .failed: self = .failed
        case .unknown: self = .unknown
        case .skipped: self = .off
        case .observed: self = .observed
        }
    }

    /// The sign of a total in the header.
    init(_ state: ReportingState) {
        switch state {
        case .idle: self = .idle
        case .connecting: self = .busy
        case .done: self = .done
        case .failed: self = .failed
        case .partial: self = .partial
        case .unknown: self = .unknown
        case .skipped: self = .off
        case .observed: self = .observed
        }
    }

    /// The more urgent of two.
    func worse(_ other: StateSign) -> StateSign { other.urgency > urgency ? other : self }
}

extension EventView {
    /// Its beacons that failed. As everywhere else each URL counts: an event may have several, and only some of them fail.
    var failedBeacons: Int { urls.count { $0.state == .failed || $0.state == .rejected } }

    /// Its beacons of unknown outcome.
    var unknownBeacons: Int { urls.count { $0.state == .unknown } }

    /// Whether what was lost is all that became of it: it is neither done nor under way.
    var isLost: Bool {
        switch state {
        case .failed, .partial, .unknown: true
        case .idle, .connecting, .done, .skipped, .observed: false
        }
    }

    /// Whether the event counts in `done/total`: an event that only a viewer's action sends counts once it was reported.
    var isCounted: Bool {
        switch state {
        case .idle, .skipped:
            switch reason {
            case .userClass, .clickClass, .verificationClass: false
            default: !isUserTriggered
            }
        default: true
        }
    }
}
