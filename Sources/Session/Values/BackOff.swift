import Ports

/// Delays between attempts: 1, 2, 4 … s after each failure, with jitter, or longer where a server asks for that.
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
    /// - Parameter asked: the pause that the server asks for with `Retry-After`; zero for none.
    mutating func failed(asked: Duration = .zero, at now: Moment) -> Duration {
        let span = min(Self.first * (1 << min(consecutiveFailures, 10)), Self.longest)
        consecutiveFailures += 1
        return now.uptime + max(span * random.factor(spread: Self.jitter), asked)
    }
}
