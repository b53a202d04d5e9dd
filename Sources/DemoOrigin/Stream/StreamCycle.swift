/// One round of all pods of a scenario: breaks, and the segments that carry them and the content between.
///
/// The live stream repeats it for ever, so every position, sequence number and count is a division away.
struct StreamCycle: Sendable, Equatable {
    /// One segment of the round.
    struct Segment: Sendable, Equatable {
        /// Start within the round.
        var offsetMs: Int
        /// Length.
        var durationMs: Int
        /// True for the first segment of an ad and of the content after a break.
        var startsDiscontinuity: Bool
        /// The break it belongs to (index into ``StreamCycle/breaks``); nil for content.
        var breakIndex: Int?
        /// `DISCONTINUITY` tags of the round before this segment, its own not counted.
        var discontinuitiesBefore: Int
    }

    /// One break of the round.
    struct Break: Sendable, Equatable {
        /// Start within the round.
        var offsetMs: Int
        /// Full length of all its ads.
        var durationMs: Int
        /// Faults of its metadata node.
        var oddities: [NodeOddity]
        /// Its ads in order.
        var ads: [Ad]
    }

    /// One ad of a break.
    struct Ad: Sendable, Equatable {
        /// Name in the scenario.
        var name: String
        /// 1 for the first time the name appears in its break, 2 for the second.
        var occurrence: Int
        /// Start within the round.
        var offsetMs: Int
        /// The scenario's plan for it.
        var creative: AdCreative
    }

    /// Length of the round of a stream without breaks.
    private static let plainLengthMs = 60_000

    /// Length of the round.
    private(set) var lengthMs = 0
    /// Segments in order.
    private(set) var segments: [Segment] = []
    /// Breaks in order.
    private(set) var breaks: [Break] = []
    /// `DISCONTINUITY` tags of the whole round.
    private(set) var discontinuities = 0

    /// The round of `scenario`; `seed` chooses the pod it begins with.
    init(_ scenario: Scenario, seed: UInt64) {
        guard let pattern = scenario.breaks, !pattern.pods.isEmpty else {
            append(lengthMs: Self.plainLengthMs, segmentMs: scenario.stream.segmentMs, breakIndex: nil, isJoin: false)
            return
        }
        let first = Int(SeedMix.value(seed: seed, index: 0) % UInt64(pattern.pods.count))
        for index in pattern.pods.indices {
            let pod = pattern.pods[(first + index) % pattern.pods.count]
            appendBreak(pod, scenario)
            let contentMs = (index + 1) * pattern.everyMs - lengthMs
            append(lengthMs: contentMs, segmentMs: scenario.stream.segmentMs, breakIndex: nil, isJoin: true)
        }
    }

    /// Index of the last segment that ends at or before `offsetMs` of the round; -1 when none does.
    func lastSegment(endingBy offsetMs: Int) -> Int {
        firstSegment { $0.offsetMs + $0.durationMs > offsetMs } - 1
    }

    /// Index of the first segment that starts at or after `offsetMs` of the round; the count when none does.
    func firstSegment(startingFrom offsetMs: Int) -> Int {
        firstSegment { $0.offsetMs >= offsetMs }
    }

    /// Binary search: `predicate` is false up to some index and true from there on.
    private func firstSegment(where predicate: (Segment) -> Bool) -> Int {
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            if predicate(segments[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private mutating func appendBreak(_ pod: Pod, _ scenario: Scenario) {
        let startMs = lengthMs
        var ads: [Ad] = []
        for name in pod.ads {
            guard let creative = scenario.ads[name] else { continue }
            let occurrence = ads.count { $0.name == name } + 1
            ads.append(Ad(name: name, occurrence: occurrence, offsetMs: lengthMs, creative: creative))
            append(
                lengthMs: creative.durationMs, segmentMs: scenario.stream.segmentMs, breakIndex: breaks.count,
                isJoin: true)
        }
        breaks.append(Break(offsetMs: startMs, durationMs: lengthMs - startMs, oddities: pod.oddities, ads: ads))
    }

    /// Divides `lengthMs` evenly. A segment may be a twentieth longer than nominal: an ad of 10.01 s then gets five
    /// segments of 2.002 s, as an encoder at 29.97 frames a second cuts it, and not a sixth sliver.
    private mutating func append(lengthMs partMs: Int, segmentMs: Int, breakIndex: Int?, isJoin: Bool) {
        guard partMs > 0 else { return }
        let longest = segmentMs + segmentMs / 20
        let count = (partMs + longest - 1) / longest
        for index in 0..<count {
            let from = partMs * index / count
            let to = partMs * (index + 1) / count
            let startsDiscontinuity = isJoin && index == 0
            segments.append(
                Segment(
                    offsetMs: lengthMs + from, durationMs: to - from, startsDiscontinuity: startsDiscontinuity,
                    breakIndex: breakIndex, discontinuitiesBefore: discontinuities))
            if startsDiscontinuity { discontinuities += 1 }
        }
        lengthMs += partMs
    }
}
