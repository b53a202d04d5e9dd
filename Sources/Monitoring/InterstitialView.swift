package import Ports

/// An HLS interstitial of the stream, and what became of it.
package struct InterstitialView: Sendable, Equatable, Identifiable {
    package enum State: String, Sendable {
        /// Known from its tag; its assets are not asked for yet, or never with `--no-interstitials`.
        case listed
        /// Its assets are asked for.
        case requested
        /// Its assets are known.
        case ready
        case playing
        /// Behind the viewer, who did not see it.
        case passed
        /// Played to the end of its assets.
        case completed
        /// Cut off by its playout limit.
        case limited
        /// Left by the viewer.
        case skipped
        /// Its assets could not be had.
        case cancelled
        /// Its list was empty.
        case empty
    }

    /// ID of its date range; raw text from outside.
    package var id: String
    /// START-DATE.
    package var start: UnixTime?
    /// As far as known: of its assets, or what its tag announces, cut by its playout limit.
    package var duration: Duration?
    /// Wall clock at which the stream was left.
    package var startedAt: UnixTime?
    /// Wall clock at which the stream went on.
    package var stoppedAt: UnixTime?
    package var assetCount: Int?
    /// Why its assets could not be had; one clause.
    package var problem: String?
    package var state = State.listed
    /// How far it played; where it was joined in the middle, from its start all the same.
    package var elapsed: Duration?
    /// Which of `assets` plays.
    package var assetIndex: Int?
    /// X-RESUME-OFFSET, explicit only.
    package var resumeOffset: Duration?
    /// X-PLAYOUT-LIMIT.
    package var playoutLimit: Duration?
    /// Oldest first; the last few.
    package var requests: [InterstitialRequestView] = []
    package var assets: [InterstitialAssetView] = []
    /// Of its list, its signaling, and both against its tag.
    package var findings: [Finding] = []
    /// ``BreakView/id`` of the break it is; nil when it has none.
    package var breakID: String?
}

/// One request for the assets of an interstitial.
package struct InterstitialRequestView: Sendable, Equatable {
    package var url: String
    package var at: UnixTime
    /// Of the answer; nil when none came, or for a list that stands in the playlist itself.
    package var status: Int?
    package var took: Duration?
    package var problem: String?
    package var isAnswered: Bool
}

/// One asset of an interstitial.
package struct InterstitialAssetView: Sendable, Equatable {
    package var uri: String
    /// Nil when not stated.
    package var duration: Duration?
    /// Its list says which ad it is and what to report.
    package var hasSignaling: Bool
}

/// What the reference library reports of the last interstitial: when in the stream it is, and which part of it was
/// shown (TRK-22).
package struct LastInterstitialView: Sendable, Equatable {
    package var id: String
    /// Where it stands in the stream.
    package var date: UnixTime
    /// `date` plus where in it playback began: later only when it was joined in the middle.
    package var start: UnixTime
    /// `date` plus where in it playback ended; nil while it plays.
    package var stop: UnixTime?
    /// Of all its assets; nil while that is not known.
    package var duration: Duration?
}
