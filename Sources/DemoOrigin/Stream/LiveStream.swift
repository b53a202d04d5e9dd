/// The live stream of a scenario: a pure function of scenario, seed, start and time.
///
/// Media time is wall time (Unix epoch ms). The dates in PROGRAM-DATE-TIME, metadata and plans are media time too,
/// unless the scenario lets them jump. A segment or part is published when it ends; a stall delays both. A live stream
/// began some rounds before the origin, so that the first viewer finds a full window; a finished stream is a single
/// round that exists from the start.
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
        /// Number of `DISCONTINUITY` tags before it since the stream began, without its own.
        var discontinuitiesBefore: Int
        /// PROGRAM-DATE-TIME in epoch ms: ``startMs`` unless dates jump.
        var dateMs: Int
        /// The break it belongs to; nil for content.
        var mark: BreakMark?
        /// The break that ends where it starts; nil for all but the first content after a break.
        var endedMark: BreakMark?

        /// End in epoch ms.
        var endMs: Int { startMs + durationMs }
        /// Date of its end.
        var endDateMs: Int { dateMs + durationMs }
    }

    /// The content of a stitched break's marker.
    struct BreakMark: Sendable, Equatable {
        /// Number of the break.
        var number: Int
        /// Its dialect; nil is no marker.
        var dialect: MarkerDialect?
        /// Start in media time, epoch ms.
        var startMs: Int
        /// Length of its ads.
        var durationMs: Int
        /// The error of the marker.
        var error: MarkerError
    }

    /// The scenario.
    package let scenario: Scenario
    /// Chooses the first pod, break numbers and session ids.
    package let seed: UInt64
    /// Start of the origin in epoch ms, on a whole second.
    package let startMs: Int
    /// Segments and breaks of one round.
    let cycle: StreamCycle
    /// Start of segment 0 in epoch ms.
    let zeroMs: Int
    /// Date of segment 0.
    let zeroDateMs: Int
    /// Number of the stream's first break.
    let firstBreakNumber: Int
    /// Whether the playlist never drops a segment: then seconds count from segment 0.
    let keepsSegments: Bool
    /// EXT-X-TARGETDURATION in seconds: the longest segment, rounded (rfc8216bis-22 section 4.4.3.1).
    let targetDurationS: Int

    /// Initial distance into the past of dates that jump forward, so that they do not soon run ahead of the clock.
    private static let jumpingFeedDelayMs = 300_000

    /// The stream of an origin that started at `startMs` (rounded down to a second, for readable dates).
    package init(scenario: Scenario, seed: UInt64, startMs: Int) {
        self.scenario = scenario
        self.seed = seed
        self.startMs = startMs - Self.floorModulo(startMs, 1_000)
        let cycle = StreamCycle(scenario, seed: seed)
        self.cycle = cycle
        let firstMs = scenario.breaks?.firstMs ?? 0
        let historyMs = max(scenario.stream.windowMs, scenario.metadata.windowMs)
        keepsSegments = scenario.session.dialect.countsFromFirstSegment && !scenario.stream.isFinished
        let rounds = (firstMs + historyMs + cycle.lengthMs - 1) / cycle.lengthMs
        zeroMs = scenario.stream.isFinished ? self.startMs : self.startMs + firstMs - rounds * cycle.lengthMs
        zeroDateMs = scenario.stream.dateJumpMs > 0 ? zeroMs - Self.jumpingFeedDelayMs : zeroMs
        self.firstBreakNumber = 1_000 + Int(SeedMix.value(seed: seed, index: 1) % 8_000)
        self.targetDurationS = max(1, cycle.segments.map { ($0.durationMs + 500) / 1_000 }.max() ?? 1)
    }

    /// Numbers of the listed segments at `nowMs`; empty before the stream began.
    func window(at nowMs: Int) -> Range<Int> {
        if scenario.stream.isFinished { return 0..<cycle.segments.count }
        let last = lastSegment(endingBy: publishedMs(at: nowMs))
        guard last >= 0 else { return 0..<0 }
        if keepsSegments { return 0..<(last + 1) }
        return firstSegment(startingFrom: segment(last).endMs - scenario.stream.windowMs)..<(last + 1)
    }

    /// Date of the published end at `nowMs`, parts included; before the first segment, the stream's beginning.
    package func liveEdgeMs(at nowMs: Int) -> Int {
        let window = window(at: nowMs)
        guard !window.isEmpty else { return zeroDateMs }
        if let tail = openSegment(at: nowMs), let part = tail.parts.last {
            return tail.segment.dateMs + part.offsetMs + part.durationMs
        }
        return segment(window.upperBound - 1).endDateMs
    }

    /// End of what metadata covers at `nowMs`.
    func metadataEdgeMs(at nowMs: Int) -> Int { liveEdgeMs(at: nowMs) + scenario.metadata.aheadMs }

    /// Segment `number`, which must not be negative.
    func segment(_ number: Int) -> Segment {
        let (round, index) = number.quotientAndRemainder(dividingBy: cycle.segments.count)
        let entry = cycle.segments[index]
        return Segment(
            number: number, startMs: zeroMs + round * cycle.lengthMs + entry.offsetMs, durationMs: entry.durationMs,
            startsDiscontinuity: entry.startsDiscontinuity,
            discontinuitiesBefore: round * cycle.discontinuities + entry.discontinuitiesBefore,
            dateMs: roundDateMs(round) + entry.dateOffsetMs,
            mark: entry.breakIndex.map { mark(of: $0, round: round) },
            endedMark: entry.endedBreakIndex.map { mark(of: $0, round: round) })
    }

    /// The planned breaks that overlap or touch the dates `startMs...endMs`, in order, without the preroll, which has
    /// no date.
    package func breaks(from startMs: Int, through endMs: Int) -> [PlannedBreak] {
        guard !cycle.breaks.isEmpty, endMs >= zeroDateMs, startMs <= endMs else { return [] }
        // Content ends every round, so no stitched break reaches into the next one; an interstitial's start may be
        // shifted, never by a whole round.
        let roundMs = cycle.lengthMs + cycle.jumpMs
        let first = max(0, (max(startMs, zeroDateMs) - zeroDateMs) / roundMs - 1)
        let last = scenario.stream.isFinished ? 0 : (endMs - zeroDateMs) / roundMs
        guard first <= last else { return [] }
        var planned: [PlannedBreak] = []
        for round in first...last {
            for index in cycle.breaks.indices {
                // Planning a break costs more than checking that it does not overlap.
                let breakMs = self.startMs(ofBreak: index, round: round)
                guard breakMs <= endMs, breakMs + cycle.breaks[index].durationMs >= startMs else { continue }
                planned.append(plannedBreak(index, round: round))
            }
        }
        return planned
    }

    /// The break `id`; nil when there is none or it is more than a round after `nowMs`.
    func plannedBreak(id: String, at nowMs: Int) -> PlannedBreak? {
        if let preroll, preroll.id == id { return preroll }
        guard let number = Int(id), number >= firstBreakNumber, !cycle.breaks.isEmpty else { return nil }
        let (round, index) = (number - firstBreakNumber).quotientAndRemainder(dividingBy: cycle.breaks.count)
        let lastRound = scenario.stream.isFinished ? 0 : (max(nowMs, zeroMs) - zeroMs) / cycle.lengthMs + 1
        return round <= lastRound ? plannedBreak(index, round: round) : nil
    }

    /// The interstitial for every joining viewer, dated at the start of the origin.
    var preroll: PlannedBreak? {
        guard let pod = scenario.breaks?.preroll else { return nil }
        return PlannedBreak(StreamCycle.entry(of: pod, scenario), number: 0, startMs: startMs, id: "pre")
    }

    private func plannedBreak(_ index: Int, round: Int) -> PlannedBreak {
        let entry = cycle.breaks[index]
        return PlannedBreak(
            entry, number: firstBreakNumber + round * cycle.breaks.count + index,
            startMs: startMs(ofBreak: index, round: round))
    }

    private func startMs(ofBreak index: Int, round: Int) -> Int {
        roundDateMs(round) + cycle.breaks[index].dateOffsetMs + cycle.breaks[index].pod.interstitial.shiftMs
    }

    private func mark(of index: Int, round: Int) -> BreakMark {
        let entry = cycle.breaks[index]
        return BreakMark(
            number: firstBreakNumber + round * cycle.breaks.count + index, dialect: entry.marker,
            startMs: zeroMs + round * cycle.lengthMs + entry.offsetMs, durationMs: entry.durationMs,
            error: entry.pod.markerError)
    }

    private func roundDateMs(_ round: Int) -> Int { zeroDateMs + round * (cycle.lengthMs + cycle.jumpMs) }

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
