import Benchmark
import HLS
import Ports

private let segments = 5_400
private let dateRanges = 36
private let uri = "https://cdn.example.com/live/ch1/v5/index.m3u8"

/// A timeline on that window.
private func timeline(of window: [UInt8]) -> Timeline {
    var timeline = Timeline()
    if case .media(let playlist) = PlaylistParser.parse(window, uri: uri).kind { _ = timeline.fold(playlist) }
    return timeline
}

func playlistBenchmarks() {
    let window = SampleTexts.playlist(segments: segments, dateRanges: dateRanges)

    Benchmark("playlist: six-hour window, every value (target 5 ms)") { benchmark in
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(PlaylistParser.parse(window, uri: uri)) }
    }

    Benchmark("playlist: the same text again, that window in a session (target 30 µs)") { benchmark in
        guard var session = SampleSession(playlist: window) else { return }
        session.advance(by: .seconds(1))
        benchmark.startMeasurement()
        // A text that did not change is requested again after half of its target duration.
        for _ in benchmark.scaledIterations { session.advance(by: .seconds(2)) }
        benchmark.stopMeasurement()
        precondition(session.snapshot().counters.playlistReloads > 1, "the playlist was not requested again")
    }

    reloadBenchmark(
        "playlist: reload of that window with one new segment, parse and fold (target 5 ms)", of: window,
        with: SampleTexts.playlist(segments: segments, first: 1, dateRanges: dateRanges))
    reloadBenchmark(
        "playlist: delta update of that window with one new segment, parse, merge and fold (target 300 µs)", of: window,
        with: SampleTexts.deltaUpdate(segments: segments, first: 1, listed: 7, dateRanges: dateRanges))

    Benchmark("SCTE-35: splice_insert with segmentation (target 5 µs)", configuration: .init(scalingFactor: .kilo)) {
        benchmark in
        let message = "/DAvAAAAAAAA///wFAVIAACPf+/+c2nALv4AUsz1AAAAAAAKAAhDVUVJAAABNWLbowo="
        guard let bytes = SpliceTransport.bytes(of: message) else { return }
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(try? SpliceInfo(bytes)) }
    }
}

/// Each round has its own timeline, as a session has, so that no storage is shared and no copy is measured.
private func reloadBenchmark(_ name: String, of window: [UInt8], with next: [UInt8]) {
    Benchmark(name, configuration: .init(maxIterations: 300)) { benchmark in
        var timeline = timeline(of: window)
        benchmark.startMeasurement()
        if case .media(let playlist) = PlaylistParser.parse(next, uri: uri).kind { blackHole(timeline.fold(playlist)) }
        benchmark.stopMeasurement()
        precondition(timeline.listed.last?.sequence == segments, "the reload was not taken")
    }
}
