package import Ports

/// How far the opening of a stream has come; absent once its first playlist was read.
package struct OpeningView: Sendable, Equatable {
    /// A request; when it was repeated, the newest.
    package struct Request: Sendable, Equatable {
        package var method: HTTPMethod
        package var url: String
        /// A playlist; otherwise a request for a session.
        package var isPlaylist: Bool
        package var askedAt: Moment
        /// After which it counts as not answered; nil where that is not known.
        package var limit: Duration?
        /// How often it was sent.
        package var tries = 1
        /// Nil while in flight.
        package var answer: Answer?
    }

    package struct Answer: Sendable, Equatable {
        package var status: Int?
        package var failure: HTTPFailure?
        package var took: Duration
        package var contentType: String?
    }

    /// In the order in which they were sent last.
    package var requests: [Request]
    /// What the newest unusable answer shows; nil before the first one.
    package var problem: OpeningProblem?
    package var nextAttemptAt: Moment?
    /// What requests carry of what the user gave.
    package var additions: [RequestAddition] = []

    /// What the newest unusable answer means and what to do; nil where there is none.
    package var advice: String? {
        problem.flatMap { problem in requests.last.map { problem.advice(of: $0.url, with: additions) } }
    }
}
