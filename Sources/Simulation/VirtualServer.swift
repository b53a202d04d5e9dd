package import AdTracking
package import Ports
package import Session

/// The purpose of a simulated request.
package enum VirtualPurpose: Hashable, Sendable {
    case fetch(FetchPurpose)
    case beacon(ClaimID)
}

/// The answer to a simulated request, and when it arrives.
package struct VirtualReply: Sendable {
    package var exchange: HTTPExchange
    /// Time from the request to the answer.
    package var delay: Duration
    /// Delay after which the same answer arrives again: no server does this, but a defect between server and state
    /// could.
    package var repeatsAfter: Duration?

    package init(exchange: HTTPExchange, delay: Duration = .milliseconds(20), repeatsAfter: Duration? = nil) {
        self.exchange = exchange
        self.delay = delay
        self.repeatsAfter = repeatsAfter
    }
}

/// The network of a simulation: answers each request immediately, with the time at which the answer arrives.
package protocol VirtualServer {
    mutating func reply(to request: HTTPRequest, for purpose: VirtualPurpose, at now: Moment) -> VirtualReply
}
