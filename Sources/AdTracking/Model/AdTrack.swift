/// Which clock the times of a break are on: what moves along it when it is played.
///
/// While an interstitial plays, the stream stands still, and where it goes on afterwards it may show the very dates
/// that the interstitial seemed to cover. So the two are never compared: a stretch of one track says nothing about the
/// events of another.
package enum AdTrack: Hashable, Sendable {
    /// The stream: media dates.
    case primary
    /// The interstitial with this ID: its START-DATE plus what was played of it.
    case interstitial(String)
}
