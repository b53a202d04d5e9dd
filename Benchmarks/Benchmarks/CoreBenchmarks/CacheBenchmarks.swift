import Benchmark
import CreativeCache
import Ports

func cacheBenchmarks() {
    let now = UnixTime(milliseconds: 1_800_000_000_000)
    let ids = (0..<10_000).compactMap { CreativeID("0a6f0a3e-5b1c-4a55-9a51-\($0 + 100_000_000_000)") }

    // A million at a time, because a thousand would mostly measure cold processor caches after building the store.
    Benchmark("creative cache: look one of 10,000 up (target 2 µs)", configuration: .init(scalingFactor: .mega)) {
        benchmark in
        var store = CreativeStore()
        for id in ids {
            let content = CachedCreative.Content(body: Array(repeating: 0x61, count: 1_000))
            store.put(CachedCreative(id: id, kind: .banner, content: content), life: .seconds(3_600), at: now)
        }
        var index = 0
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            blackHole(store.get(ids[index], at: now))
            index = (index + 7_919) % ids.count
        }
    }
}
