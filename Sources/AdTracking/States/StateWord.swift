/// The words for the state of a tracking event or of one of its URLs: the same in header, list, detail, log, report and
/// documents. JSON and metrics keep the names of `ReportingState` and `DeliveryState`; docs/states.md has both.
package enum StateWord: String, Sendable, CaseIterable {
    case idle, busy, retry, done, failed, partial, unknown, observed
    case notSent = "not sent"

    /// What it means, as a clause.
    package var meaning: String {
        switch self {
        case .idle: "known and not due yet; what only the viewer triggers is idle while its ad can still be on air"
        case .busy: "being sent, or sent and not answered yet"
        case .retry: "failed before it reached the server; the next try is scheduled"
        case .done: "answered with 2xx (an event: all of its URLs)"
        case .failed: "answered with another status, or not answered (an event: all of its URLs)"
        case .partial: "some URLs of the event are done, others failed"
        case .unknown:
            "the request may have arrived, its answer is not known (an event: of one or more of its URLs); only `r` repeats it"
        case .observed: "due in observe mode, and so not sent"
        case .notSent: "not sent, for the reason shown beside it"
        }
    }
}

extension ReportingState {
    /// The state's word.
    package var word: StateWord {
        switch self {
        case .idle: .idle
        case .connecting: .busy
        case .done: .done
        case .failed: .failed
        case .partial: .partial
        case .unknown: .unknown
        case .skipped: .notSent
        case .observed: .observed
        }
    }
}

extension DeliveryState {
    /// The state's word.
    package var word: StateWord {
        switch self {
        case .planned: .idle
        case .claimed, .sent: .busy
        case .waiting: .retry
        case .acknowledged: .done
        case .rejected, .failed: .failed
        case .unknown: .unknown
        case .skipped: .notSent
        case .observed: .observed
        }
    }
}
