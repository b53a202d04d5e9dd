package import Session

/// What of a session decides how many rows there are above the panes.
package struct TopNeeds: Sendable, Equatable {
    /// Number of feeds that fail: each has a row with its address and the reason. While a stream is opened, and after its
    /// end, there is none.
    package var failingFeeds = 0
    /// Whether a row reports what is shown: the position in a recording, or how old a picture is.
    package var hasCourse = false

    /// The needs before anything is known.
    package init() {}

    /// The needs of the session that is shown.
    package init(_ snapshot: Snapshot) {
        let session = snapshot.session
        hasCourse = snapshot.replay != nil || session.picture != nil
        guard session.opening == nil, session.phase != .ended else { return }
        failingFeeds = [session.playlistHealth, session.metadataHealth].count { $0.state == .failing }
    }
}
