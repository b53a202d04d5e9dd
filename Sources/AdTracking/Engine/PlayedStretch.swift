package import Ports

/// A stretch of media that was played without a gap, in dates of its track. Whether it continues the previous stretch is
/// decided by the dates, because they may be rounded at a PROGRAM-DATE-TIME step; a larger step in seamless media is
/// judged by ``SeamClock``.
package struct PlayedStretch: Hashable, Sendable {
    package var from: UnixTime
    /// Not before `from`.
    package var through: UnixTime
    /// Media time per uptime; stretches at rates outside ``TrackingPolicy/rates`` do not count as seen.
    package var rate: Double
    package var track: AdTrack
    /// Whether its media follows that of the stretch before, whatever the dates say.
    package var isSeamless: Bool

    package init(
        from: UnixTime, through: UnixTime, rate: Double = 1, track: AdTrack = .primary, isSeamless: Bool = false
    ) {
        self.from = from
        self.through = max(from, through)
        self.rate = rate
        self.track = track
        self.isSeamless = isSeamless
    }

    /// Nil in a stream without dates.
    package init?(_ segment: PlayheadSegment) {
        guard let from = segment.fromDate, let through = segment.toDate else { return nil }
        self.init(from: from, through: through, rate: segment.rate, isSeamless: segment.isSeamless)
    }
}

/// Tolerances that decide which events count as played.
package struct TrackingPolicy: Hashable, Sendable {
    /// Playback rates that count as viewing; faster playback is scrubbing (TRK-9).
    package var rates: ClosedRange<Double> = 0.1...2.5
    /// Largest jump in dates that is still continuous playback (TRK-12).
    package var joinGap: Duration = .seconds(1)
    /// Largest distance between an event and a played range: one frame. The playhead's position is computed, not
    /// sampled, so only the rounding of dates needs a tolerance (TRK-11).
    package var tick: Duration = .milliseconds(40)
    /// How far an event may lie beyond the ad's stitched end before the ad counts as cut: all references add 500 ms
    /// (TRK-5).
    package var adEndSlack: Duration = .milliseconds(500)
    /// Largest distance of an ad's start from the date after a PROGRAM-DATE-TIME step with which it begins, and largest difference
    /// of dates that is no step of seamless media.
    package var seamSlack = SeamClock.slack
    /// How long after its due time a beacon may still be sent on the late path; nil, and longer values, mean as long as
    /// breaks are kept.
    package var latestLate: Duration?

    package init() {}

    /// Whether what starts at `start` continues what was played up to `end`.
    func isContinuous(_ end: UnixTime, _ start: UnixTime) -> Bool { start - end <= joinGap && end - start <= seamSlack }
}
