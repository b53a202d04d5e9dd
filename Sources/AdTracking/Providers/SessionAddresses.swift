package import Ports

/// The URLs of a session and how they were found.
package struct SessionAddresses: Hashable, Sendable {
    /// The step of session initialisation that succeeded (TRK-1). Raw values are the words of JSON and screen.
    package enum Path: String, Hashable, Sendable, CaseIterable {
        /// Step A: the answer to GET with `initSession=true`.
        case get
        /// Step B: the answer to POST.
        case post
        /// Step C 1: the manifest request was redirected.
        case redirect
        /// Step C 2: taken from the first variant of the multivariant playlist.
        case variant
        /// Step C 3 and 4: the media URL itself, or the location in a DASH manifest.
        case manifest
    }

    package var manifestURL: WebURL
    /// Nil when it cannot be derived from the manifest URL.
    package var metadataURL: WebURL?
    package var path: Path
    /// The parameter `sessid` of the metadata or manifest URL.
    package var sessionID: String?

    package init(manifestURL: WebURL, metadataURL: WebURL?, path: Path, sessionID: String? = nil) {
        self.manifestURL = manifestURL
        self.metadataURL = metadataURL
        self.path = path
        self.sessionID = sessionID
    }

    /// Whether more than the guessed metadata URL indicates a Harmonic session. If false, and the guessed URL never
    /// answers with metadata, the stream has none; this is no error.
    package var looksLikeHarmonic: Bool {
        switch path {
        case .get, .post: true
        case .redirect, .variant, .manifest: sessionID != nil
        }
    }
}
