package import Ports

/// X-SNAP: which ends move to the nearest segment boundary (rfc8216bis-22 appendix D.2).
package enum SnapPoint: String, Hashable, Sendable {
    case out = "OUT"
    case `in` = "IN"
}

/// X-RESTRICT: the seeks that the viewer may not make (rfc8216bis-22 appendix D.2).
package enum SeekRestriction: String, Hashable, Sendable {
    case skip = "SKIP"
    case jump = "JUMP"
}

/// X-TIMELINE-OCCUPIES: whether the interstitial has a width on the player's timeline.
package enum TimelineOccupancy: String, Hashable, Sendable {
    case point = "POINT"
    case range = "RANGE"
}

/// X-TIMELINE-STYLE: how the player's timeline presents the interstitial.
package enum TimelineStyle: String, Hashable, Sendable {
    case highlight = "HIGHLIGHT"
    case primary = "PRIMARY"
}

/// When a skip button appears and for how long: X-SKIP-CONTROL-*, or SKIP-CONTROL of an asset list.
package struct SkipControl: Hashable, Sendable {
    /// Offset from the start of the interstitial.
    package var offset: Duration
    /// How long the button is visible; nil means to the end.
    package var duration: Duration?
    /// Key of the button's text.
    package var labelID: String?

    package init(offset: Duration, duration: Duration? = nil, labelID: String? = nil) {
        self.offset = offset
        self.duration = duration
        self.labelID = labelID
    }
}

/// A date range of CLASS `com.apple.hls.interstitial` (rfc8216bis-22 appendix D, HLS-16).
package struct Interstitial: Hashable, Sendable {
    /// The CLASS that makes a date range an interstitial; compared exactly.
    package static let rangeClass = "com.apple.hls.interstitial"

    /// ID of the date range.
    package var id: String
    /// START-DATE.
    package var start: UnixTime?
    package var cue: [CueTrigger] = []
    /// X-ASSET-URI as written; it must be absolute.
    package var assetURI: String?
    /// X-ASSET-LIST, resolved against the URI of the playlist.
    package var assetList: String?
    /// DURATION or END-DATE, else PLANNED-DURATION, capped by X-PLAYOUT-LIMIT: the duration known before the assets
    /// are.
    package var expectedDuration: Duration?
    /// X-RESUME-OFFSET; nil when the tag does not state it.
    package var resumeOffset: Duration?
    /// X-PLAYOUT-LIMIT: playback of the whole interstitial ends here.
    package var playoutLimit: Duration?
    /// X-SNAP without unknown members, as for `restrict`.
    package var snap: [SnapPoint] = []
    package var restrict: [SeekRestriction] = []
    /// X-CONTENT-MAY-VARY: whether the content may differ between viewers.
    package var contentMayVary = true
    package var timelineOccupies = TimelineOccupancy.point
    package var timelineStyle = TimelineStyle.highlight
    /// Nil without X-SKIP-CONTROL-OFFSET.
    package var skipControl: SkipControl?
    /// X-AD-CREATIVE-SIGNALING as written: base64 of JSON (TRK-29).
    package var creativeSignaling: String?
    /// Date of the segment boundary nearest the start, when X-SNAP has OUT, no CUE applies and the start lies in the
    /// listed window.
    package var snapOut: UnixTime?
    /// Date of the boundary nearest the resumption point, for X-SNAP with IN, under the same conditions.
    package var snapIn: UnixTime?

    package init(id: String) {
        self.id = id
    }

    /// `resumeOffset`, else the expected duration.
    package var effectiveResumeOffset: Duration? { resumeOffset ?? expectedDuration }
}
