import Benchmark
import HLS
import Ports

func playlistBenchmarks() {
    let window = SampleTexts.playlist(segments: 5_400, dateRanges: 36)
    let next = SampleTexts.playlist(segments: 5_400, first: 1, dateRanges: 36)
    let uri = "https://cdn.example.com/live/ch1/v5/index.m3u8"

    Benchmark("playlist: six-hour window, every value (target 5 ms)") { benchmark in
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(PlaylistParser.parse(window, uri: uri)) }
    }

    Benchmark("playlist: reload of that window with one new segment, parse and fold (target 5 ms)") { benchmark in
        var timeline = Timeline()
        if case .media(let playlist) = PlaylistParser.parse(window, uri: uri).kind { _ = timeline.fold(playlist) }
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            var copy = timeline
            if case .media(let playlist) = PlaylistParser.parse(next, uri: uri).kind { blackHole(copy.fold(playlist)) }
        }
    }

    Benchmark("SCTE-35: splice_insert with segmentation (target 5 µs)", configuration: .init(scalingFactor: .kilo)) {
        benchmark in
        let message = "/DAvAAAAAAAA///wFAVIAACPf+/+c2nALv4AUsz1AAAAAAAKAAhDVUVJAAABNWLbowo="
        guard let bytes = SpliceTransport.bytes(of: message) else { return }
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(try? SpliceInfo(bytes)) }
    }
}
