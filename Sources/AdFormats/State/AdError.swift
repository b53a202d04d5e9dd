/// Why there is no ad, as one of the three cases that observers receive (FMT-6).
package struct AdError: Error, Sendable, Hashable {
    package enum Case: String, Sendable, Hashable, CaseIterable {
        /// There is no ad: 204, an empty answer, an empty VAST document, an auction without a winner.
        case noFill
        /// The load failed: a malformed answer, a wrong content type, missing markup, a timeout.
        case internalError
        /// The request is invalid: a missing unit, HTTP 400, a plugin that does not support it.
        case invalidRequest

        /// The word for people, where callbacks and JSON have the raw value.
        package var word: String {
            switch self {
            case .noFill: "no fill"
            case .internalError: "load failed"
            case .invalidRequest: "invalid request"
            }
        }

        /// Exit code of `format load`.
        package var exitCode: Int32 {
            switch self {
            case .noFill: 3
            case .internalError: 4
            case .invalidRequest: 5
            }
        }
    }

    package var reason: Case
    /// The reason as a clause for logs; callbacks receive only the case.
    package var detail: String

    package init(_ reason: Case, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
