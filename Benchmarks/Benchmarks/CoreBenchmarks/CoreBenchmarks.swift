import Benchmark

/// One suite per area; each row names its target. Run them with `make bench`.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput, .peakMemoryResident], warmupIterations: 10, maxDuration: .seconds(3),
        maxIterations: 5_000)
    playlistBenchmarks()
    vastBenchmarks()
    trackingBenchmarks()
    screenBenchmarks()
    auctionBenchmarks()
    cacheBenchmarks()
    requestBenchmarks()
}
