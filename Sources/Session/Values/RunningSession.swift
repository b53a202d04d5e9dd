package import AdTracking
package import Ports

/// A session that is open at its server, as one process hands it on to the next.
package struct RunningSession: Hashable, Sendable {
    /// The address that was given for the stream: one of another address is not continued.
    package var mediaURL: WebURL
    /// The name of its provider; nil for a plain stream.
    package var provider: String?
    package var addresses: SessionAddresses

    package init(mediaURL: WebURL, provider: String?, addresses: SessionAddresses) {
        (self.mediaURL, self.provider, self.addresses) = (mediaURL, provider, addresses)
    }
}

/// What a session hands on.
package struct SessionHandover: Hashable, Sendable {
    /// Nil where there is none that could be continued.
    package var running: RunningSession?
    /// The media date up to which what was due has been claimed; nil before the viewer joined.
    package var claimedThrough: UnixTime?
}
