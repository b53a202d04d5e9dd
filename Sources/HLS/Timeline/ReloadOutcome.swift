package import Ports

/// The result of one reload of a playlist. Raw values are those of `adtop-hls-timeline/1`.
package enum ReloadOutcome: String, Hashable, Sendable, CaseIterable {
    /// The playlist differs from the last one, or it is the first.
    case changed
    case unchanged
    /// There was no answer, or its status was not 2xx.
    case error
    /// The answer is not a usable media playlist.
    case invalid
    /// A delta update skips segments that are not held: repeat the request without `_HLS_skip` (rfc8216bis-22 section
    /// 6.3.7).
    case deltaIncomplete = "delta-incomplete"
}

/// The result of folding one playlist into a timeline.
package struct TimelineFold: Equatable, Sendable {
    package var outcome: ReloadOutcome
    /// Findings of the sequence rules only (HLS-28).
    package var findings: [Finding]
    /// Whether the media sequence went backwards, so that a new epoch began at the old end.
    package var isReset = false
    /// Whether segments, parts or ENDLIST were added, so that a live playlist does not count as stale.
    package var hasAdvanced = false
}
