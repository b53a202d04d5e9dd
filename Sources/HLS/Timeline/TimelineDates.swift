import Algorithms
package import Ports

/// A stretch of the stream in which dates advance with the media; jumps up to `Timeline.dateTolerance` are ignored.
package struct DateStretch: Hashable, Sendable {
    package var from: StreamTime
    package var to: StreamTime
    /// `fromDate` and `toDate` are nil in a stream without PROGRAM-DATE-TIME.
    package var fromDate: UnixTime?
    package var toDate: UnixTime?

    package init(from: StreamTime, to: StreamTime, fromDate: UnixTime?, toDate: UnixTime?) {
        self.from = from
        self.to = to
        self.fromDate = fromDate
        self.toDate = toDate
    }
}

extension Timeline {
    /// The date at `position`: the date of the segment that contains it plus the offset. After the edge and in a gap it
    /// continues from the previous segment; before the first segment it is extrapolated (HLS-12).
    package func date(at position: StreamTime) -> UnixTime? {
        guard let first = segments.first else { return nil }
        return (indexOfLastSegment(startingAtOrBefore: position).map { segments[$0] } ?? first).date(at: position)
    }

    /// The position that shows `date` (HLS-12): the later segment on overlap, the start of the next segment in a gap,
    /// extrapolated outside. Nil in a stream without dates.
    package func position(of date: UnixTime) -> StreamTime? {
        let run = dateRunsFromLast.first { dates(of: $0)?.contains(date) ?? false }
        return run.map { position(of: date, in: $0) } ?? extrapolatedPosition(of: date)
    }

    /// The dates of a run; nil where it has none.
    func dates(of run: Range<Int>) -> Range<UnixTime>? {
        guard let first = segments[run.lowerBound].date, let end = segments[run.upperBound - 1].endDate, first < end
        else { return nil }
        return first..<end
    }

    /// The position of a date that a run has.
    func position(of date: UnixTime, in run: Range<Int>) -> StreamTime {
        let next = segments[run].partitioningIndex { ($0.date ?? date) > date }
        let segment = segments[next - 1]
        let offset = date - (segment.date ?? date)
        return offset < segment.duration || next == run.upperBound ? segment.start + offset : segments[next].start
    }

    /// The stretches of continuous dates from `from` to `to`, in order, split where the date jumps at a segment
    /// boundary.
    package func dateStretches(from: StreamTime, to: StreamTime) -> [DateStretch] {
        guard from < to else { return [] }
        var stretches: [DateStretch] = []
        var open = DateStretch(from: from, to: to, fromDate: date(at: from), toDate: nil)
        var index = indexOfLastSegment(startingAtOrBefore: from) ?? 0
        while index + 1 < segments.count, segments[index + 1].start < to {
            let next = segments[index + 1]
            let end = segments[index].date(at: next.start)
            if next.start > from {
                // Dates must not go back: a date that rounds down at a boundary was already reached.
                open.toDate = [open.toDate, end].compactMap { $0 }.max()
                if !Self.isContinuous(from: end, to: next.date) {
                    open.to = next.start
                    stretches.append(open)
                    open = DateStretch(from: next.start, to: to, fromDate: next.date, toDate: nil)
                }
            }
            index += 1
        }
        let end = index < segments.count ? segments[index].date(at: to) : nil
        open.toDate = [open.toDate, end].compactMap { $0 }.max()
        stretches.append(open)
        return stretches
    }

    /// Whether media whose date ended at `end` continues at `start`.
    package static func isContinuous(from end: UnixTime?, to start: UnixTime?) -> Bool {
        guard let end, let start else { return end == nil && start == nil }
        return (start - end).magnitude <= dateTolerance
    }

    func extrapolatedPosition(of date: UnixTime) -> StreamTime? {
        guard let last = segments.last, let end = last.endDate, let run = dateRunsFromLast.first,
            let firstDate = segments[run.lowerBound].date
        else { return nil }
        // Between the runs of a timeline that was reset, the current run gives the best answer.
        return date >= end ? last.end + (date - end) : segments[run.lowerBound].start - (firstDate - date)
    }

    /// Ranges of `segments` in which dates ascend, the last one first. They are made as they are needed: most dates are in the last
    /// one.
    var dateRunsFromLast: some Collection<Range<Int>> {
        dateRunStarts.indices.lazy.reversed().compactMap { order in
            let end = order + 1 < dateRunStarts.count ? dateRunStarts[order + 1] : segments.count
            let start = dateRunStarts[order]
            return start < end ? start..<end : nil
        }
    }

    /// Records where a run of ascending dates begins, for the last segment, at `index`.
    mutating func extendDateRuns(with index: Int) {
        guard index > 0 else { return dateRunStarts.append(0) }
        switch (segments[index - 1].date, segments[index].date) {
        case (nil, nil): break
        case (let previous?, let date?) where previous <= date: break
        default: dateRunStarts.append(index)
        }
    }

    mutating func rebuildDateRuns() {
        dateRunStarts = []
        for index in segments.indices { extendDateRuns(with: index) }
    }
}
