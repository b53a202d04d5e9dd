import Ports

extension SeamClock {
    /// Ads of one break that follow each other without a gap.
    struct Run: Hashable, Sendable {
        var breakID: BreakID
        /// The ad at the time that was asked for.
        var ad: AdID
        var adStart: UnixTime
        var start: UnixTime
        /// Not included.
        var end: UnixTime
    }

    /// What the clock has to know about ads.
    struct Ads {
        /// The run that contains a time, without ads that start at one of these dates.
        var run: (_ time: UnixTime, _ without: [UnixTime]) -> Run?
        /// The start of the run's ad as known now.
        var start: (Run) -> UnixTime?
        /// Whether one ad ends where the dates step and another starts with the date after it: then the dates of ads
        /// follow those of the playlist.
        var meet: (_ time: UnixTime, _ next: UnixTime) -> Bool
        /// Whether ads that start at a date last beyond another.
        var last: (_ start: UnixTime, _ end: UnixTime) -> Bool
        /// Whether an ad ends at a date.
        var isEnd: (UnixTime) -> Bool
    }

    /// Whether an ad that starts at `start` begins with one of these dates.
    static func has(_ start: UnixTime, in begins: [UnixTime]) -> Bool {
        begins.contains { ($0 - start).magnitude <= slack }
    }
}
