import AdTracking

/// Why beacons were not sent: how many for each reason.
struct ReasonCounts: Sendable, Equatable {
    /// By the few words of the reason.
    private var counts: [String: Int] = [:]
    /// All of them, those without a reason among them.
    private var total = 0

    /// Adds one that was not sent.
    mutating func add(_ reason: ReasonWord?) {
        total += 1
        if let reason { counts[reason.short, default: 0] += 1 }
    }

    /// Adds those of others.
    mutating func add(_ other: ReasonCounts) {
        total += other.total
        counts.merge(other.counts, uniquingKeysWith: +)
    }

    /// The reasons, the most frequent first: `host not allowed` where all have it, otherwise each with its number,
    /// `9 host not allowed`.
    var words: [String] {
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        if let first = sorted.first, first.value == total { return [first.key] }
        return sorted.map { "\(TimeText.grouped($0.value)) \($0.key)" }
    }
}
