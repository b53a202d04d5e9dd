import Algorithms
package import Ports

/// A step of PROGRAM-DATE-TIME behind which dates of the media before it are shown a second time.
package struct DateReturn: Hashable, Sendable {
    /// Where the step is.
    package var place: StreamTime
    /// The date that the media before the step reaches.
    package var end: UnixTime
    /// The first date behind the step.
    package var next: UnixTime
    /// The dates before `end` that belong to the media behind the step: what is dated so begins there. In order.
    package var begins: [UnixTime]
    /// The date through which the playlist lists the media behind the step; `end` where it lists all that has dates before that.
    package var listed: UnixTime

    package init(place: StreamTime, end: UnixTime, next: UnixTime, begins: [UnixTime], listed: UnixTime) {
        (self.place, self.end, self.next, self.begins, self.listed) = (place, end, next, begins, listed)
    }
}

extension Timeline {
    /// Most steps that are named at once, and most segments on either side of each that are compared: a server may let every segment
    /// step back.
    package static let returnLimit = 8
    private static let returnReach = 32

    /// The first steps back by more than `slack` at `position` or behind it, at most ``returnLimit``.
    ///
    /// Of two places with one date the later counts (HLS-12), but media begins where a segment does. So a date belongs to the media
    /// behind the step if the step, a discontinuity or the only segment with that date is there. It does not if a discontinuity
    /// before the step has it.
    package func dateReturns(from position: StreamTime, slack: Duration) -> [DateReturn] {
        guard let first = indexOfLastSegment(startingAtOrBefore: position) else { return [] }
        let steps = segments.indices.dropFirst(max(1, first)).lazy.compactMap { index -> DateReturn? in
            let start = segments[index].start
            guard start >= position, let next = segments[index].date, let end = segments[index - 1].date(at: start),
                end - next > slack
            else { return nil }
            let begins = begins(behind: index, from: index, until: end, slack: slack)
            let listed = listed(from: index, until: end, slack: slack)
            return DateReturn(place: start, end: end, next: next, begins: begins, listed: listed)
        }
        return Array(steps.prefix(Self.returnLimit))
    }

    /// The dates before `end` at which media begins that is listed at `position` or behind it, and behind the step back at `place`, which
    /// was passed. They grow with the playlist. The step itself is not one of them.
    package func begins(
        behindStepAt place: StreamTime, from position: StreamTime, until end: UnixTime, slack: Duration
    ) -> [UnixTime] {
        // The segment at the step is the first one that is kept when the viewer has gone on for long.
        let step = segments.partitioningIndex { $0.start >= place }
        let behind = segments.partitioningIndex { $0.start > place }
        let first = max(behind, indexOfLastSegment(startingAtOrBefore: position) ?? 0)
        return begins(behind: step, from: first, until: end, slack: slack)
    }

    /// The date through which media is listed behind the step back at `place`, which was passed: ``DateReturn/listed``.
    package func listed(
        behindStepAt place: StreamTime, from position: StreamTime, until end: UnixTime, slack: Duration
    ) -> UnixTime {
        let step = segments.partitioningIndex { $0.start >= place }
        return listed(
            from: max(step, indexOfLastSegment(startingAtOrBefore: position) ?? 0), until: end, slack: slack)
    }

    /// The date that the media before `position` reaches, if the dates step there by more than `slack`; nil if they do not.
    package func dateBeforeStep(at position: StreamTime, slack: Duration) -> UnixTime? {
        guard let index = indexOfLastSegment(startingAtOrBefore: position), index > 0,
            segments[index].start == position, let next = segments[index].date,
            let end = segments[index - 1].date(at: position), (next - end).magnitude > slack
        else { return nil }
        return end
    }

    private func listed(from first: Int, until end: UnixTime, slack: Duration) -> UnixTime {
        var listed: UnixTime?
        for segment in segments[min(first, segments.count)...] {
            guard let date = segment.date, let through = segment.endDate, through < end else { return end }
            // Dates behind another step belong to that one.
            if let listed, listed - date > slack { return end }
            listed = through
        }
        return listed ?? end
    }

    /// The dates before `end` at which media behind the step at `index` begins, from the segment at `first` on.
    private func begins(behind index: Int, from first: Int, until end: UnixTime, slack: Duration) -> [UnixTime] {
        var begins: [UnixTime] = []
        var former: UnixTime?
        for (offset, segment) in segments[first...].prefix(Self.returnReach).enumerated() {
            guard let date = segment.date, date < end else { break }
            // Dates behind another step belong to that one.
            if let former, former - date > slack { break }
            former = segment.endDate
            let before = segments[..<index].suffix(Self.returnReach).filter { other in
                other.date.map { ($0 - date).magnitude <= slack } == true
            }
            guard !before.contains(where: \.isDiscontinuity) else { continue }
            let isStep = offset == 0 && first == index
            if isStep || segment.isDiscontinuity || before.isEmpty { begins.append(date) }
        }
        return begins
    }
}
