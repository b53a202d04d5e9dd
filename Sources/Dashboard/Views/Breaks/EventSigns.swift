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
    /// Whether a beacon of it failed, or has an unknown outcome: only then is there something to try again.
    var hasLoss: Bool {
        switch state {
        case .failed, .partial, .unknown: true
        case .idle, .connecting, .done, .skipped, .observed: false
        }
    }

    /// Whether the event counts in `done/total`: an event that only a viewer's action sends counts once it was reported, and one without a URL
    /// has no beacon.
    var isCounted: Bool {
        switch state {
        case .idle, .skipped:
            switch reason {
            case .userClass, .clickClass, .verificationClass: false
            default: !isUserTriggered && !isWithoutURL
            }
        default: true
        }
    }
}
