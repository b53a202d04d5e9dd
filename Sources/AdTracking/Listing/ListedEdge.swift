import HLS
import Ports

/// Where a live stream ends for now. A break that is listed up to there may still grow (PRV-25).
struct ListedEdge: Hashable, Sendable {
    /// Target durations of media behind a break that does not grow any more: what lists ads may lag the playlist by a segment, and a
    /// viewer is three behind the edge.
    private static let reserve = 2
    /// Target durations of media behind a break that ended before its marker promised.
    private static let patience = 6
    /// The target duration where none is known.
    private static let usualTarget: Duration = .seconds(6)

    /// Date up to which the stream is listed.
    var date: UnixTime
    var target: Duration

    /// Nil for recorded media, whose breaks are final, and without dates.
    init?(_ stream: StreamFacts) {
        guard !stream.timeline.hasEnded, let date = stream.timeline.window?.endDate else { return nil }
        (self.date, target) = (date, stream.timeline.targetDuration ?? Self.usualTarget)
    }

    /// Date up to which an answer has listed all: what ended before does not grow.
    var settled: UnixTime { date - target * Self.reserve }

    /// Whether the stream continues behind a break.
    /// - Parameters:
    ///   - end: that of what is listed.
    ///   - promised: that of its marker; nil if unknown.
    func isBehind(_ end: UnixTime, promised: UnixTime?) -> Bool {
        if max(end, promised ?? end) <= settled { return true }
        return end + target * Self.patience <= date
    }
}
