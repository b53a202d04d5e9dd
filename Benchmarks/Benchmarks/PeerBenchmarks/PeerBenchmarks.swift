import CMalloc
import HLS

/// Parses one playlist again and again, as the scripts in Benchmarks/Peers do with other parsers: warm process, one
/// thread, the whole text in memory. Prints `NAME<TAB>MEDIAN MILLISECONDS`, and what the value holds in memory.
@main
struct PeerBenchmarks {
    private static let warmUps = 5
    private static let rounds = 41
    private static let uri = "https://cdn.example.com/live/ch1/media.m3u8"

    static func main() {
        var bytes: [UInt8] = []
        while let line = readLine(strippingNewline: false) { bytes += Array(line.utf8) }
        let clock = ContinuousClock()
        var times: [Duration] = []
        var count = 0
        for round in 0..<warmUps + rounds {
            let start = clock.now
            let parsed = PlaylistParser.parse(bytes, uri: uri)
            if round >= warmUps { times.append(clock.now - start) }
            count = parsed.media?.segments.count ?? 0
        }
        let median = times.sorted()[rounds / 2] / .milliseconds(1)
        print("adtop PlaylistParser, every value\t\(median)")
        print("# \(count) segments, \(heldBytes(bytes)) bytes held by the value")
    }

    /// Growth of the heap by one parsed playlist.
    private static func heldBytes(_ bytes: [UInt8]) -> Int {
        let before = mallinfo2()
        let parsed = PlaylistParser.parse(bytes, uri: uri)
        let after = mallinfo2()
        return withExtendedLifetime(parsed) {
            Int(after.uordblks + after.hblkhd) - Int(before.uordblks + before.hblkhd)
        }
    }
}
