/// A pod that plays as an HLS interstitial (HLS-16): the content of its date range and its asset list.
package struct InterstitialShape: Sendable, Equatable {
    /// The target of the tag.
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

    /// The target of the tag.
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
    /// SKIP-CONTROL is in the list and not in the tag.
    package var hasSkipControlInList = false
    /// The list has `podStart` and `podEnd` in addition to the signaling of every ad.
    package var hasPodTracking = false
    /// Distance of START-DATE from the preceding segment boundary.
    package var shiftMs = 0
}
