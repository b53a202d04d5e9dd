package import Ports

/// A stretch of media that was played without a gap, on the clock of its track. Whether it continues the one before is judged by
/// the dates: at a PROGRAM-DATE-TIME step they may be rounded.
package struct PlayedStretch: Hashable, Sendable {
    package var from: UnixTime
    /// Not before `from`.
    package var through: UnixTime
    /// Media time per uptime; outside ``TrackingPolicy/rates`` nothing counts as seen.
    package var rate: Double
    package var track: AdTrack

    package init(from: UnixTime, through: UnixTime, rate: Double = 1, track: AdTrack = .primary) {
        self.from = from
        self.through = max(from, through)
        self.rate = rate
        self.track = track
    }

    /// Nil in a stream without dates.
    package init?(_ segment: PlayheadSegment) {
        guard let from = segment.fromDate, let through = segment.toDate else { return nil }
        self.init(from: from, through: through, rate: segment.rate)
    }
}

/// The figures by which moments count as played.
package struct TrackingPolicy: Hashable, Sendable {
    /// Playback rates that count as viewing: above, it is scrubbing (TRK-9).
    package var rates: ClosedRange<Double> = 0.1...2.5
    /// A jump in dates up to this is still continuous play (TRK-12).
    package var joinGap: Duration = .seconds(1)
    /// How far an event may lie outside a played range: one frame. The playhead moves analytically, so there is no
    /// sampling to make up for, only rounding of dates (TRK-11).
    package var tick: Duration = .milliseconds(40)
    /// How far an event may lie beyond the ad's stitched end before the ad counts as cut: all references add 500 ms
    /// (TRK-5).
    package var adEndSlack: Duration = .milliseconds(500)
    /// How long after its moment a beacon may still be sent on the late path.
    package var latestLate: Duration = .seconds(7_200)

    package init() {}
}
