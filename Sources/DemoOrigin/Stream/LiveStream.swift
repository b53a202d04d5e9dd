/// The live stream of a scenario: a pure function of scenario, seed, start and the time asked about.
///
/// Media time is wall time (Unix epoch ms, the PROGRAM-DATE-TIME timeline). A segment is published the moment it
/// ends. The stream began some rounds before the origin did, so that the first viewer finds a full window.
package struct LiveStream: Sendable {
    /// One published segment.
    struct Segment: Sendable, Equatable {
        /// Media sequence number.
        var number: Int
        /// Start in epoch ms.
        var startMs: Int
        /// Length.
        var durationMs: Int
        /// Carries a `DISCONTINUITY` tag.
        var startsDiscontinuity: Bool
        /// `DISCONTINUITY` tags before it since the stream began, its own not counted.
        var discontinuitiesBefore: Int
        /// The break it belongs to, epoch ms; nil for content.
        var adBreakMs: Range<Int>?
        /// The first segment of the content after a break.
        var endsBreak: Bool

        /// End in epoch ms.
        var endMs: Int { startMs + durationMs }
    }

    /// What is played.
    package let scenario: Scenario
    /// Chooses the first pod, break numbers and session ids.
    package let seed: UInt64
    /// When the origin started, epoch ms, on a whole second.
    package let startMs: Int
    /// Segments and breaks of one round.
    let cycle: StreamCycle
    /// When segment 0 starts, epoch ms.
    let zeroMs: Int
    /// Number of the first break ever.
    let firstBreakNumber: Int
    /// EXT-X-TARGETDURATION in seconds: the longest segment, rounded (hls-timeline 1.5).
    let targetDurationS: Int

    /// The stream of an origin that started at `startMs` (rounded down to a second, so that dates read well).
    package init(scenario: Scenario, seed: UInt64, startMs: Int) {
        self.scenario = scenario
        self.seed = seed
        self.startMs = startMs - Self.floorModulo(startMs, 1_000)
        let cycle = StreamCycle(scenario, seed: seed)
        self.cycle = cycle
        let firstMs = scenario.breaks?.firstMs ?? 0
        let historyMs = max(scenario.stream.windowMs, scenario.metadata.windowMs)
        let rounds = (firstMs + historyMs + cycle.lengthMs - 1) / cycle.lengthMs
        self.zeroMs = self.startMs + firstMs - rounds * cycle.lengthMs
        self.firstBreakNumber = 1_000 + Int(SeedMix.value(seed: seed, index: 1) % 8_000)
        self.targetDurationS = max(1, cycle.segments.map { ($0.durationMs + 500) / 1_000 }.max() ?? 1)
    }

    /// Numbers of the segments in the sliding window at `nowMs`; empty before the stream began.
    func window(at nowMs: Int) -> Range<Int> {
        let last = lastSegment(endingBy: nowMs)
        guard last >= 0 else { return 0..<0 }
        return firstSegment(startingFrom: segment(last).endMs - scenario.stream.windowMs)..<(last + 1)
    }

    /// End of the newest segment at `nowMs`, epoch ms; the stream's beginning before that.
    package func liveEdgeMs(at nowMs: Int) -> Int {
        let last = lastSegment(endingBy: nowMs)
        return last >= 0 ? segment(last).endMs : zeroMs
    }

    /// Segment `number`, which must not be negative.
    func segment(_ number: Int) -> Segment {
        let (round, index) = number.quotientAndRemainder(dividingBy: cycle.segments.count)
        let entry = cycle.segments[index]
        let roundMs = zeroMs + round * cycle.lengthMs
        let adBreak = entry.breakIndex.map { cycle.breaks[$0] }
        return Segment(
            number: number, startMs: roundMs + entry.offsetMs, durationMs: entry.durationMs,
            startsDiscontinuity: entry.startsDiscontinuity,
            discontinuitiesBefore: round * cycle.discontinuities + entry.discontinuitiesBefore,
            adBreakMs: adBreak.map { roundMs + $0.offsetMs..<roundMs + $0.offsetMs + $0.durationMs },
            endsBreak: entry.startsDiscontinuity && entry.breakIndex == nil)
    }

    /// The planned breaks that share any moment with `startMs...endMs` (touching counts), in order.
    package func breaks(from startMs: Int, through endMs: Int) -> [PlannedBreak] {
        guard !cycle.breaks.isEmpty, endMs >= zeroMs, startMs <= endMs else { return [] }
        // Content ends every round, so no break reaches into the next one.
        let first = (max(startMs, zeroMs) - zeroMs) / cycle.lengthMs
        let last = (endMs - zeroMs) / cycle.lengthMs
        var planned: [PlannedBreak] = []
        for round in first...last {
            for (index, entry) in cycle.breaks.enumerated() {
                let breakMs = zeroMs + round * cycle.lengthMs + entry.offsetMs
                guard breakMs <= endMs, breakMs + entry.durationMs >= startMs else { continue }
                let number = firstBreakNumber + round * cycle.breaks.count + index
                planned.append(PlannedBreak(entry, number: number, startMs: breakMs))
            }
        }
        return planned
    }

    /// Number of the last segment that ends at or before `timeMs`; negative when there is none.
    private func lastSegment(endingBy timeMs: Int) -> Int {
        guard timeMs > zeroMs else { return -1 }
        let (round, offsetMs) = (timeMs - zeroMs).quotientAndRemainder(dividingBy: cycle.lengthMs)
        return round * cycle.segments.count + cycle.lastSegment(endingBy: offsetMs)
    }

    /// Number of the first segment that starts at or after `timeMs`.
    private func firstSegment(startingFrom timeMs: Int) -> Int {
        guard timeMs > zeroMs else { return 0 }
        let (round, offsetMs) = (timeMs - zeroMs).quotientAndRemainder(dividingBy: cycle.lengthMs)
        return round * cycle.segments.count + cycle.firstSegment(startingFrom: offsetMs)
    }

    private static func floorModulo(_ value: Int, _ modulus: Int) -> Int {
        let remainder = value % modulus
        return remainder < 0 ? remainder + modulus : remainder
    }
}
