package import Ports

/// Session initialisation of Harmonic PMM as a state machine (ssai-tracking 1.2).
package struct SessionInit: Hashable, Sendable {
    /// What to do next. `manifestGet` is an ordinary GET whose answer is a playlist.
    package enum Action: Hashable, Sendable {
        case get(WebURL)
        case post(WebURL)
        case manifestGet(WebURL)
        case done(SessionAddresses)
        case failed(SessionInitFailure)
    }

    package init(mediaURL: WebURL, isInitRequest: Bool = true) {
        self.mediaURL = mediaURL
        self.isInitRequest = isInitRequest
    }

    private let mediaURL: WebURL
    private let isInitRequest: Bool

    /// The first request.
    package mutating func started() -> Action {
        .manifestGet(mediaURL)
    }

    /// The answer to the request last asked for.
    package mutating func answered(_ exchange: HTTPExchange) -> Action {
        .failed(SessionInitFailure(steps: []))
    }
}

/// Why no session came about: every step with its reason, in order.
package struct SessionInitFailure: Error, Hashable, Sendable {
    package struct Step: Hashable, Sendable {
        /// `GET init`, `POST init` or `manifest`.
        package var name: String
        /// One clause, e.g. `answered 503`.
        package var problem: String

        package init(name: String, problem: String) {
            self.name = name
            self.problem = problem
        }
    }

    package var steps: [Step]

    package init(steps: [Step]) {
        self.steps = steps
    }
}
