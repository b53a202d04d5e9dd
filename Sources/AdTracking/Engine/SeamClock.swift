import HLS
import Ports

/// The clock of ads on the stream: media dates, carried over steps of PROGRAM-DATE-TIME while a pod plays (TRK-30).
///
/// Metadata gives dates, and a viewer sees media. If the dates of the playlist step while an ad is on air, although the
/// media continues, the ad's own time continues too: each of its events is as far from its start as the media that was
/// played. When the pod is over, the dates of the playlist count again.
///
/// A step back shows dates twice. An ad whose media begins behind the step begins there, and not where its date is shown first.
struct SeamClock: Sendable {
    /// A step of the dates in media that was played without a gap.
    struct Seam {
        /// Media date before and after the step.
        var end: UnixTime
        var next: UnixTime
        /// Media date up to which play continued after it.
        var through: UnixTime
        /// Where it is; nil unless it is a step back that was named before.
        var place: StreamTime?
        /// Date through which the playlist lists media behind it, at most `end`.
        var listed: UnixTime
        /// Whether the media was played across it, and not left by a seek.
        var isPlayed = true
        /// Dates of media behind the step that were shown before it, too.
        var begins: [UnixTime]
        /// Those behind the first one, as the playlist lists them while the viewer is behind the step. In order.
        var later: [UnixTime] = []
        /// The time of ads before the step.
        var until: UnixTime
        /// How far the media behind the step was shown, in the time of ads that begin there.
        var shown: UnixTime

        /// Whether dates are shown behind it that were shown before.
        var isOpen: Bool { shown < until }
        var all: [UnixTime] { begins + later }

        /// Whether what starts at `start` begins behind it. A pod that was listed before the step and ends by then was shown there; what
        /// begins further behind is that of the later place.
        func hasBehind(_ start: UnixTime, _ last: (_ start: UnixTime, _ end: UnixTime) -> Bool) -> Bool {
            SeamClock.has(start, in: later) || SeamClock.has(start, in: begins) && last(start, end)
        }
    }

    struct Hold {
        var run: Run
        /// Ad time minus media date.
        var shift: Duration
        /// Media date after the step.
        var seam: UnixTime
    }

    /// Maximum number of steps remembered for metadata that comes late.
    private static let seamLimit = 16
    /// Maximum number of dates remembered behind a step; beyond it the first ones are forgotten.
    private static let laterLimit = 1_024
    /// Largest distance of an ad's start from the date of the segment with which it begins, and largest step that is none.
    static let slack: Duration = .milliseconds(250)

    /// The steps back that lie ahead of the viewer, in order.
    var ahead: [DateReturn] = []
    var undecided = UndecidedStarts()
    var hold: Hold?
    var seams: [Seam] = []
    /// Media date at which continuous play ended; nil after a jump.
    var mediaEnd: UnixTime?
    /// The end of the pod behind which dates are shown that it had: the viewer sees it no more.
    var podEnd: UnixTime?

    /// The time of ads when the playlist shows `date`.
    func time(of date: UnixTime) -> UnixTime {
        guard let hold else { return date }
        return min(date + hold.shift, hold.run.end)
    }

    /// The time at which a viewer sees ads when the playlist shows `date`: dates that come again behind a pod are not the pod.
    func viewerTime(of date: UnixTime) -> UnixTime {
        podEnd.map { max($0, time(of: date)) } ?? time(of: date)
    }

    /// Whether what starts at `start` is in media behind a step that lies ahead.
    /// - Parameter lasts: whether it lasts beyond a date. A pod that ends by the date before the step was shown there.
    func awaits(_ start: UnixTime, lasts: (UnixTime) -> Bool) -> Bool {
        undecided.contains(start) || ahead.contains { Self.has(start, in: $0.begins) && lasts($0.end) }
    }

    /// Whether dates up to that of an event at `time`, of an ad that starts at `start`, are or may be shown a second time.
    func mayReturn(to time: UnixTime, ofAdFrom start: UnixTime) -> Bool {
        !ahead.isEmpty || !undecided.starts.isEmpty
            || seams.contains { $0.shown < min(time, $0.until) && start <= $0.end + Self.slack }
    }

