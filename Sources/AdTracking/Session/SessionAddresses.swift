package import Ports

/// Where a session's texts are, and how that was found out.
package struct SessionAddresses: Hashable, Sendable {
    /// Which step of session initialisation won (TRK-1). Raw values are the words of JSON and screen.
    package enum Path: String, Hashable, Sendable, CaseIterable {
        /// Step A: the answer to GET with `initSession=true`.
        case get
        /// Step B: the answer to POST.
        case post
        /// Step C 1: the manifest request was redirected.
        case redirect
        /// Step C 2: taken from the first variant of the multivariant playlist.
        case variant
        /// Step C 3 and 4: the media URL itself, or the location a DASH manifest names.
        case manifest
    }

    package var manifestURL: WebURL
    /// Nil when none can be derived from the manifest URL.
    package var metadataURL: WebURL?
    package var path: Path
    /// The `sessid` of metadata or manifest URL.
    package var sessionID: String?

    package init(manifestURL: WebURL, metadataURL: WebURL?, path: Path, sessionID: String? = nil) {
        self.manifestURL = manifestURL
        self.metadataURL = metadataURL
        self.path = path
        self.sessionID = sessionID
    }

    /// Whether anything but the guess of the metadata URL speaks for a Harmonic session. Where it is false and the
    /// guessed URL never answers with metadata, the stream has none: that is no error.
    package var looksLikeHarmonic: Bool {
        switch path {
        case .get, .post: true
        case .redirect, .variant, .manifest: sessionID != nil
        }
    }
}
