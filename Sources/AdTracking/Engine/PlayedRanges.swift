import Algorithms
package import Ports

/// The stretches of media that were played, in media dates, closed at both ends (TRK-11, TRK-12).
package struct PlayedRanges: Hashable, Sendable {
    /// Maximum number of ranges; with more seeks than this the oldest are lost.
    package static let limit = 4_096

    /// Ordered by start; ranges neither overlap nor touch.
    package private(set) var ranges: [ClosedRange<UnixTime>] = []

    package init() {}

    /// Records a stretch that was played without a gap; ranges that it overlaps or touches are merged with it.
    package mutating func record(_ stretch: ClosedRange<UnixTime>) {
        let first = ranges.partitioningIndex { $0.upperBound >= stretch.lowerBound }
        var joined = stretch
        var end = first
        while end < ranges.count, ranges[end].lowerBound <= joined.upperBound {
            joined = min(joined.lowerBound, ranges[end].lowerBound)...max(joined.upperBound, ranges[end].upperBound)
            end += 1
        }
        ranges.replaceSubrange(first..<end, with: CollectionOfOne(joined))
        if ranges.count > Self.limit { ranges.removeFirst(ranges.count - Self.limit) }
    }

    /// Removes a stretch from the ranges, its ends included.
    package mutating func remove(_ stretch: ClosedRange<UnixTime>) {
        let first = ranges.partitioningIndex { $0.upperBound >= stretch.lowerBound }
        var end = first
        while end < ranges.count, ranges[end].lowerBound <= stretch.upperBound { end += 1 }
        guard first < end else { return }
        let (start, last) = (ranges[first].lowerBound, ranges[end - 1].upperBound)
        var rest: [ClosedRange<UnixTime>] = []
        if start < stretch.lowerBound { rest.append(start...(stretch.lowerBound - .microseconds(1))) }
        if last > stretch.upperBound { rest.append((stretch.upperBound + .microseconds(1))...last) }
        ranges.replaceSubrange(first..<end, with: rest)
    }

    package func contains(_ time: UnixTime) -> Bool {
        range(near: time, within: .zero) != nil
    }

    /// The range nearest to `time`, at most `slack` away from it.
    package func range(near time: UnixTime, within slack: Duration) -> ClosedRange<UnixTime>? {
        let index = ranges.partitioningIndex { $0.upperBound >= time }
        if index < ranges.count, ranges[index].lowerBound <= time { return ranges[index] }
        let before = index > 0 && ranges[index - 1].upperBound + slack >= time ? ranges[index - 1] : nil
        let after = index < ranges.count && ranges[index].lowerBound - slack <= time ? ranges[index] : nil
        guard let before, let after else { return before ?? after }
        return time - before.upperBound <= after.lowerBound - time ? before : after
    }

    /// The first range that overlaps the half-open window.
    package func range(meeting window: Range<UnixTime>) -> ClosedRange<UnixTime>? {
        let index = ranges.partitioningIndex { $0.upperBound >= window.lowerBound }
        guard index < ranges.count, ranges[index].lowerBound < window.upperBound else { return nil }
        return ranges[index]
    }

    /// Removes ranges by where they end.
    package mutating func clean(_ isOver: (_ end: UnixTime) -> Bool) {
        ranges.removeAll { isOver($0.upperBound) }
    }

    package mutating func clear() {
        ranges = []
    }

    /// The same media has other dates from now on.
    mutating func redate(by shift: Duration) {
        ranges = ranges.map { ($0.lowerBound + shift)...($0.upperBound + shift) }
    }
}