    /// Whether an event at `time` was not shown yet although its date may have been.
    /// - Parameter starts: those of its ad, and of the ads that lead to that without a gap.
    func isAhead(
        _ time: UnixTime, ofAdsFrom starts: [UnixTime], last: (_ start: UnixTime, _ end: UnixTime) -> Bool
    ) -> Bool {
        if starts.contains(where: { start in awaits(start) { last(start, $0) } }) { return true }
        let seam = seams.last { seam in
            starts.contains { Self.has($0, in: seam.begins) || Self.has($0, in: seam.later) }
        }
        guard let seam, seam.shown < min(time, seam.until) else { return false }
        return starts.contains { seam.hasBehind($0, last) }
    }

    /// The dates that come a second time, as far as the playlist shows them.
    private var returns: [UndecidedStarts.Return] {
        ahead.map { .init(next: $0.next, listed: $0.listed, end: $0.end) }
            + seams.filter { $0.isOpen && $0.place != nil }.map { .init(next: $0.next, listed: $0.listed, end: $0.end) }
    }

    /// Whether dates come a second time.
    var hasReturns: Bool { !returns.isEmpty }

    /// Metadata now lists an ad that starts at a date which was shown: it waits until the playlist shows whether media begins there again.
    mutating func noteLate(_ start: UnixTime) {
        let isOnAir = hold.map { start >= $0.run.start - Self.slack && start < $0.run.end } ?? false
        if !isOnAir { undecided.note(start, among: returns) }
    }

    /// Looks for the steps back that lie ahead of the viewer at `place`, and again for what begins behind those that were passed, because the
    /// playlist lists more now.
    /// - Returns: starts of ads that waited for this, and whose place is known now.
    mutating func noteReturns(in timeline: Timeline, from place: StreamTime, slack: Duration) -> [UnixTime] {
        // A seek left them behind unplayed: dates come a second time behind them, too.
        for step in ahead where step.place < place { add(Seam(over: step)) }
        ahead = timeline.dateReturns(from: place, slack: slack)
        noteListed(in: timeline, from: place, slack: slack)
        return undecided.takeDecided(among: returns)
    }

    private mutating func add(_ seam: Seam) {
        seams.append(seam)
        if seams.count > Self.seamLimit { seams.removeFirst() }
    }

    /// What is on air stays there.
    private mutating func noteListed(in timeline: Timeline, from place: StreamTime, slack: Duration) {
        for index in seams.indices where seams[index].isOpen {
            guard let step = seams[index].place else { continue }
            seams[index].listed = timeline.listed(
                behindStepAt: step, from: place, until: seams[index].end, slack: slack)
            let begins = timeline.begins(behindStepAt: step, from: place, until: seams[index].end, slack: slack)
            let new = begins.filter { begin in
                let isOnAir = hold.map { begin >= $0.run.start - Self.slack && begin < $0.run.end } ?? false
                return !isOnAir && seams[index].later.last.map { begin > $0 } ?? true
            }
            seams[index].later += new
            seams[index].later.removeFirst(max(0, seams[index].later.count - Self.laterLimit))
        }
    }

    /// Play does not continue: dates count as the playlist has them.
    mutating func stop() {
        hold = nil
        mediaEnd = nil
        podEnd = nil
    }

    /// `stretch` was passed at a rate that does not count.
    mutating func scrub(_ stretch: PlayedStretch) {
        stop()
        _ = pass(to: stretch.from)
    }

    /// The stretches of ad time that `stretch` of media dates shows.
    /// - Parameter gap: largest step of the dates that is no seam.
    mutating func parts(of stretch: PlayedStretch, gap: Duration, _ ads: Ads) -> [PlayedStretch] {
        guard stretch.isSeamless, let end = mediaEnd else {
            hold = nil
            podEnd = nil
            mediaEnd = stretch.through
            _ = pass(to: stretch.from)
            show(through: stretch.through)
            return [stretch]
        }
        if (stretch.from - end).magnitude > gap { step(from: end, to: stretch.from, ads) }
        mediaEnd = stretch.through
        if let last = seams.indices.last, seams[last].through >= min(end, stretch.from) {
            seams[last].through = max(seams[last].through, stretch.through)
        }
        let parts = shifted(stretch, ads)
        show(through: stretch.through)
        return parts
    }

    /// Media was shown through `date`.
    mutating func show(through date: UnixTime) {
        if let podEnd, date >= podEnd { self.podEnd = nil }
        for index in seams.indices where seams[index].shown < seams[index].until {
            // What is held behind the last step is another ad than those that begin there.
            let shown = index == seams.count - 1 ? date : time(of: date)
            seams[index].shown = max(seams[index].shown, shown)
        }
    }

