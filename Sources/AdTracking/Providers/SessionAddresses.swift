package import Ports

/// The URLs of a session and how they were found.
package struct SessionAddresses: Hashable, Sendable {
    /// How the session was opened. Raw values are the words of JSON.
    package enum Path: String, Hashable, Sendable, CaseIterable {
        /// The answer to a GET that asks for a session.
        case get
        /// The answer to a POST that asks for a session.
        case post
        /// The manifest request was redirected.
        case redirect
        /// Taken from the first variant of the multivariant playlist.
        case variant
        /// The media URL itself.
        case manifest
        /// The address of the tracking data alone; there is no playlist.
        case tracking

        /// The words of screen and log.
        package var words: String {
            switch self {
            case .get: "opened with GET"
            case .post: "opened with POST"
            case .redirect: "opened by a redirect"
            case .variant: "opened from the first variant"
            case .manifest: "opened from the manifest"
            case .tracking: "attached to its tracking data"
            }
        }
    }

    package var manifestURL: WebURL
    /// Where the metadata is; nil when the session has none, and no document is requested.
    package var metadataURL: WebURL?
    package var path: Path
    /// The server's identifier of the session, the same in another run that joins it; nil when there is none.
    package var sessionID: String?
    /// Whether more than a guessed metadata URL indicates a session of the provider. If false, and the guessed URL never
    /// answers with metadata, the stream has none; this is no error.
    package var isRecognised: Bool

    package init(
        manifestURL: WebURL, metadataURL: WebURL?, path: Path, sessionID: String? = nil, isRecognised: Bool = false
    ) {
        self.manifestURL = manifestURL
        self.metadataURL = metadataURL
        self.path = path
        self.sessionID = sessionID
        self.isRecognised = isRecognised
    }
}
