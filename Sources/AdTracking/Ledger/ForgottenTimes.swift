import Algorithms
import Ports

/// Media times of sent beacons that are not remembered one by one any more. A beacon that is due there may have been sent
/// under any name, so it is not sent.
///
/// Times of one stream are one stretch that grows. Several exist where dates jumped, as after an encoder started again with
/// a wrong clock: what lies between them is not affected.
struct ForgottenTimes: Hashable, Sendable {
    /// Maximum number of stretches; with more of them the two nearest become one.
    static let limit = 32
    /// Times that are no further apart are one stretch.
    static let gap: Duration = .seconds(3_600)

    /// Nothing that is due at or before this media date is sent: an earlier session of this viewer reached it.
    private(set) var reached: UnixTime?
    /// Ordered; they do not overlap.
    private(set) var stretches: [ClosedRange<UnixTime>] = []

    /// The beacon of that time is forgotten.
    mutating func add(_ time: UnixTime) {
        add(time...time)
    }

    /// An earlier session of this viewer reached that media date.
    mutating func sendNothing(through date: UnixTime) {
        reached = max(reached ?? date, date)
    }

    /// All beacons up to that time are.
    mutating func add(through time: UnixTime) {
        add(UnixTime(microseconds: .min)...time)
    }

    /// Whether anything at most `reach` away from `time` is forgotten, or an earlier session of the viewer reached that time.
    func reaches(_ time: UnixTime, within reach: Duration) -> Bool {
        if let reached, time <= reached { return true }
        return stretches.contains { $0.lowerBound <= time + reach && time - reach <= $0.upperBound }
    }

    private mutating func add(_ new: ClosedRange<UnixTime>) {
        let first = stretches.partitioningIndex { $0.upperBound + Self.gap >= new.lowerBound }
        var joined = new
        var end = first
        while end < stretches.count, stretches[end].lowerBound <= joined.upperBound + Self.gap {
            joined =
                min(joined.lowerBound, stretches[end].lowerBound)...max(joined.upperBound, stretches[end].upperBound)
            end += 1
        }
        stretches.replaceSubrange(first..<end, with: CollectionOfOne(joined))
        guard stretches.count > Self.limit else { return }
        let nearest = stretches.indices.dropLast().min {
            stretches[$0 + 1].lowerBound - stretches[$0].upperBound
                < stretches[$1 + 1].lowerBound - stretches[$1].upperBound
        }
        guard let nearest else { return }
        let both = stretches[nearest].lowerBound...stretches[nearest + 1].upperBound
        stretches.replaceSubrange(nearest...(nearest + 1), with: CollectionOfOne(both))
    }
}
