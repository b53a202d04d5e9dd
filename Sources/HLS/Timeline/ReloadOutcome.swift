package import Ports

/// What one reload of a playlist came to. Raw values are those of `adtop-hls-timeline/1`.
package enum ReloadOutcome: String, Hashable, Sendable, CaseIterable {
    /// Something in it differs from the last one, or it is the first.
    case changed
    case unchanged
    /// No answer, or a status other than 2xx.
    case error
    /// Not a media playlist that can be used.
    case invalid
    /// A delta update that skips segments which are not held: ask again without `_HLS_skip` (rfc8216bis-22 section
    /// 6.3.7).
    case deltaIncomplete = "delta-incomplete"
}

/// What folding one playlist into a timeline did.
package struct TimelineFold: Equatable, Sendable {
    package var outcome: ReloadOutcome
    /// Sequence rules only (hls-timeline 6.2, "Across reloads").
    package var findings: [Finding]
    /// The media sequence went backwards and a new epoch began at the old end.
    package var isReset = false
    /// Segments or parts were added, or ENDLIST came: what keeps a live playlist from being stale.
    package var hasAdvanced = false
}
