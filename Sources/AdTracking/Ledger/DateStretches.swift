import Algorithms
package import Ports

/// Media dates as a few stretches.
///
/// Dates of one stream are one stretch that grows. Several exist where dates stepped, as after an encoder started again with a wrong
/// clock: what lies between them is not affected.
package struct DateStretches: Hashable, Sendable {
    /// Maximum number of stretches; with more of them the two nearest become one.
    static let limit = 32
    /// Dates that are no further apart are one stretch.
    static let gap: Duration = .seconds(3_600)

    /// Ordered; they do not overlap.
    package private(set) var all: [ClosedRange<UnixTime>] = []

    package init() {}

    package init(_ stretches: [ClosedRange<UnixTime>]) {
        for stretch in stretches { add(stretch) }
    }

    package var isEmpty: Bool { all.isEmpty }

    /// The newest date.
    package var newest: UnixTime? { all.last?.upperBound }

    package mutating func add(_ date: UnixTime) { add(date...date) }

    /// Adds all dates up to one.
    package mutating func add(through date: UnixTime) { add(UnixTime(microseconds: .min)...date) }

    /// A beacon due at `date` was claimed: so the viewer was there, and has passed what lies shortly before.
    package mutating func reach(_ date: UnixTime) { add((date - Self.gap)...date) }

    package mutating func add(_ others: Self) {
        for stretch in others.all { add(stretch) }
    }

    /// The same media with other dates.
    func redated(by shift: Duration) -> Self { Self(all.map { ($0.lowerBound + shift)...($0.upperBound + shift) }) }

    /// Whether a date at most `slack` away from `date` is in a stretch.
    package func contains(_ date: UnixTime, within slack: Duration = .zero) -> Bool {
        all.contains { $0.lowerBound <= date + slack && date - slack <= $0.upperBound }
    }

    private mutating func add(_ new: ClosedRange<UnixTime>) {
        let first = all.partitioningIndex { $0.upperBound + Self.gap >= new.lowerBound }
        var joined = new
        var end = first
        while end < all.count, all[end].lowerBound <= joined.upperBound + Self.gap {
            joined = min(joined.lowerBound, all[end].lowerBound)...max(joined.upperBound, all[end].upperBound)
            end += 1
        }
        all.replaceSubrange(first..<end, with: CollectionOfOne(joined))
        guard all.count > Self.limit else { return }
        let nearest = all.indices.dropLast().min {
            all[$0 + 1].lowerBound - all[$0].upperBound < all[$1 + 1].lowerBound - all[$1].upperBound
        }
        guard let nearest else { return }
        let both = all[nearest].lowerBound...all[nearest + 1].upperBound
        all.replaceSubrange(nearest...(nearest + 1), with: CollectionOfOne(both))
    }
}

extension DateStretches {
    /// A list of pairs, each the first and the last date of a stretch in microseconds.
    package var json: JSONValue {
        .array(all.map { [.integer($0.lowerBound.microseconds), .integer($0.upperBound.microseconds)] })
    }

    /// Nil for anything else than ``json``.
    package init?(_ json: JSONValue) {
        guard let pairs = json.arrayValue, pairs.count <= Self.limit else { return nil }
        var stretches: [ClosedRange<UnixTime>] = []
        for pair in pairs {
            guard let dates = pair.arrayValue, dates.count == 2, let first = dates[0].integerValue,
                let last = dates[1].integerValue, first <= last
            else { return nil }
            stretches.append(UnixTime(microseconds: first)...UnixTime(microseconds: last))
        }
        self.init(stretches)
    }
}
