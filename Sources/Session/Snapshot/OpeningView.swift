package import Ports

/// How far the opening of a stream has come; absent once its first playlist was read.
package struct OpeningView: Sendable, Equatable {
    /// A request; when it was repeated, the newest.
    package struct Request: Sendable, Equatable {
        package var method: HTTPMethod
        package var url: String
        /// The program's own fields, without those that the user gave, and the body.
        package var fields: [HTTPField] = []
        package var body: [UInt8] = []
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

    /// The newest request that ``problem`` is about, with its answer; nil where there is none.
    package var failed: Request?

    /// What the newest unusable answer means and what to do; nil where there is none.
    package var advice: String? {
        problem.flatMap { problem in (failed ?? requests.last).map { problem.advice(of: $0.url, with: additions) } }
    }

    /// The problem as a clause, for a row of a table: `connection refused`, `answered 404`, `a web page instead of a playlist`.
    package var clause: String? {
        failed?.answer.flatMap { $0.failure?.message ?? (isGood($0) ? problem?.found : nil) ?? Self.status($0) }
    }

    /// What the server answered and what that means, for a person without the card: `answered 404. The server has …`.
    package var sentence: String? {
        guard let answer = failed?.answer, let advice else { return nil }
        let type = isGood(answer) ? answer.contentType.map { " (\($0))" } ?? "" : ""
        return "\(answer.failure?.message ?? Self.status(answer) + type). \(advice)"
    }

    private func isGood(_ answer: Answer) -> Bool { answer.status.map { (200..<300).contains($0) } ?? false }

    private static func status(_ answer: Answer) -> String { answer.status.map { "answered \($0)" } ?? "not answered" }
}
