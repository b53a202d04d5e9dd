package import HLS

/// How the playlist of a session is followed.
package struct FollowingRules: Sendable, Hashable {
    /// Whether a player that is faster than the clock plays at rate 1 once it is at the live edge. False for recordings from
    /// before that, which stalled there again and again.
    package var keepsFromEdge = true
    /// The variant that is followed.
    package var variant = VariantWish.best
    /// Whether what can be read and replaced is: bytes that are not UTF-8 are read as U+FFFD, a variant that the server
    /// refuses is replaced by one of another bandwidth, and a channel that ended is looked at again. False for recordings
    /// from before.
    package var isLenient = true

    /// Whether the multivariant playlist is read again because of a variant that the server refuses, and a refused variant that
    /// is tried in vain is no failure of the stream. False for recordings from before.
    package var rereadsManifest = true

    /// Blocking reloads, delta updates, parts and PART-HOLD-BACK if the server supports them.
    package var prefersLowLatency = true

    /// Set for a running session of which the media URL is the tracking data; there is no playlist (PRV-48).
    package var attached: AttachedClock?

    /// The session that another process opened for this viewer, which is continued (FLT-15); nil for a viewer of its own. Not part of
    /// a recording, because sessions that are handed on are not recorded.
    package var running: RunningSession?

    package init() {}
}
