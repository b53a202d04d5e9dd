package import AdTracking
package import Monitoring
package import Ports

/// Why a simulated request is sent.
package enum VirtualPurpose: Hashable, Sendable {
    case fetch(FetchPurpose)
    case beacon(ClaimID)
}

/// What a simulated request gets, and when.
package struct VirtualReply: Sendable {
    package var exchange: HTTPExchange
    /// From the request to the answer.
    package var delay: Duration
    /// The same answer comes again so much later: no server does that, but a defect between it and the state could.
    package var repeatsAfter: Duration?

    package init(exchange: HTTPExchange, delay: Duration = .milliseconds(20), repeatsAfter: Duration? = nil) {
        self.exchange = exchange
        self.delay = delay
        self.repeatsAfter = repeatsAfter
    }
}

/// The network of a simulation: answers each request at once, with when the answer arrives.
package protocol VirtualServer {
    mutating func reply(to request: HTTPRequest, for purpose: VirtualPurpose, at now: Moment) -> VirtualReply
}
