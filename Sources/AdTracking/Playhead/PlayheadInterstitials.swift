package import HLS
package import Ports

/// Playback of assets in place of the stream (HLS-21): the primary position is held while time within the interstitial
/// advances.
struct InterstitialPlay: Equatable, Sendable {
    var id: String
    /// Time within the interstitial, at `Playhead.now`.
    var elapsed: Duration
    /// Where `elapsed` is computed from, as with `Playhead.Anchor` for the stream.
    var anchorUptime: Duration
    var anchorElapsed: Duration
    /// Where the primary stream would resume with a resume offset of 0.
    var base: StreamTime
    /// Uptime since which its assets are missing and `elapsed` does not advance; nil when they are known.
    var waitingSince: Duration?
    /// Target of a seek that must play this interstitial first.
    var target: StreamTime?
}

extension Playhead {
    /// How long playback waits for an asset list. The draft allows up to a minute; players give up after half of that.
    package static let assetPatience: Duration = .seconds(30)

    /// Drops interstitials that are no longer listed and lie further back than `span`.
    package mutating func forgetInterstitials(behind span: Duration) {
        guard phase != .idle else { return }
        interstitials.forget(endedBefore: position - span)
    }

    /// Returns the requests that are due now, each once.
    package mutating func takeAssetRequests(on timeline: Timeline) -> [InterstitialRequest] {
        guard phase != .idle else { return [] }
        return interstitials.takeRequests(at: position, on: timeline)
    }

    /// The asset list of interstitial `id` arrived.
    package mutating func noteAssetList(
        _ list: AssetList, for id: String, at moment: Moment, on timeline: Timeline
    ) -> PlayheadProgress {
        command(at: moment, on: timeline) { playhead, _ in playhead.interstitials.noteAssetList(list, for: id) }
    }

    /// The length of the single asset of interstitial `id`, or of that with this index in its list, is known.
    package mutating func noteAssetDuration(
        _ duration: Duration, for id: String, asset: Int? = nil, at moment: Moment, on timeline: Timeline
    ) -> PlayheadProgress {
        command(at: moment, on: timeline) { playhead, _ in
            playhead.interstitials.noteAssetDuration(duration, for: id, asset: asset)
        }
    }

    /// The request for the assets of interstitial `id` failed: the interstitial is cancelled, or plays without one asset of its list.
    package mutating func noteAssetFailure(
        _ reason: String, for id: String, asset: Int? = nil, at moment: Moment, on timeline: Timeline
    ) -> PlayheadProgress {
        command(at: moment, on: timeline) { playhead, _ in
            playhead.interstitials.noteFailure(reason, for: id, asset: asset)
        }
    }

    /// Asset time per second; with X-RESTRICT SKIP it is at most 1.
    func assetRate(of id: String) -> Double {
        interstitials[id: id]?.definition.restrict.contains(.skip) == true ? min(rate, 1) : rate
    }

    /// The uptime at which the current interstitial ends, or is abandoned because its assets are missing.
    func endOfInterstitial(_ play: InterstitialPlay) -> Duration? {
        guard !isPaused else { return nil }
        if let since = play.waitingSince { return since + Self.assetPatience }
        guard let end = interstitials[id: play.id]?.end else { return play.anchorUptime }
        let rest = max(.zero, end - play.anchorElapsed)
        return play.anchorUptime + rest.scaled(by: 1 / assetRate(of: play.id))
    }

    /// Leaves the stream for an interstitial. `offset` is where playback begins in it; `target` is where the stream
    /// resumes after a seek.
    mutating func enter(
        _ id: String, offset: Duration = .zero, thenTo target: StreamTime? = nil, at moment: Moment,
        into progress: inout PlayheadProgress
    ) {
        guard let start = interstitials[id: id]?.position else { return }
        // Of several at one point, each begins where the one before resumed (HLS-20).
        let base = start == groupStart ? position : start
        groupStart = start
        phase = .interstitial(
            InterstitialPlay(
                id: id, elapsed: offset, anchorUptime: moment.uptime, anchorElapsed: offset, base: base, target: target)
        )
        interstitials.started(id, at: moment, offset: offset)
        progress.note(.interstitialStarted(id: id, offset: offset), at: moment)
        refreshWaiting(at: moment)
    }

    /// Enters an interstitial in the middle, after a join or a jump to the live target: the stream is held at its
    /// start.
    mutating func enterInside(
        _ inside: (id: String, offset: Duration)?, at moment: Moment, into progress: inout PlayheadProgress
    ) {
        guard playsInterstitials, let inside else { return }
        hold(at: position - inside.offset, for: inside.id)
        enter(inside.id, offset: inside.offset, at: moment, into: &progress)
    }

