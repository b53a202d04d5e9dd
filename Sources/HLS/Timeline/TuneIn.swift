package import Ports

/// Catches up with a low-latency playlist that a cache has held for a while: sends blocking requests for the media that
/// the server must have added meanwhile, until the playlist has grown by its age (rfc8216bis-22 appendix C).
package struct TuneIn: Equatable, Sendable {
    /// Most requests after the first one; a playlist that is still old then is used as it is.
    package static let roundLimit = 4

    /// How far the first playlist was behind when it arrived.
    private let goal: Duration
    /// When the first playlist arrived.
    private let began: Moment
    /// End of the first playlist.
    private let edge: StreamTime
    private var rounds = 0

    /// Nil when there is nothing to catch up with: `age` is below the part target in whole seconds, or the server does
    /// not block.
    package init?(age: Duration, timeline: Timeline, at moment: Moment) {
        guard timeline.isLowLatency, !timeline.hasEnded, let part = timeline.playlist?.partTarget,
            timeline.playlist?.serverControl?.canBlockReload == true, let end = timeline.window?.end,
            age.components.seconds >= part.components.seconds
        else { return nil }
        // Age is in whole seconds: when parts are shorter than one second, the true age may be almost a second more.
        goal = part < .seconds(1) ? age + .seconds(1) : age
        began = moment
        edge = end
    }

    /// The part that would complete the playlist at `moment`, counted from the last one listed; nil when the playlist
    /// has grown enough.
    package func aim(_ timeline: Timeline, at moment: Moment) -> (sequence: Int, part: Int)? {
        guard rounds < Self.roundLimit, let playlist = timeline.playlist, let target = playlist.partTarget,
            let last = playlist.segments.last, let end = timeline.window?.end, target > .zero
        else { return nil }
        let missing = goal + (moment.uptime - began.uptime) - (end - edge)
        guard missing >= target else { return nil }
        let parts = Int(clamping: missing.inMicroseconds / max(1, target.inMicroseconds))
        let next = playlist.trailingParts.last.map { $0.index.addingSaturating(1) } ?? 0
        let place = next.addingSaturating(parts).subtractingSaturating(1)
        let partsPerSegment = Self.partCount(of: last, target: target)
        let sequence = last.sequence.addingSaturating(1).addingSaturating(place / partsPerSegment)
        return (sequence, place % partsPerSegment)
    }

    /// Records one more answer.
    mutating func answered() {
        rounds += 1
    }

    /// Too high a number is harmless: a part after the last of its segment means the first of the next (section
    /// 6.2.5.2).
    private static func partCount(of segment: MediaSegment, target: Duration) -> Int {
        guard segment.parts.isEmpty else { return segment.parts.count }
        let target = max(1, target.inMicroseconds)
        return max(1, Int(clamping: segment.duration.inMicroseconds.addingSaturating(target - 1) / target))
    }
}
