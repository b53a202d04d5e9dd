package import Ports

/// An HLS interstitial of the stream and its state.
package struct InterstitialView: Sendable, Equatable, Identifiable {
    package enum State: String, Sendable, CaseIterable {
        /// Known from its tag; its assets are not requested yet, or never with `--no-interstitials`.
        case listed
        /// Its assets are being requested.
        case requested
        /// Its assets are known.
        case ready
        /// Its tag left the playlist before it played: it does not play unless the tag returns.
        case withdrawn
        case playing
        /// Behind the viewer, who did not see it.
        case passed
        /// Played to the end of its assets.
        case completed
        /// Ended by its playout limit.
        case limited
        /// Left by the viewer.
        case skipped
        /// Its assets were not available.
        case cancelled
        /// Its list was empty.
        case empty
    }

    /// ID of its date range; unredacted text from outside.
    package var id: String
    /// START-DATE.
    package var start: UnixTime?
    /// Known duration: of its assets, or as its tag announces, limited by its playout limit.
    package var duration: Duration?
    /// Wall clock at which it replaced the stream.
    package var startedAt: UnixTime?
    /// Wall clock at which the stream resumed.
    package var stoppedAt: UnixTime?
    package var assetCount: Int?
    /// Why its assets were not available, as one clause.
    package var problem: String?
    package var state = State.listed
    /// Time played, from its start even if it was joined in the middle.
    package var elapsed: Duration?
    /// Index in `assets` of the one that plays.
    package var assetIndex: Int?
    /// X-RESUME-OFFSET, if explicit.
    package var resumeOffset: Duration?
    /// X-PLAYOUT-LIMIT.
    package var playoutLimit: Duration?
    /// The last few requests, oldest first.
    package var requests: [InterstitialRequestView] = []
    package var assets: [InterstitialAssetView] = []
    /// Findings about its list, its signaling, and their differences from its tag.
    package var findings: [Finding] = []
    /// ``BreakView/id`` of its break; nil when it has none.
    package var breakID: String?
}

/// One request for the assets of an interstitial.
package struct InterstitialRequestView: Sendable, Equatable {
    package var url: String
    package var at: UnixTime
    /// Status of the answer; nil when none arrived, or for a list within the playlist.
    package var status: Int?
    package var took: Duration?
    package var problem: String?
    package var isAnswered: Bool
}

/// One asset of an interstitial.
package struct InterstitialAssetView: Sendable, Equatable {
    package var uri: String
    /// Nil when not announced.
    package var duration: Duration?
    /// Whether its list identifies the ad and its tracking events.
    package var hasSignaling: Bool
}

/// The reference library's report of the last interstitial: its place in the stream and the part that was shown
/// (TRK-22).
package struct LastInterstitialView: Sendable, Equatable {
    package var id: String
    /// Date of its position in the stream.
    package var date: UnixTime
    /// `date` plus the offset at which playback started; later than `date` only if it was joined in the middle.
    package var start: UnixTime
    /// `date` plus the offset at which playback ended; nil while it plays.
    package var stop: UnixTime?
    /// Duration of all its assets; nil while unknown.
    package var duration: Duration?
}
