/// Limits on the content of one playlist (HLS-6); reaching one is a finding of rule `limit-reached`. The limit on the
/// whole text is `Limits.playlistBytes`.
package enum PlaylistLimits {
    package static let lineBytes = 1 << 20
    package static let uriBytes = 8 << 10
    package static let segments = 200_000
    package static let parts = 100_000
    package static let dateRanges = 10_000
    /// `X-` attributes of one date range, all its tags together.
    package static let extensionAttributes = 128
    package static let cuePoints = 20_000
    /// Attributes of one tag.
    package static let attributes = 128
    /// Key formats in effect at once.
    package static let keyFormats = 16
    package static let renditionReports = 1_000
    /// Variants, I-frame variants, renditions, session data and session keys, each counted separately.
    package static let multivariantEntries = 10_000
    package static let definitions = 10_000
    /// Bytes produced by replacing variables, all results of one playlist together.
    package static let replacedBytes = 32 << 20
    /// Bytes of the texts in a playlist that delta updates complete. Resolved URIs are longer than those in its text, so this is more
    /// than `Limits.playlistBytes`.
    package static let mergedBytes = 128 << 20
    /// Findings kept per rule; the last one states how many more there were.
    package static let findingsPerRule = 50
}
