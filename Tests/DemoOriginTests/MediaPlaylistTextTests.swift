import Testing

@testable import DemoOrigin

@Suite struct MediaPlaylistTextTests {
    private func stream(_ name: String) throws -> LiveStream {
        LiveStream(scenario: try #require(try BuiltinScenarios.load(name)).scenario, seed: 1, startMs: tenOClockMs)
    }

    private func lines(_ stream: LiveStream, atMs: Int, isDelta: Bool = false) -> [String] {
        MediaPlaylistText(stream: stream, file: "01", nowMs: atMs, root: "", isDelta: isDelta).text
            .split(separator: "\n").map(String.init)
    }

    @Test func theHintIsThePartPublishedNext() throws {
        let stream = try stream("low-latency")
        for step in 0..<200 {
            let nowMs = tenOClockMs + step * 125
            let listed = lines(stream, atMs: nowMs).filter { $0.hasPrefix("#EXT-X-PART:") }
            let hint = try #require(lines(stream, atMs: nowMs).first { $0.hasPrefix("#EXT-X-PRELOAD-HINT:") })
            let uri = try #require(hint.split(separator: "\"").dropFirst().first)
            #expect(!listed.contains { $0.contains(uri) })
            // One part target later it exists.
            #expect(lines(stream, atMs: nowMs + 500).contains { $0.contains("#EXT-X-PART:") && $0.contains(uri) })
        }
    }

    @Test func partsFillTheirSegment() throws {
        let stream = try stream("low-latency")
        for number in stream.window(at: tenOClockMs + 100_000) {
            let segment = stream.segment(number)
            let parts = stream.parts(of: segment)
            #expect(parts.map(\.durationMs).reduce(0, +) == segment.durationMs)
            #expect(parts.dropLast().allSatisfy { $0.durationMs == 500 })
        }
    }

    @Test func aDeltaAndWhatItSkipsAreTheWhole() throws {
        let stream = try stream("low-latency")
        for step in 0..<60 {
            let nowMs = tenOClockMs + step * 700
            let (whole, delta) = (lines(stream, atMs: nowMs), lines(stream, atMs: nowMs, isDelta: true))
            let skip = try #require(delta.first { $0.hasPrefix("#EXT-X-SKIP:") })
            let count = try #require(Int(skip.split(separator: "=")[1]))
            let segments = whole.filter { !$0.hasPrefix("#") }
            #expect(delta.filter { !$0.hasPrefix("#") } == Array(segments.dropFirst(count)))
            // No segment within six target durations of the end is omitted.
            let window = stream.window(at: nowMs)
            let last = stream.segment(window.upperBound - 1).endMs
            #expect(stream.segment(window.lowerBound + count - 1).endMs <= last - 24_000)
            #expect(stream.segment(window.lowerBound + count).endMs > last - 24_000)
        }
    }

    @Test func aFinishedStreamNeverChanges() throws {
        let stream = try stream("vod")
        let first = lines(stream, atMs: tenOClockMs)
        #expect(first.last == "#EXT-X-ENDLIST")
        #expect(first.contains("#EXT-X-PLAYLIST-TYPE:VOD"))
        #expect(lines(stream, atMs: tenOClockMs + 3_600_000) == first)
        #expect(stream.breaks(from: 0, through: .max / 2).count == 3)
        #expect(stream.liveEdgeMs(at: tenOClockMs) == tenOClockMs + 120_000)
    }

    @Test func aStalledStreamStandsStillAndThenCatchesUp() throws {
        let stream = try stream("stale-playlist")
        let before = lines(stream, atMs: tenOClockMs + 50_000)
        #expect(lines(stream, atMs: tenOClockMs + 59_999) == before)
        #expect(stream.liveEdgeMs(at: tenOClockMs + 60_000) - stream.liveEdgeMs(at: tenOClockMs + 59_999) >= 8_000)
        #expect(stream.publicationMs(of: tenOClockMs + 55_000) == tenOClockMs + 60_000)
        #expect(stream.publicationMs(of: tenOClockMs + 50_000) == tenOClockMs + 50_000)
        #expect(stream.publicationMs(of: tenOClockMs + 60_000) == tenOClockMs + 60_000)
    }

    @Test func datesJumpAtBothEndsOfABreakAndNowhereElse() throws {
        let stream = try stream("pdt-jumps")
        let segments = stream.window(at: tenOClockMs + 40_000).map { stream.segment($0) }
        for (a, b) in zip(segments, segments.dropFirst()) {
            let isEdge = (a.mark == nil) != (b.mark == nil)
            #expect(b.dateMs - a.endDateMs == (isEdge ? 7_000 : 0))
            #expect(b.startMs == a.endMs)
        }
        let planned = stream.breaks(from: 0, through: stream.liveEdgeMs(at: tenOClockMs + 40_000))
        let starts = segments.filter { $0.mark?.startMs == $0.startMs }.map(\.dateMs)
        #expect(Set(starts).isSubset(of: planned.map(\.startMs)))
        #expect(!starts.isEmpty)
    }
}
