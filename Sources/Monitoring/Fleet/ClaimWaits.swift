import Session

/// How long claims waited for their grants, from when a session asked: the wait for the batch before is in it.
struct ClaimWaits {
    /// A batch takes some milliseconds; a claim that waits for a second is behind.
    private static let bounds: [Duration] = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000].map(
        Duration.milliseconds)
    /// The percentile is that of the newest so many, at most so old.
    private static let limit = 4_096
    private static let window = Duration.seconds(60)

    /// All waits since the process began.
    private(set) var histogram = DelayHistogram(bounds: bounds)
    /// The newest ones and when they were granted. Past the limit the oldest is overwritten, at `next`.
    private var newest: [(at: Duration, wait: Duration)] = []
    private var next = 0

    init() {}

    mutating func add(_ wait: Duration, at now: Duration) {
        histogram.add(wait)
        if newest.count < Self.limit {
            newest.append((now, wait))
        } else {
            newest[next] = (now, wait)
            next = (next + 1) % Self.limit
        }
    }

    /// What 99 of 100 of the last minute's did not exceed; nil where there were none.
    func p99(at now: Duration) -> Duration? {
        let waits = newest.filter { now - $0.at <= Self.window }.map(\.wait).sorted()
        return waits.isEmpty ? nil : waits[(waits.count * 99 - 1) / 100]
    }
}
