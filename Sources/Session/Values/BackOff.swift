import Ports

/// Delays between attempts: 1, 2, 4 … s after each failure, with jitter.
struct BackOff {
    static let first: Duration = .seconds(1)
    static let longest: Duration = .seconds(30)
    static let jitter = 0.05

    private(set) var consecutiveFailures = 0
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    mutating func succeeded() {
        consecutiveFailures = 0
    }

    /// The uptime of the next attempt.
    mutating func failed(at now: Moment) -> Duration {
        let span = min(Self.first * (1 << min(consecutiveFailures, 10)), Self.longest)
        consecutiveFailures += 1
        return now.uptime + span * random.factor(spread: Self.jitter)
    }
}
