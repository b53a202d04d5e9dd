/// The clock of a break's times: the stream or one interstitial.
///
/// While an interstitial plays the stream pauses, and when the stream resumes it may show the very dates that the
/// interstitial seemed to cover. Times of different tracks are therefore never compared: playback of one track does not
/// affect the events of another.
package enum AdTrack: Hashable, Sendable {
    /// The stream: media dates.
    case primary
    /// The interstitial with this ID: its START-DATE plus the time played within it.
    case interstitial(String)
}
