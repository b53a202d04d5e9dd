import HLS
import Ports

/// Records whose dates are far from what the playlist lets expect (PRV-32). A damaged playlist may have dated their segment, so they
/// wait for the next one; a date that it repeats counts.
struct StrayMarks {
    /// Most that wait; the oldest are forgotten.
    private static let limit = 200
    /// Largest distance from the expected date, and from the playlist.
    private static let tolerance: Duration = .seconds(60)

    private var waiting: [MediaMark] = []

    /// The records that count now: those of `marks`, and after a playlist, which has none, those that waited.
    mutating func settled(_ marks: [MediaMark], on timeline: Timeline) -> [MediaMark] {
        var counting: [MediaMark] = []
        if marks.isEmpty {
            let before = waiting
            waiting = []
            for mark in before {
                guard let dated = Self.dated(mark, on: timeline) else { continue }
                if dated.at == mark.at || Self.isExpected(dated, on: timeline) {
                    counting.append(dated)
                } else {
                    waiting.append(dated)
                }
            }
        }
        for mark in marks where Self.isListed(mark, on: timeline) {
            if Self.isExpected(mark, on: timeline) { counting.append(mark) } else { waiting.append(mark) }
        }
        if waiting.count > Self.limit { waiting.removeFirst(waiting.count - Self.limit) }
        return counting
    }

    /// Whether a place is near what is listed: a damaged time in a segment may be anywhere.
    private static func isListed(_ mark: MediaMark, on timeline: Timeline) -> Bool {
        guard let position = mark.position, let first = timeline.segments.first, let last = timeline.segments.last
        else { return true }
        return first.start - tolerance <= position && position <= last.end + tolerance
    }

    /// Whether the date is that which counts from the first dated segment.
    private static func isExpected(_ mark: MediaMark, on timeline: Timeline) -> Bool {
        guard let position = mark.position, let date = mark.at.date,
            let first = timeline.segments.first(where: { $0.date != nil }), let start = first.date
        else { return true }
        let distance = date - (start + (position - first.start))
        return (.zero - tolerance...tolerance).contains(distance)
    }

    /// The mark with the date that its place has by now; nil when it has none.
    private static func dated(_ mark: MediaMark, on timeline: Timeline) -> MediaMark? {
        guard let position = mark.position, let date = timeline.date(at: position) else { return nil }
        var mark = mark
        mark.at = MediaMoment(date)
        return mark
    }
}
