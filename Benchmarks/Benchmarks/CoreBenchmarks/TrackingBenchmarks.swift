import AdTracking
import Benchmark
import Ports

func trackingBenchmarks() {
    // About 200 kB, the size of one poll of a busy channel.
    let document = SampleTexts.metadata(breaks: 70)
    let now = Moment(wall: SampleTexts.start, uptime: .zero)

    Benchmark("metadata: \(document.count / 1_000) kB, decode and merge (target 1.5 ms)") { benchmark in
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            var tracker = AdTracker(.init(sessionID: "s", mode: .observe))
            if let decoded = try? HarmonicMetadata.decode(document) {
                blackHole(tracker.metadataArrived(decoded, at: now))
            }
        }
    }

    Benchmark("metadata: the same document again, as a session reads it (target 60 µs)") { benchmark in
        var tracker = AdTracker(.init(sessionID: "s", mode: .observe))
        var decoder = MetadataDecoder()
        guard let first = try? decoder.decode(document) else { return }
        _ = tracker.metadataArrived(first, at: now)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            if let decoded = try? decoder.decode(document) { blackHole(tracker.metadataArrived(decoded, at: now)) }
        }
        // To forget the whole session takes longer.
        benchmark.stopMeasurement()
        withExtendedLifetime((tracker, decoder)) {}
    }

    // 200 avails are about 1 MB.
    let tracking = SampleTexts.tracking(avails: 200)
    let address = try? WebURL("https://v.example/v1/tracking/9f8e7d6c5b4a3928/channel/session")

    Benchmark("tracking data of MediaTailor: \(tracking.count / 1_000) kB, decode (target 12 ms per 1 MB)") {
        benchmark in
        guard let address else { return }
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            var provider = attached(to: address)
            blackHole(try? provider.read(answer(tracking), on: StreamFacts()))
        }
    }

    Benchmark("tracking data of MediaTailor: the same again, as a session reads it (target 1 ms)") { benchmark in
        guard let address else { return }
        var provider = attached(to: address)
        var tracker = AdTracker(.init(sessionID: "s", mode: .observe))
        guard let first = try? provider.read(answer(tracking), on: StreamFacts()) else { return }
        _ = tracker.metadataArrived(first, at: now)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            guard let again = try? provider.read(answer(tracking), on: StreamFacts()) else { return }
            blackHole(tracker.metadataArrived(again, at: now))
        }
        benchmark.stopMeasurement()
        withExtendedLifetime((tracker, provider)) {}
    }

    Benchmark("tick with 10,000 known events, none due (target 20 µs)", configuration: .init(scalingFactor: .kilo)) {
        benchmark in
        var tracker = AdTracker(.init(sessionID: "s", mode: .observe))
        guard let decoded = try? HarmonicMetadata.decode(SampleTexts.metadata(breaks: 625)) else { return }
        _ = tracker.metadataArrived(decoded, at: now)
        var position = SampleTexts.start + .seconds(40)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            let next = position + .microseconds(10)
            blackHole(tracker.played(PlayedStretch(from: position, through: next), at: now))
            position = next
        }
    }
}

/// A running session of MediaTailor.
private func attached(to address: WebURL) -> MediaTailorProvider {
    var options = ProviderOptions(mediaURL: address)
    options.isAttached = true
    var provider = MediaTailorProvider(options)
    _ = provider.open()
    return provider
}

private func answer(_ body: [UInt8]) -> HTTPExchange {
    HTTPExchange(hops: [HTTPExchange.Hop(url: "https://v.example/", status: 200, fields: [])], body: body)
}
