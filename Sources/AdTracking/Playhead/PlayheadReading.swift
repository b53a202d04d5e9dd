package import HLS
package import Ports

/// The interstitial at the playhead.
package struct InterstitialReading: Hashable, Sendable {
    package var id: String
    /// Time within the interstitial.
    package var elapsed: Duration
    /// Index of the asset; nil while the assets are unknown.
    package var assetIndex: Int?
    package var assetOffset: Duration?

    package init(id: String, elapsed: Duration, assetIndex: Int?, assetOffset: Duration?) {
        self.id = id
        self.elapsed = elapsed
        self.assetIndex = assetIndex
        self.assetOffset = assetOffset
    }
}

/// The playhead at one moment, for screens and samples.
package struct PlayheadReading: Hashable, Sendable {
    package var state: Playhead.State
    /// Primary position, held during an interstitial; nil while idle.
    package var stream: StreamTime?
    /// Date at that position; nil without PROGRAM-DATE-TIME.
    package var date: UnixTime?
    /// Media sequence number of the segment at that position; nil at the edge and within parts.
    package var segmentSequence: Int?
    /// Distance to the edge.
    package var behindEdge: Duration?
    package var interstitial: InterstitialReading?
    /// The date shown to the viewer: the date at the position, plus the time played of an interstitial.
    package var presentationDate: UnixTime?
    /// Wall clock minus presentation date; as accurate as both clocks.
    package var latency: Duration?
    /// Time lost since the last join, seek or jump: grows in pauses and stalls, independent of the wall clock.
    package var drift: Duration?
    package var rate: Double
    package var isMuted: Bool

    package init(state: Playhead.State, rate: Double = 1, isMuted: Bool = false) {
        self.state = state
        self.rate = rate
        self.isMuted = isMuted
    }
}

extension Playhead {
    /// The playhead after the last call.
    package func reading(on timeline: Timeline) -> PlayheadReading {
        var reading = PlayheadReading(state: state, rate: rate, isMuted: isMuted)
        guard phase != .idle, let now else { return reading }
        reading.stream = position
        reading.date = timeline.date(at: position)
        reading.segmentSequence = timeline.segment(at: position)?.sequence
        reading.behindEdge = timeline.window.map { $0.end - position }
        reading.interstitial = interstitialReading
        reading.presentationDate = reading.date.map { $0 + (interstitialPlay?.elapsed ?? .zero) }
        reading.latency = reading.presentationDate.map { now.wall - $0 }
        reading.drift = drift
        return reading
    }

    private var interstitialReading: InterstitialReading? {
        guard let play = interstitialPlay else { return nil }
        let asset = interstitials[id: play.id]?.asset(at: play.elapsed)
        return InterstitialReading(
            id: play.id, elapsed: play.elapsed, assetIndex: asset?.index, assetOffset: asset?.offset)
    }

    /// The interstitial that plays or waits for its assets, and the time played in it; nil while the stream plays.
    package var playedInterstitial: (id: String, elapsed: Duration)? {
        interstitialPlay.map { ($0.id, $0.elapsed) }
    }

    /// The uptime of the next change without a command: the edge or the end is reached, an interstitial begins or ends.
    /// Nil when there is none.
    package var nextWake: Duration? {
        nextTransition.map { max($0, now?.uptime ?? $0) }
    }

    /// The uptime at which playback reaches `target`; nil when it lies behind or beyond what can be played now.
    package func uptime(reaching target: StreamTime) -> Duration? {
        guard isRunning, target >= position, target <= limit else { return nil }
        return uptime(at: target)
    }

    /// The uptime at which the current interstitial reaches `elapsed`; nil when none plays, when it waits, or when
    /// `elapsed` lies behind or beyond its end.
    package func uptime(reachingElapsed elapsed: Duration) -> Duration? {
        guard let play = interstitialPlay, !isPaused, play.waitingSince == nil, elapsed >= play.elapsed,
            let end = interstitials[id: play.id]?.end, elapsed <= end
        else { return nil }
        return play.anchorUptime + (elapsed - play.anchorElapsed).scaled(by: 1 / assetRate(of: play.id))
    }

    /// The uptime at which the next asset requests are due; nil when there are none before the next reload.
    package func nextAssetRequest(on timeline: Timeline) -> Duration? {
        guard phase != .idle, let target = interstitials.nextRequestPosition(timeline) else { return nil }
        return target <= position ? now?.uptime : uptime(reaching: target)
    }
}