    /// Takes the step to `next` from those that lie ahead.
    /// - Returns: that step; nil for one that was not named.
    private mutating func pass(to next: UnixTime) -> DateReturn? {
        guard let index = ahead.firstIndex(where: { ($0.next - next).magnitude <= Timeline.dateTolerance }) else {
            return nil
        }
        defer { ahead.removeSubrange(...index) }
        return ahead[index]
    }

    private mutating func step(from end: UnixTime, to next: UnixTime, _ ads: Ads) {
        let time = time(of: end)
        let passed = pass(to: next)
        let begins = passed?.begins ?? []
        add(
            Seam(
                end: end, next: next, through: next, place: passed?.place, listed: passed?.listed ?? end,
                begins: begins,
                until: time, shown: next))
        hold = nil
        podEnd = nil
        if let run = ads.run(time, begins + undecided.starts), !ads.meet(time, next) {
            hold = Hold(run: run, shift: time - next, seam: next)
        } else if next < time, ads.isEnd(time), !begins.contains(where: { ads.last($0, end) }) {
            podEnd = time
        }
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
            if let run = ads.run(from, (seams.last?.all ?? []) + undecided.starts) {
                hold.run = run
            } else {
                hold.run.end = from
            }
            self.hold = hold
            guard through >= hold.run.end else { return [stretch.moved(from: from, through: through)] }
        }
        let pod = from < hold.run.end ? [stretch.moved(from: from, through: hold.run.end)] : []
        // The dates went back into the pod: they are not shown a second time, but for an ad that begins here.
        if hold.run.start <= stretch.through, stretch.through < hold.run.end {
            let over = max(stretch.from, hold.run.end - hold.shift)
            let begin = seams.last.flatMap { seam in
                seam.all.first { begin in
                    begin >= over - Self.slack && begin <= stretch.through && seam.hasBehind(begin, ads.last)
                }
            }
            guard let begin else { return pod }
            self.hold = nil
            return pod + [stretch.moved(from: max(over, begin), through: stretch.through)]
        }
        self.hold = nil
        let rest = stretch.through < hold.run.end ? hold.seam : max(hold.seam, hold.run.end)
        return pod + [stretch.moved(from: min(rest, stretch.through), through: stretch.through)]
    }

    /// The ads changed: the stretches of ad time that were played across steps without being known as such. A pod that
    /// still plays continues on its own time.
    /// - Returns: each with ad time minus media date.
    mutating func adsChanged(_ ads: Ads) -> [(range: ClosedRange<UnixTime>, shift: Duration)] {
        var parts: [(range: ClosedRange<UnixTime>, shift: Duration)] = []
        var carried: (hold: Hold, through: UnixTime)?
        for seam in seams where seam.isPlayed {
            let time = carried.flatMap { $0.through == seam.end ? seam.end + $0.hold.shift : nil } ?? seam.end
            carried = nil
            guard let run = ads.run(time, seam.all + undecided.starts), !ads.meet(time, seam.next) else { continue }
            let hold = Hold(run: run, shift: time - seam.next, seam: seam.next)
            let shown = seam.through + hold.shift
            parts.append((time...max(time, min(shown, run.end)), hold.shift))
            if shown < run.end { carried = (hold, seam.through) }
        }
        if hold == nil, let carried, carried.through == mediaEnd { hold = carried.hold }
        return parts
    }

    /// Forgets steps of which both sides end `keep` or more before `date`: behind a step back by a day, dates are long ago at once.
    mutating func clean(at date: UnixTime, keep: Duration) {
        seams.removeAll { date - max($0.end, $0.through) >= keep }
    }
}

extension SeamClock.Seam {
    /// A step that a seek passed over.
    fileprivate init(over step: DateReturn) {
        self.init(
            end: step.end, next: step.next, through: step.next, place: step.place, listed: step.listed, isPlayed: false,
            begins: step.begins, until: step.end, shown: step.next)
    }
}

extension PlayedStretch {
    fileprivate func moved(from: UnixTime, through: UnixTime) -> PlayedStretch {
        PlayedStretch(from: from, through: through, rate: rate, track: track, isSeamless: isSeamless)
    }
}
