import HLS
import Ports
import Testing

/// Breaks in a row whose media have dates of their own: lengths are those of the media (HLS-23), so that one starts where the last ends.
struct BreaksInARowTests {
    /// How two breaks are marked.
    private enum Marking: CaseIterable {
        case endFirst, startFirst, lengths
    }

    /// Random media in thousandths of a second: programme, some breaks and programme.
    private struct Stream {
        let marking: Marking
        var segments: [(milliseconds: Int, tags: String)] = []
        /// Index of the first segment of each break, and of what follows the last.
        var bounds: [Int] = []

        init(_ random: inout SplitMix64) {
            marking = Marking.allCases.randomElement(using: &random) ?? .endFirst
            add("#EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:00Z\n", &random)
            for _ in 0..<Int.random(in: 2...4, using: &random) {
                bounds.append(segments.count)
                add("", &random)
            }
            bounds.append(segments.count)
            add("", &random)
            for (order, index) in bounds.enumerated() {
                segments[index].tags = Self.date(&random) + tags(order)
            }
        }

        private mutating func add(_ tags: String, _ random: inout SplitMix64) {
            for index in 0..<Int.random(in: 1...4, using: &random) {
                segments.append((Int.random(in: 1_000...6_000, using: &random), index == 0 ? tags : ""))
            }
        }

        /// Ads have the dates of their encoding, or those of the stream with an error.
        private static func date(_ random: inout SplitMix64) -> String {
            let seconds = [Int.random(in: 0...1_000_000_000, using: &random), 1_798_761_600, 1_798_761_660]
            let date = UnixTime(milliseconds: Int64(seconds.randomElement(using: &random) ?? 0) * 1_000)
            return "#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:\(date.iso8601)\n"
        }

        private func tags(_ order: Int) -> String {
            let isLast = order + 1 == bounds.count
            var start = isLast ? "" : "#EXT-X-CUE-OUT"
            if marking == .lengths {
                guard !isLast else { return "" }
                let length = segments[bounds[order]..<bounds[order + 1]].reduce(0) { $0 + $1.milliseconds }
                return start + ":\(length / 1_000).\(String(length % 1_000 + 1_000).dropFirst())\n"
            }
            start += isLast ? "" : "\n"
            let end = order == 0 ? "" : "#EXT-X-CUE-IN\n"
            return marking == .endFirst ? end + start : start + end
        }

        func playlist(_ count: Int) -> MediaPlaylist? {
            let media = segments.prefix(count).enumerated().map { index, segment in
                let thousandths = String(segment.milliseconds % 1_000 + 1_000).dropFirst()
                return segment.tags + "#EXTINF:\(segment.milliseconds / 1_000).\(thousandths),\n\(index).ts\n"
            }
            return InlinePlaylist.media(InlinePlaylist.head + media.joined())
        }

        /// Where the segment of each bound starts.
        var places: [Duration] {
            bounds.map { bound in .milliseconds(segments.prefix(bound).reduce(0) { $0 + $1.milliseconds }) }
        }
    }

    @Test func oneStartsWhereTheLastEnds() {
        let seed: UInt64 = 0x7E57_0300
        var random = SplitMix64(seed: seed)
        for round in 0..<300 {
            let stream = Stream(&random)
            let (starts, ends) = (stream.places.dropLast(), stream.places.dropFirst())
            let alone = stream.playlist(stream.segments.count)?.adBreaks ?? []
            #expect(alone.map(\.startOffset) == starts.map { $0 }, "seed \(seed), round \(round)")
            #expect(alone.map(\.endOffset) == ends.map { $0 }, "seed \(seed), round \(round)")
            for isGrowing in [false, true] {
                var (timeline, track) = (Timeline(), BreakTrack())
                let whole = stream.segments.count
                for count in isGrowing ? 1...whole : whole...whole {
                    guard let playlist = stream.playlist(count) else { continue }
                    _ = timeline.fold(playlist)
                    track.fold(timeline, reload: count)
                }
                let breaks = track.breaks
                #expect(
                    breaks.map(\.startStream) == starts.map { StreamTime.zero + $0 }, "seed \(seed), round \(round)")
                #expect(breaks.map(\.endStream) == ends.map { StreamTime.zero + $0 }, "seed \(seed), round \(round)")
                #expect(
                    breaks.map(\.startSequence) == stream.bounds.dropLast().map { $0 }, "seed \(seed), round \(round)")
                let dates = stream.bounds.dropLast().map { timeline.segment(sequence: $0)?.date }
                #expect(breaks.map(\.start) == dates, "seed \(seed), round \(round)")
            }
        }
    }
}
