import HLS
import Ports
import TestSupport
import Testing

/// Folding random listings neither traps nor breaks the order of the timeline.
@Suite struct TimelineRandomTests {
    @Test func foldingAnythingKeepsTheTimelineInOrder() {
        let seed: UInt64 = 0x7E57_0002
        var random = SplitMix64(seed: seed)
        for round in 0..<200 {
            var timeline = Timeline(prefersLowLatency: Bool.random(using: &random))
            var breaks = BreakTrack()
            for reload in 0..<20 {
                let playlist = Self.anyPlaylist(&random)
                let fold = timeline.fold(playlist)
                let isTaken = fold.outcome == .changed && !playlist.segments.isEmpty
                #expect(
                    !isTaken || timeline.listed.map(\.sequence) == playlist.segments.map(\.sequence),
                    "seed \(seed), round \(round)")
                breaks.fold(timeline, reload: reload)
                let inOrder = zip(timeline.segments, timeline.segments.dropFirst()).allSatisfy { $0.start <= $1.start }
                #expect(inOrder, "seed \(seed), round \(round)")
                if let window = timeline.window {
                    #expect(
                        window.start <= window.latest && window.latest <= window.end, "seed \(seed), round \(round)")
                }
                let date = UnixTime(microseconds: Self.anyNumber(&random))
                let position = StreamTime(microseconds: Self.anyNumber(&random))
                _ = (timeline.position(of: date), timeline.date(at: position), timeline.segment(at: position))
                _ = timeline.dateStretches(from: position, to: position + .seconds(1_000))
            }
        }
    }

    private static func anyPlaylist(_ random: inout SplitMix64) -> MediaPlaylist {
        let first =
            [0, 5, 7, 100, Int.max - 8, Int.random(in: 0...20, using: &random)].randomElement(using: &random) ?? 0
        let durations: [Double] = (0..<Int.random(in: 0...8, using: &random)).map { _ in
            [0, 0.001, 6, 1e6].randomElement(using: &random) ?? 6
        }
        return listing(first, durations, date: Bool.random(using: &random) ? nil : 0) { playlist in
            for index in playlist.segments.indices where Int.random(in: 0..<4, using: &random) == 0 {
                playlist.segments[index].date = UnixTime(microseconds: anyNumber(&random))
                playlist.segments[index].dateSource = .explicit
                playlist.segments[index].duration = .microseconds(anyNumber(&random))
            }
            if Bool.random(using: &random) { playlist.targetDuration = .microseconds(anyNumber(&random)) }
            playlist.partTarget = .seconds(1)
            playlist.hasEndList = Int.random(in: 0..<6, using: &random) == 0
            playlist.trailingParts = [
                PartialSegment(sequence: 0, index: 0, uri: "", duration: .microseconds(anyNumber(&random)))
            ]
            playlist.cuePoints = (0..<3).map { _ in anyCue(&random, near: first) }
            var range = DateRange(id: ["a", "b"].randomElement(using: &random) ?? "a")
            range.start = UnixTime(microseconds: anyNumber(&random))
            playlist.dateRanges = [range]
            playlist.adBreaks = [AdBreakMarker(source: .dateRange, id: range.id, start: range.start, end: range.start)]
        }
    }

    private static func anyCue(_ random: inout SplitMix64, near first: Int) -> CuePoint {
        CuePoint(
            kind: [.out, .cont, .in, .scte35].randomElement(using: &random) ?? .out, tag: "T",
            sequence: first.addingSaturating(.random(in: -2...9, using: &random)),
            duration: .microseconds(anyNumber(&random)),
            elapsed: .microseconds(anyNumber(&random)))
    }

    private static func anyNumber(_ random: inout SplitMix64) -> Int64 {
        let edges: [Int64] = [0, 1, -1, .max, .min, .max / 2, 6_000_000]
        return Bool.random(using: &random)
            ? edges.randomElement(using: &random) ?? 0 : .random(in: .min...(.max), using: &random)
    }
}
