import Algorithms
import Ports

/// Finds the segment boundary nearest a date, for X-SNAP (HLS-16, HLS-12).
struct SegmentBoundaries {
    /// The segments by date; of those with the same date, the later in the playlist is last.
    private let spans: [(start: UnixTime, end: UnixTime)]
    private let windowEnd: UnixTime?

    init(_ segments: [MediaSegment]) {
        let spans = segments.compactMap { segment in
            segment.date.map { (start: $0, end: $0 + segment.duration) }
        }
        let isSorted = zip(spans, spans.dropFirst()).allSatisfy { $0.start <= $1.start }
        self.spans =
            isSorted
            ? spans
            : spans.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        windowEnd = spans.map(\.end).max()
    }

    /// Nil outside the window; ties go to the earlier boundary. A date in a gap maps to the segment after it.
    func nearest(to date: UnixTime) -> UnixTime? {
        guard let first = spans.first, let windowEnd, date >= first.start, date <= windowEnd else { return nil }
        let next = spans.partitioningIndex { $0.start > date }
        let span = spans[next - 1]
        if date <= span.end {
            return date - span.start <= span.end - date ? span.start : span.end
        }
        return next < spans.count ? spans[next].start : span.end
    }
}
