import AdTracking
package import Ports

/// What a viewer sees at one moment, and what comes next: only what the snapshot has, nothing guessed.
package struct AirStatus: Sendable, Equatable {
    /// A break on air.
    package struct OnAir: Sendable, Equatable {
        /// ``BreakView/id``, and its place in ``Snapshot/breaks``.
        package var breakID: String
        package var index: Int
        package var label: String
        /// Its ad on air; nil in a break known from markers alone, and between two ads.
        package var ad: Ad?
        package var adCount: Int
        /// Time since its start.
        package var played: Duration
        /// Time to its end, as the source that knows the latest end announces it; nil where none is announced.
        package var rest: Duration?
    }

    /// The ad on air.
    package struct Ad: Sendable, Equatable {
        /// Its place in the break, from 1.
        package var number: Int
        /// Name in metadata; unredacted text from outside.
        package var name: String
        /// Time since its start, at most its duration.
        package var played: Duration
        /// While the ad may still grow, what is announced for it.
        package var duration: Duration
        /// Its next event that time triggers, and the time to it; nil after the last one.
        package var nextEvent: String?
        package var nextEventIn: Duration?
    }

    /// The break that ended last.
    package struct Last: Sendable, Equatable {
        package var index: Int
        package var label: String
        /// Media time since its end.
        package var ago: Duration
    }

    /// The next known break; none where nothing plays any more.
    package struct Next: Sendable, Equatable {
        package var label: String
        /// Media time until its start.
        package var wait: Duration
    }

    package var onAir: OnAir?
    package var last: Last?
    package var next: Next?
    /// The distance from break to break, where the last ones started at equal distances; nil otherwise.
    package var interval: Duration?
    /// When the next break is expected by `interval`; nil while a next one is known.
    package var expected: UnixTime?

    /// The state of a snapshot at the moment its playhead is at `playhead`.
    package init(_ snapshot: Snapshot, _ playhead: PlayheadView) {
        guard let date = playhead.date else { return }
        let breaks = snapshot.breaks
        if let index = breaks.lastIndex(where: \.isOnAir) { onAir = OnAir(breaks[index], at: index, date) }
        // A cue may announce a later end than the ads have: what is over has ended with its ads.
        if let index = breaks.lastIndex(where: { $0.hasEnded && !$0.isOnAir && $0.ownEnd <= date }) {
            last = Last(index: index, label: breaks[index].label, ago: date - breaks[index].ownEnd)
        }
        guard !snapshot.playsNoMore else {
            onAir?.ad?.nextEvent = nil
            onAir?.ad?.nextEventIn = nil
            return
        }
        if let start = snapshot.nextBreakStart, start >= date,
            let known = breaks.first(where: { $0.start == start && !$0.hasVanished && $0.isAhead })
        {
            next = Next(label: known.label, wait: start - date)
        }
        interval = Self.interval(of: breaks.filter { $0.start <= date }.map(\.start))
        if next == nil, let interval, let newest = breaks.last(where: { $0.start <= date }) {
            let coming = newest.start + interval
            if coming > date { expected = coming }
        }
    }

    /// Breaks whose starts are compared: fewer show no habit.
    private static let compared = 4

    /// The usual distance between the newest starts: none of them deviates by more than a second or a twentieth.
    private static func interval(of starts: [UnixTime]) -> Duration? {
        let newest = starts.suffix(compared)
        guard newest.count == compared else { return nil }
        let distances = zip(newest.dropFirst(), newest).map { $0 - $1 }
        guard let least = distances.min(), let most = distances.max(), least > .zero,
            most - least <= max(.seconds(1), most / 20)
        else { return nil }
        return distances.reduce(.zero, +) / distances.count
    }
}

extension AirStatus.OnAir {
    fileprivate init(_ view: BreakView, at index: Int, _ date: UnixTime) {
        let end = view.knownEnd
        self.init(
            breakID: view.id, index: index, label: view.label, adCount: view.ads.count,
            played: max(.zero, date - view.start), rest: end > view.start ? max(.zero, end - date) : nil)
        guard let number = view.ads.lastIndex(where: \.isOnAir) else { return }
        let ad = view.ads[number]
        let next = ad.events.lazy
            .filter { !$0.isUserTriggered && $0.state == .idle && $0.start > date }
            .min { $0.start < $1.start }
        let length = view.length(of: ad)
        self.ad = AirStatus.Ad(
            number: number + 1, name: ad.name, played: min(max(.zero, date - ad.start), length), duration: length,
            nextEvent: next?.event, nextEventIn: next.map { $0.start - date })
    }
}

extension BreakView {
    /// Whether it neither plays nor is over.
    var isAhead: Bool { !isOnAir && !hasEnded }

    /// Its end without what its other sources announce: the one by which it is over.
    fileprivate var ownEnd: UnixTime { isMeasured ? start + duration : max(plannedEnd, start + duration) }

    /// The latest end that one of its sources announces.
    package var knownEnd: UnixTime {
        let announced = evidence.compactMap { source in source.duration.map { source.start + $0 } }
        return announced.reduce(ownEnd, max)
    }
}
