import Ports
package import VAST

/// Plays a rewarded video on the given clock, without decoding (FMT-17): determines events, controls and the reward.
///
/// Thresholds are checked once a second, as in the design it follows (FMT-17), and at the end.
package struct RewardedPlayer: Sendable, Hashable {
    package enum Phase: String, Sendable, Hashable {
        case ready, playing, endCard, replay, failed, closed
    }

    package enum Output: Sendable, Hashable {
        /// `atMilliseconds` is the position in the ad.
        case event(AdPlayback.Event, atMilliseconds: Int64)
        case endCardShown
        case rewardEarned
        /// The ad closed automatically.
        case closed
    }

    /// Milliseconds between two checks.
    private static let tick: Int64 = 1_000

    package let ad: RewardedAd
    package private(set) var status: PlayerStatus
    package private(set) var phase = Phase.ready
    package private(set) var isMuted = false
    /// Whether the viewer paused; a hidden player does not run either.
    package private(set) var isPaused = false
    package private(set) var isHidden = false
    package private(set) var hasEarned = false
    /// The named events reached so far.
    private var reached: Set<EventName> = []
    private var playback: AdPlayback
    /// Milliseconds played when the clock was last started or stopped.
    private var played: Int64 = 0
    /// Uptime at which the clock was started; nil while it is stopped.
    private var runningSince: Duration?
    /// Uptime at which the end card appeared.
    private var cardSince: Duration?
    /// Uptime at which the reward was earned.
    private var earnedAt: Duration?
    /// Whether this is a replay, in which no event fires again.
    private var isReplay = false

    /// `status` is that of the video.
    package init(_ ad: RewardedAd, status: PlayerStatus = .readyToPlay) {
        (self.ad, self.status) = (ad, status)
        let linear = ad.resolved.linears.first
        var points = linear?.progress.compactMap(\.value.point) ?? []
        for point in linear?.tracking.compactMap(\.value.viewingPoint) ?? [] where !points.contains(point) {
            points.append(point)
        }
        playback = AdPlayback(duration: ad.duration, skipFrom: ad.skipFrom, progress: points)
    }

    // MARK: What happens

    /// The overlay opened.
    package mutating func started(at uptime: Duration) -> [Output] {
        guard phase == .ready else { return [] }
        if case .failed = status { return failed(code: PlayerStatus.errorCode, at: uptime) }
        phase = .playing
        settleClock(at: uptime)
        return tell(playback.started(), at: 0, uptime)
    }

    /// Advances to `uptime`.
    package mutating func advance(to uptime: Duration) -> [Output] {
        var outputs: [Output] = []
        if phase == .playing { outputs = playOn(to: uptime) }
        if phase == .endCard { outputs += earnByCard(at: uptime) }
        if let closing = closingTime, closing <= uptime {
            phase = .closed
            outputs.append(.closed)
        }
        return outputs
    }

    package mutating func pauseToggled(at uptime: Duration) -> [Output] {
        let before = advance(to: uptime)
        guard phase == .playing else { return before }
        isPaused.toggle()
        settleClock(at: uptime)
        let events = isPaused ? playback.paused() : playback.resumed()
        return before + tell(isReplay ? [] : events, at: played, uptime)
    }

    package mutating func muteToggled(at uptime: Duration) -> [Output] {
        let before = advance(to: uptime)
        guard phase == .playing else { return before }
        isMuted.toggle()
        return before + tell(isReplay ? [] : playback.muted(isMuted), at: position(at: uptime), uptime)
    }

    /// The ad was hidden or became visible again; the clock is stopped while it is hidden (FMT-17).
    package mutating func hidden(_ flag: Bool, at uptime: Duration) -> [Output] {
        guard flag != isHidden else { return [] }
        let before = advance(to: uptime)
        isHidden = flag
        settleClock(at: uptime)
        return before
    }

    /// Plays again from the first frame; events do not fire again.
    package mutating func replayed(at uptime: Duration) -> Bool {
        guard phase == .replay || phase == .endCard else { return false }
        (phase, isReplay, isPaused, played) = (.playing, true, false, 0)
        runningSince = isHidden ? nil : uptime
        return true
    }

    /// Playback of the video failed.
    package mutating func failed(code: Int, at uptime: Duration) -> [Output] {
        let before = advance(to: uptime)
        guard phase == .playing || phase == .ready else { return before }
        let time = stop(as: .failed, at: uptime)
        return before + tell(playback.failed(code: code), at: time, uptime)
    }

    /// The viewer closes the ad; during playback this is a skip.
    ///
    /// - Returns: nil when there is currently no close control.
    package mutating func closed(at uptime: Duration) -> [Output]? {
        guard canClose(at: uptime) else { return nil }
        let isSkip = phase == .playing && !isReplay
        let time = stop(as: .closed, at: uptime)
        // A skip uses the position that the viewer saw, not that of the last check.
        _ = playback.played(to: time)
        return isSkip ? tell(playback.skipped(), at: time, uptime) : []
    }

    /// The host removes the ad in any state.
    package mutating func removed(at uptime: Duration) -> [Output] {
        let wasPlaying = phase == .playing && !isReplay
        let time = stop(as: .closed, at: uptime)
        return wasPlaying ? tell(playback.closed(), at: time, uptime) : []
    }

    // MARK: What is to be seen

    /// Milliseconds played.
    package func position(at uptime: Duration) -> Int64 {
        guard let since = runningSince else { return played }
        return min(ad.duration, played.addingSaturating(max(0, (uptime - since).inMilliseconds)))
    }

    /// The duration minus whole seconds played (FMT-17), in seconds.
    package func countdown(at uptime: Duration) -> Int64 {
        (ad.duration + Self.tick - 1) / Self.tick - position(at: uptime) / Self.tick
    }

    /// The quartiles in percent, and whether each was reached.
    package var quarters: [(percent: Int, isReached: Bool)] {
        let names: [(EventName, Int)] = [(.firstQuartile, 25), (.midpoint, 50), (.thirdQuartile, 75), (.complete, 100)]
        return names.map { ($0.1, reached.contains($0.0)) }
    }

    /// Whether the close control is visible: on failure, after the end, after the skip offset, or once the reward was
    /// earned.
    package func canClose(at uptime: Duration) -> Bool {
        switch phase {
        case .ready, .closed: return false
        case .failed: return true
        case .endCard, .replay: return mayCloseAfterReward(at: uptime)
        case .playing:
            // If it is unknown whether the video plays, the viewer must be able to close the ad.
            if isReplay || status == .unknown { return true }
            if hasEarned, mayCloseAfterReward(at: uptime) { return true }
            return ad.skipFrom.map { position(at: uptime) >= $0 } ?? false
        }
    }

    /// Uptime of the next automatic event or change of the countdown.
    package func nextDue(after uptime: Duration) -> Duration? {
        var dues: [Duration] = []
        if phase == .playing, let since = runningSince {
            let next = min(ad.duration, (position(at: uptime) / Self.tick + 1) * Self.tick)
            dues.append(since + .milliseconds(next - played))
        }
        if phase == .endCard, !hasEarned, case .endCard(let wait) = ad.rules.earning, let cardSince {
            dues.append(cardSince + wait)
        }
        if let closing = closingTime { dues.append(closing) }
        return dues.min()
    }

    // MARK: The clock

    private mutating func playOn(to uptime: Duration) -> [Output] {
        let position = self.position(at: uptime)
        guard position < ad.duration else { return end(at: uptime) }
        let whole = position / Self.tick * Self.tick
        guard !isReplay else { return [] }
        return tell(playback.played(to: whole), at: whole, uptime) + earnByTime(position: whole, at: uptime)
    }

    private mutating func end(at uptime: Duration) -> [Output] {
        // The ad ended at its own time, however late the check.
        let overAt = runningSince.map { $0 + .milliseconds(ad.duration - played) } ?? uptime
        (played, runningSince, isPaused) = (ad.duration, nil, false)
        phase = ad.endCard == nil ? .replay : .endCard
        guard !isReplay else { return [] }
        let outputs = tell(playback.ended(), at: ad.duration, overAt) + earnByTime(position: ad.duration, at: overAt)
        guard phase == .endCard else { return outputs }
        cardSince = overAt
        return outputs + [.endCardShown]
    }

    private mutating func stop(as next: Phase, at uptime: Duration) -> Int64 {
        played = position(at: uptime)
        (phase, runningSince) = (next, nil)
        return played
    }

    private mutating func settleClock(at uptime: Duration) {
        played = position(at: uptime)
        runningSince = phase == .playing && !isPaused && !isHidden ? uptime : nil
    }

    // MARK: Rewards

    private mutating func tell(_ events: [AdPlayback.Event], at time: Int64, _ uptime: Duration) -> [Output] {
        var outputs: [Output] = []
        for event in events {
            outputs.append(.event(event, atMilliseconds: time))
            guard case .named(let name) = event else { continue }
            reached.insert(name)
            if ad.rules.earning == .event(name) { outputs += earn(at: uptime) }
        }
        return outputs
    }

    /// A time beyond the end of the ad means its end.
    private mutating func earnByTime(position: Int64, at uptime: Duration) -> [Output] {
        guard case .played(let span) = ad.rules.earning else { return [] }
        return position >= min(span.inMilliseconds, ad.duration) ? earn(at: uptime) : []
    }

    private mutating func earnByCard(at uptime: Duration) -> [Output] {
        guard case .endCard(let wait) = ad.rules.earning, let cardSince, uptime >= cardSince + wait else { return [] }
        return earn(at: cardSince + wait)
    }

    private mutating func earn(at uptime: Duration) -> [Output] {
        guard !hasEarned else { return [] }
        hasEarned = true
        earnedAt = uptime
        return [.rewardEarned]
    }

    private func mayCloseAfterReward(at uptime: Duration) -> Bool {
        earnedAt.map { uptime >= $0 + ad.rules.afterReward } ?? true
    }

    /// A video plays to its end before it closes automatically.
    private var closingTime: Duration? {
        guard ad.rules.close == .autoclose, phase == .endCard || phase == .replay, let earnedAt else { return nil }
        return earnedAt + ad.rules.afterReward
    }
}
