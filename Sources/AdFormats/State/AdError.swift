/// Why there is no ad, in the three cases that observers see (FMT-6).
package struct AdError: Error, Sendable, Hashable {
    package enum Case: String, Sendable, Hashable, CaseIterable {
        /// Nothing to show: 204, an empty answer, an empty VAST document, an auction without a winner.
        case noFill
        /// A broken answer, a wrong content type, missing markup, no answer in time.
        case internalError
        /// A missing unit, HTTP 400, a plugin without what is asked of it.
        case invalidRequest

        /// Of `format load`.
        package var exitCode: Int32 {
            switch self {
            case .noFill: 3
            case .internalError: 4
            case .invalidRequest: 5
            }
        }
    }

    package var reason: Case
    /// One clause for logs; callbacks only see the case.
    package var detail: String

    package init(_ reason: Case, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
