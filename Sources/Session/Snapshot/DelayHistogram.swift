import Ports

/// How many delays fell into each of some ranges: beacons behind their due times, answers behind their requests.
package struct DelayHistogram: Sendable, Hashable {
    /// Upper bounds of the buckets, inclusive; one more bucket counts larger values.
    package static let bounds: [Duration] = [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000].map(
        Duration.milliseconds)

    /// The bounds of this one, ascending: ``bounds``, unless what it counts is of another size.
    package let ownBounds: [Duration]
    /// One count per bound and one for larger values; not cumulative.
    package private(set) var counts: [Int]
    package private(set) var sum: Duration = .zero

    package init(bounds: [Duration] = Self.bounds) {
        ownBounds = bounds
        counts = [Int](repeating: 0, count: bounds.count + 1)
    }

    package var count: Int { counts.reduce(0, +) }

    package mutating func add(_ late: Duration) {
        counts[ownBounds.firstIndex { late <= $0 } ?? ownBounds.count] += 1
        sum += late
    }

    /// A value that was added is another one.
    package mutating func replace(_ former: Duration, by late: Duration) {
        let bucket = ownBounds.firstIndex { former <= $0 } ?? ownBounds.count
        guard counts[bucket] > 0 else { return }
        counts[bucket] -= 1
        sum -= former
        add(late)
    }

    /// Adds `count` values of a bucket, counted elsewhere; an unknown bucket counts as the last.
    package mutating func add(_ count: Int, inBucket bucket: Int, sum: Duration) {
        counts[min(max(bucket, 0), counts.count - 1)] += count
        self.sum += sum
    }

    /// Adds one with the same bounds.
    package mutating func add(_ other: Self) {
        for (index, count) in other.counts.enumerated() { counts[index] += count }
        sum += other.sum
    }

    package static func bucket(of late: Duration) -> Int {
        bounds.firstIndex { late <= $0 } ?? bounds.count
    }

    /// Label such as `≤ 100 ms` or `> 30 s`.
    package static func label(ofBucket bucket: Int) -> String {
        bucket < bounds.count ? "≤ \(words(bounds[bucket]))" : "> \(words(bounds[bounds.count - 1]))"
    }

    private static func words(_ bound: Duration) -> String {
        let milliseconds = bound.inMilliseconds
        return milliseconds < 1_000
            ? "\(milliseconds) ms"
            : "\(milliseconds / 1_000)\(milliseconds % 1_000 == 0 ? "" : ".\(milliseconds % 1_000 / 100)") s"
    }
}
