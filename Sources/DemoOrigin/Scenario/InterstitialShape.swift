/// A pod played as an HLS interstitial (HLS-16): what its date range and its asset list say.
package struct InterstitialShape: Sendable, Equatable {
    /// What the tag points at.
    package enum Asset: String, Sendable, CaseIterable {
        /// X-ASSET-LIST, with SVTA ad creative signaling for every ad.
        case list
        /// X-ASSET-LIST that holds no asset.
        case emptyList = "empty-list"
        /// X-ASSET-URI of the pod's only ad, without signaling: nothing is tracked.
        case uri
    }

    /// Members of CUE.
    package enum Cue: String, Sendable, CaseIterable { case pre, post, once }
    /// Members of X-SNAP.
    package enum Snap: String, Sendable, CaseIterable { case out, `in` }
    /// Members of X-RESTRICT.
    package enum Restriction: String, Sendable, CaseIterable { case skip, jump }
    /// Values of X-TIMELINE-OCCUPIES.
    package enum Occupation: String, Sendable, CaseIterable { case point, range }

    /// What the tag points at.
    package var asset = Asset.list
    /// CUE; empty is none.
    package var cues: [Cue] = []
    /// X-RESUME-OFFSET; nil is none.
    package var resumeOffsetMs: Int?
    /// X-PLAYOUT-LIMIT; nil is none.
    package var playoutLimitMs: Int?
    /// X-SNAP; empty is none.
    package var snap: [Snap] = []
    /// X-RESTRICT; empty is none.
    package var restrictions: [Restriction] = []
    /// X-TIMELINE-OCCUPIES; nil is none.
    package var occupation: Occupation?
    /// When a skip control appears: as attributes of the tag, or as SKIP-CONTROL of the list; nil is none.
    package var skipAfterS: Int?
    /// SKIP-CONTROL stands in the list and not in the tag.
    package var hasSkipControlInList = false
    /// The list carries `podStart` and `podEnd` of its own besides what every ad carries.
    package var hasPodTracking = false
    /// How far START-DATE lies after a segment boundary.
    package var shiftMs = 0
}
