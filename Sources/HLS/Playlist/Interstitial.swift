package import Ports

/// X-SNAP: which ends move to the nearest segment boundary (rfc8216bis-22 appendix D.2).
package enum SnapPoint: String, Hashable, Sendable {
    case out = "OUT"
    case `in` = "IN"
}

/// X-RESTRICT: what the viewer may not do (rfc8216bis-22 appendix D.2).
package enum SeekRestriction: String, Hashable, Sendable {
    case skip = "SKIP"
    case jump = "JUMP"
}

/// X-TIMELINE-OCCUPIES.
package enum TimelineOccupancy: String, Hashable, Sendable {
    case point = "POINT"
    case range = "RANGE"
}

/// X-TIMELINE-STYLE.
package enum TimelineStyle: String, Hashable, Sendable {
    case highlight = "HIGHLIGHT"
    case primary = "PRIMARY"
}

/// When and how long a skip button shows: X-SKIP-CONTROL-* or SKIP-CONTROL of an asset list.
package struct SkipControl: Hashable, Sendable {
    /// From the start of the interstitial.
    package var offset: Duration
    /// Nil: to the end.
    package var duration: Duration?
    /// Key of the text on the button.
    package var labelID: String?

    package init(offset: Duration, duration: Duration? = nil, labelID: String? = nil) {
        self.offset = offset
        self.duration = duration
        self.labelID = labelID
    }
}

/// A date range of CLASS `com.apple.hls.interstitial` read as one (rfc8216bis-22 appendix D, hls-timeline 3.1).
package struct Interstitial: Hashable, Sendable {
    /// The CLASS that makes a date range an interstitial; compared exactly.
    package static let rangeClass = "com.apple.hls.interstitial"

    /// ID of the date range.
    package var id: String
    /// START-DATE.
    package var start: UnixTime?
    package var cue: [CueTrigger] = []
    /// X-ASSET-URI as written: it must be absolute.
    package var assetURI: String?
    /// X-ASSET-LIST, resolved against the URI of the playlist.
    package var assetList: String?
    /// DURATION or END-DATE, else PLANNED-DURATION, capped by X-PLAYOUT-LIMIT: what is known before the assets are.
    package var expectedDuration: Duration?
    /// X-RESUME-OFFSET, explicit only.
    package var resumeOffset: Duration?
    /// X-PLAYOUT-LIMIT: the whole interstitial ends here.
    package var playoutLimit: Duration?
    /// Unknown members left out, as in `restrict`.
    package var snap: [SnapPoint] = []
    package var restrict: [SeekRestriction] = []
    /// X-CONTENT-MAY-VARY: not the same for all viewers.
    package var contentMayVary = true
    package var timelineOccupies = TimelineOccupancy.point
    package var timelineStyle = TimelineStyle.highlight
    /// Nil without X-SKIP-CONTROL-OFFSET.
    package var skipControl: SkipControl?
    /// X-AD-CREATIVE-SIGNALING as written: base64 of JSON (hls-timeline 5.2).
    package var creativeSignaling: String?
    /// Date of the segment boundary nearest the start, when X-SNAP has OUT, no CUE applies and the start lies in the
    /// listed window.
    package var snapOut: UnixTime?
    /// The same for the resumption point and X-SNAP with IN.
    package var snapIn: UnixTime?

    package init(id: String) {
        self.id = id
    }

    /// `resumeOffset`, else the expected duration.
    package var effectiveResumeOffset: Duration? { resumeOffset ?? expectedDuration }
}
