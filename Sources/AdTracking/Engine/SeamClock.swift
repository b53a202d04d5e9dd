import Ports

/// The clock of ads on the stream: media dates, carried over steps of PROGRAM-DATE-TIME while a pod plays (TRK-30).
///
/// Metadata gives dates, and a viewer sees media. If the dates of the playlist step while an ad is on air, although the
/// media continues, the ad's own time continues too: each of its events is as far from its start as the media that was
/// played. When the pod is over, the dates of the playlist count again.
struct SeamClock: Sendable {
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
        /// The run that contains a time.
        var run: (UnixTime) -> Run?
        /// The start of the run's ad as known now.
        var start: (Run) -> UnixTime?
        /// Whether one ad ends where the dates step and another starts with the date after it: then the dates of ads
        /// follow those of the playlist.
        var meet: (_ time: UnixTime, _ next: UnixTime) -> Bool
    }

    /// A step of the dates in media that was played without a gap.
    private struct Seam {
        /// Media date before and after the step.
        var end: UnixTime
        var next: UnixTime
        /// Media date up to which play continued after it.
        var through: UnixTime
    }

    private struct Hold {
        var run: Run
        /// Ad time minus media date.
        var shift: Duration
        /// Media date after the step.
        var seam: UnixTime
    }

    /// Maximum number of steps remembered for metadata that comes late.
    private static let seamLimit = 16

    private var hold: Hold?
    private var seams: [Seam] = []
    /// Media date at which continuous play ended; nil after a jump.
    private var mediaEnd: UnixTime?

    /// The time of ads when the playlist shows `date`.
    func time(of date: UnixTime) -> UnixTime {
        guard let hold else { return date }
        return min(date + hold.shift, hold.run.end)
    }

    /// Play does not continue: dates count as the playlist has them.
    mutating func stop() {
        hold = nil
        mediaEnd = nil
    }

    /// The stretches of ad time that `stretch` of media dates shows.
    /// - Parameter gap: largest step of the dates that is no seam.
    mutating func parts(of stretch: PlayedStretch, gap: Duration, _ ads: Ads) -> [PlayedStretch] {
        guard stretch.isSeamless, let end = mediaEnd else {
            hold = nil
            mediaEnd = stretch.through
            return [stretch]
        }
        if (stretch.from - end).magnitude > gap { step(from: end, to: stretch.from, ads) }
        mediaEnd = stretch.through
        if let last = seams.indices.last, seams[last].through >= min(end, stretch.from) {
            seams[last].through = max(seams[last].through, stretch.through)
        }
        return shifted(stretch, ads)
    }

    private mutating func step(from end: UnixTime, to next: UnixTime, _ ads: Ads) {
        let time = time(of: end)
        seams.append(Seam(end: end, next: next, through: next))
        if seams.count > Self.seamLimit { seams.removeFirst() }
        hold = nil
        guard let run = ads.run(time), !ads.meet(time, next) else { return }
        hold = Hold(run: run, shift: time - next, seam: next)
    }

    private mutating func shifted(_ stretch: PlayedStretch, _ ads: Ads) -> [PlayedStretch] {
        guard var hold else { return [stretch] }
        // The document dates the ad otherwise now: its dates follow the playlist.
        guard ads.start(hold.run) == hold.run.adStart else {
            self.hold = nil
            return [stretch.moved(from: hold.seam, through: stretch.through)]
        }
        let from = stretch.from + hold.shift
        let through = stretch.through + hold.shift
        if from < hold.run.end {
            if let run = ads.run(from) { hold.run = run } else { hold.run.end = from }
            self.hold = hold
            guard through >= hold.run.end else { return [stretch.moved(from: from, through: through)] }
        }
        let pod = from < hold.run.end ? [stretch.moved(from: from, through: hold.run.end)] : []
        // The dates went back into the pod: they are not shown a second time.
        if hold.run.start <= stretch.through, stretch.through < hold.run.end { return pod }
        self.hold = nil
        let rest = stretch.through < hold.run.end ? hold.seam : max(hold.seam, hold.run.end)
        return pod + [stretch.moved(from: min(rest, stretch.through), through: stretch.through)]
    }

    /// The ads changed: the stretches of ad time that were played across steps without being known as such. A pod that
    /// still plays continues on its own time.
    mutating func adsChanged(_ ads: Ads) -> [ClosedRange<UnixTime>] {
        var parts: [ClosedRange<UnixTime>] = []
        var carried: (hold: Hold, through: UnixTime)?
        for seam in seams {
            let time = carried.flatMap { $0.through == seam.end ? seam.end + $0.hold.shift : nil } ?? seam.end
            carried = nil
            guard let run = ads.run(time), !ads.meet(time, seam.next) else { continue }
            let hold = Hold(run: run, shift: time - seam.next, seam: seam.next)
            let shown = seam.through + hold.shift
            parts.append(time...max(time, min(shown, run.end)))
            if shown < run.end { carried = (hold, seam.through) }
        }
        if hold == nil, let carried, carried.through == mediaEnd { hold = carried.hold }
        return parts
    }

    /// Forgets steps that ended `keep` or more before `date`.
    mutating func clean(at date: UnixTime, keep: Duration) {
        seams.removeAll { date - $0.through >= keep }
    }
}

extension PlayedStretch {
    fileprivate func moved(from: UnixTime, through: UnixTime) -> PlayedStretch {
        PlayedStretch(from: from, through: through, rate: rate, track: track, isSeamless: isSeamless)
    }
}

extension BreakBook {
    /// The ads of one break of the stream that follow each other without a gap larger than `gap`, around `time`.
    func run(around time: UnixTime, dataRange: DataRange?, gap: Duration) -> SeamClock.Run? {
        guard let (adBreak, ad) = adOnAir(at: time, dataRange: dataRange, slack: .zero) else { return nil }
        let range = adBreak.source == .metadata ? dataRange : nil
        guard time < ad.expectedEnd(range) else { return nil }
        var run = SeamClock.Run(
            breakID: adBreak.id, ad: ad.id, adStart: ad.start, start: ad.start, end: ad.expectedEnd(range))
        let listed = adBreak.ads.filter { $0.presence != .vanished }
        for next in listed where next.start >= run.start && next.start <= run.end + gap {
            run.end = max(run.end, next.expectedEnd(range))
        }
        for previous in listed.reversed() where previous.start < run.start {
            guard previous.expectedEnd(range) + gap >= run.start else { break }
            run.start = previous.start
        }
        return run
    }

    /// Whether a listed ad of the stream has `date` at its start or end, give or take `slack`.
    func hasBoundary(_ boundary: (KnownAd) -> UnixTime, at date: UnixTime, slack: Duration) -> Bool {
        breaks.contains { adBreak in
            adBreak.track == .primary && adBreak.presence != .vanished
                && adBreak.ads.contains { ad in
                    let time = boundary(ad)
                    return ad.presence != .vanished && (time - date).magnitude <= slack
                }
        }
    }
}
