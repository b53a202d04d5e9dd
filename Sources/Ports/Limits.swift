/// Limits on all input; reaching one is a finding or an error, never a hang.
package enum Limits {
    package static let playlistBytes = 8 << 20
    package static let metadataBytes = 16 << 20
    package static let assetListBytes = 1 << 20
    /// Most bytes read of a media segment, for its timed metadata, and of one whose metadata is at its beginning.
    package static let segmentBytes = 8 << 20
    package static let segmentHeadBytes = 64 << 10
    package static let vastBytes = 8 << 20
    /// Most bytes into which a compressed answer is inflated: no text that we request may be longer. A limit of the size, not of the
    /// ratio: metadata and pods repeat themselves and compress well, and to ask again without compression would request an ad decision
    /// twice. Most requests have a lower limit of their own.
    package static let inflatedBytes = metadataBytes
    /// Most bytes read of an answer to a beacon; the rest is only counted.
    package static let beaconAnswerBytes = 64 << 10
    /// Most bytes of a file of certificates or keys; the roots of a system are about 200 KiB.
    package static let certificateFileBytes = 8 << 20
    package static let redirects = 5
    package static let urlBytes = 8 << 10
    package static let jsonDepth = 64
    package static let beaconsInFlight = 64
    package static let beaconQueue = 10_000
    package static let logLines = 10_000
    package static let connectTimeout: Duration = .seconds(5)
    package static let requestTimeout: Duration = .seconds(10)
    package static let beaconTimeout: Duration = .seconds(5)
    /// Longest pause that a server gets by asking with `Retry-After` (RFC 9110 section 10.2.3); longer ones are reduced to it.
    package static let retryAfter: Duration = .seconds(300)
}
