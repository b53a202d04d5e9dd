/// Why the next request for metadata is when it is. The raw value is its word in snapshots.
package enum PollReason: String, Hashable, Sendable, CaseIterable {
    /// The first request of a session.
    case start
    /// The interval of the settings (`--poll`) is over.
    case interval
    /// The interval is the target duration of the playlist.
    case target
    /// The interval is the one that the service asks for.
    case service
    /// The newest request failed: it is repeated after a pause that grows (TRK-20).
    case failure
    /// There is no metadata at the address that was guessed for a stream of no known service. A few such answers show that it has none:
    /// nothing has failed.
    case guess
    /// The server asked for a longer pause (`Retry-After`).
    case retryAfter = "retry-after"
    /// No playlist was read yet, without which ads have no place.
    case playlist
    /// The media shows an ad that no answer has listed.
    case media
    /// The service rejected the token that continues the list: the whole list is requested at once.
    case token
    /// The service rejected POST: GET is tried at once.
    case method
    /// The server has ended the session: the next request is for a new one (TRK-32).
    case renewal
    /// None follows: the stream is complete, and its ads are listed.
    case complete
}

/// The next request for metadata.
package struct NextPoll: Hashable, Sendable {
    /// Uptime; nil where none follows.
    package var at: Duration?
    package var reason: PollReason

    package init(at: Duration?, reason: PollReason) {
        (self.at, self.reason) = (at, reason)
    }
}