    /// Holds the stream where an interstitial begins that is entered in the middle of its group: those before it are passed (HLS-20).
    mutating func hold(at start: StreamTime, for id: String) {
        position = start
        groupStart = interstitials[id: id]?.position
    }

    /// Starts or ends the wait for assets.
    mutating func refreshWaiting(at moment: Moment) {
        guard case .interstitial(var play) = phase, let entry = interstitials[id: play.id] else { return }
        switch (entry.isReady, play.waitingSince) {
        case (false, nil): play.waitingSince = moment.uptime
        case (true, .some): play.waitingSince = nil
        default: break
        }
        play.anchorUptime = moment.uptime
        play.anchorElapsed = play.elapsed
        phase = .interstitial(play)
    }

    /// Returns to the stream when the interstitial is over: at its end, at its limit, or because its assets are not
    /// available.
    mutating func leaveWhenOver(_ play: InterstitialPlay, on timeline: Timeline, into progress: inout PlayheadProgress)
        -> Bool
    {
        guard !isPaused, let now else { return false }
        guard let entry = interstitials[id: play.id] else {
            // It was dropped because too many interstitials were listed.
            phase = .primary
            return true
        }
        if case .failed = entry.assets {
            leave(play, result: .cancelled, on: timeline, into: &progress)
        } else if let since = play.waitingSince {
            guard now.uptime >= since + Self.assetPatience else { return false }
            interstitials.noteFailure("no answer in time", for: play.id)
            leave(play, result: .cancelled, on: timeline, into: &progress)
        } else {
            let end = entry.end ?? .zero
            guard play.elapsed >= end else { return false }
            let isCut = entry.total.map { $0 > end } ?? true
            let isEmpty = entry.assets == .known([]) || entry.wasOverAtJoin
            leave(play, result: isEmpty ? .empty : isCut ? .limited : .completed, on: timeline, into: &progress)
        }
        return true
    }

    /// Ends the interstitial and moves the primary stream to its resume point.
    mutating func leave(
        _ play: InterstitialPlay, result: TrackedInterstitial.Result, on timeline: Timeline,
        into progress: inout PlayheadProgress
    ) {
        guard let now, let entry = interstitials[id: play.id] else { return }
        let resume = play.target ?? resumePoint(of: entry, play: play, result: result, on: timeline)
        interstitials.ended(play.id, at: now, elapsed: play.elapsed, resume: resume, result: result)
        progress.note(.interstitialEnded(id: play.id, result: result), at: now)
        let origin = position
        phase = .primary
        position = resume
        if resume != origin {
            lastEnd = nil
            progress.note(.replaced(from: origin, to: resume), at: now)
        }
        anchor = Anchor(uptime: now.uptime, position: resume)
        guard let window, resume < window.start else { return }
        progress.note(.fellBehind, at: now)
        jumpLive(to: window.latest, at: now, into: &progress)
    }

    private func resumePoint(
        of entry: TrackedInterstitial, play: InterstitialPlay, result: TrackedInterstitial.Result, on timeline: Timeline
    ) -> StreamTime {
        if entry.isPostroll { return position }
        // One that is cancelled lasts until then: no time for who waited at its start, the offset for who joined inside.
        let offset = result == .cancelled ? play.elapsed : entry.definition.resumeOffset ?? play.elapsed
        let point = entry.resumePoint(play.base + offset, on: timeline)
        // An interstitial that another one overlapped was entered late; the stream does not move back for it.
        return play.base < position ? max(position, point) : point
    }

    /// Plays the current interstitial up to `moment`, asset by asset.
    mutating func moveInterstitial(
        _ play: InterstitialPlay, to moment: Moment, into progress: inout PlayheadProgress
    ) {
        guard !isPaused, play.waitingSince == nil, let entry = interstitials[id: play.id] else { return }
        var play = play
        let speed = assetRate(of: play.id)
        let reached = play.anchorElapsed + (moment.uptime - play.anchorUptime).scaled(by: speed)
        let target = max(play.elapsed, min(reached, max(play.elapsed, entry.end ?? play.elapsed)))
        let stretches = AssetSegment.stretches(
            of: entry, from: play.elapsed, to: target, rate: speed)
        for stretch in stretches { progress.append(.playedAsset(stretch)) }
        play.elapsed = target
        phase = .interstitial(play)
    }
}

extension Duration {
    /// The product with `factor`, exact for 1; it saturates far beyond the length of any session.
    func scaled(by factor: Double) -> Duration {
        guard factor != 1 else { return self }
        return Duration(finiteSeconds: (Double(inMicroseconds) * factor).rounded(.up) / 1_000_000) ?? Playhead.forever
    }
}
