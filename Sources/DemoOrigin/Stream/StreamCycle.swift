import Algorithms

/// One round of all pods of a scenario: the breaks, and the segments of breaks and content.
///
/// The live stream repeats it endlessly, so one division gives every position, sequence number and count.
struct StreamCycle: Sendable, Equatable {
    /// One segment of the round.
    struct Segment: Sendable, Equatable {
        /// Start within the round.
        var offsetMs: Int
        /// Length.
        var durationMs: Int
        /// True for the first segment of an ad and of the content after a break.
        var startsDiscontinuity: Bool
        /// Its PROGRAM-DATE-TIME within the round: ``offsetMs`` plus the jumps before it.
        var dateOffsetMs: Int
        /// The break it belongs to (index into ``StreamCycle/breaks``); nil for content.
        var breakIndex: Int?
        /// The break that ends where it starts; nil for all but the first content after a break.
        var endedBreakIndex: Int?
        /// Number of `DISCONTINUITY` tags of the round before this segment, without its own.
        var discontinuitiesBefore: Int
    }

    /// One break of the round.
    struct Break: Sendable, Equatable {
        /// Start within the round.
        var offsetMs: Int
        /// Its first PROGRAM-DATE-TIME within the round.
        var dateOffsetMs: Int
        /// Full length of all its ads.
        var durationMs: Int
        /// 1-based number of its pod in the scenario; 0 is the preroll.
        var podNumber: Int
        /// The scenario's plan for it.
        var pod: Pod
        /// The dialect of its marker; nil is no marker.
        var marker: MarkerDialect?
        /// Its ads in order.
        var ads: [Ad]

        /// Plans the ads of `pod` end to end.
        mutating func add(_ pod: Pod, _ scenario: Scenario) {
            for name in pod.ads {
                guard let creative = scenario.ads[name] else { continue }
                let occurrence = ads.count { $0.name == name } + 1
                ads.append(Ad(name: name, occurrence: occurrence, offsetMs: durationMs, creative: creative))
                durationMs += creative.durationMs
            }
        }
    }

    /// A break outside of any round, at offset 0.
    static func entry(of pod: Pod, _ scenario: Scenario) -> Break {
        var entry = Break(offsetMs: 0, dateOffsetMs: 0, durationMs: 0, podNumber: 0, pod: pod, marker: nil, ads: [])
        entry.add(pod, scenario)
        return entry
    }

    /// One ad of a break.
    struct Ad: Sendable, Equatable {
        /// Name in the scenario.
        var name: String
        /// 1 for the first time the name appears in its break, 2 for the second.
        var occurrence: Int
        /// Start within the break.
        var offsetMs: Int
        /// The scenario's plan for it.
        var creative: AdCreative
    }

    /// Length of a round without breaks.
    private static let plainLengthMs = 60_000

    /// Length of the round.
    private(set) var lengthMs = 0
    /// Sum of the date jumps in a round.
    private(set) var jumpMs = 0
    /// Segments in order.
    private(set) var segments: [Segment] = []
    /// Breaks in order.
    private(set) var breaks: [Break] = []
    /// `DISCONTINUITY` tags of the whole round.
    private(set) var discontinuities = 0

    /// The round of `scenario`; `seed` chooses the pod it begins with.
    ///
    /// A live round begins with a break. A finished stream is one round, whose first break is at the time that the
    /// scenario sets.
    init(_ scenario: Scenario, seed: UInt64) {
        guard let pattern = scenario.breaks, !pattern.pods.isEmpty else {
            append(Part(lengthMs: Self.plainLengthMs, segmentMs: scenario.stream.segmentMs))
            return
        }
        let leadMs = scenario.stream.isFinished ? pattern.firstMs : 0
        append(Part(lengthMs: leadMs, segmentMs: scenario.stream.segmentMs))
        let first = Int(SeedMix.value(seed: seed, index: 0) % UInt64(pattern.pods.count))
        for index in pattern.pods.indices {
            let number = (first + index) % pattern.pods.count
            let isStitched = pattern.delivery == .stitched
            appendBreak(pattern.pods[number], number: number + 1, isStitched: isStitched, scenario)
            let contentMs = leadMs + (index + 1) * pattern.everyMs - lengthMs
            append(
                Part(
                    lengthMs: contentMs, segmentMs: scenario.stream.segmentMs,
                    endedBreakIndex: isStitched ? breaks.count - 1 : nil, isJoin: isStitched))
        }
    }

    /// Index of the last segment that ends at or before `offsetMs` of the round; -1 when none does.
    func lastSegment(endingBy offsetMs: Int) -> Int {
        segments.partitioningIndex { $0.offsetMs + $0.durationMs > offsetMs } - 1
    }

    /// Index of the first segment that starts at or after `offsetMs` of the round; the count when none does.
    func firstSegment(startingFrom offsetMs: Int) -> Int {
        segments.partitioningIndex { $0.offsetMs >= offsetMs }
    }

    private mutating func appendBreak(_ pod: Pod, number: Int, isStitched: Bool, _ scenario: Scenario) {
        let stream = scenario.stream
        let marker =
            isStitched && !stream.markers.isEmpty ? stream.markers[breaks.count % stream.markers.count] : nil
        if isStitched { jumpMs += stream.dateJumpMs }
        var entry = Break(
            offsetMs: lengthMs, dateOffsetMs: lengthMs + jumpMs, durationMs: 0, podNumber: number, pod: pod,
            marker: marker, ads: [])
        entry.add(pod, scenario)
        for ad in entry.ads where isStitched {
            append(
                Part(
                    lengthMs: ad.creative.durationMs, segmentMs: stream.segmentMs, breakIndex: breaks.count,
                    isJoin: true))
        }
        breaks.append(entry)
        if isStitched { jumpMs += stream.dateJumpMs }
    }

    /// A stretch that is divided into segments together.
    private struct Part {
        var lengthMs: Int
        var segmentMs: Int
        var breakIndex: Int?
        var endedBreakIndex: Int?
        var isJoin = false
    }

    /// Divides a stretch evenly. A segment may be a twentieth longer than nominal: an ad of 10.01 s then has five
    /// segments of 2.002 s, as from an encoder at 29.97 frames per second, and no very short sixth one.
    private mutating func append(_ part: Part) {
        guard part.lengthMs > 0 else { return }
        let longest = part.segmentMs + part.segmentMs / 20
        let count = (part.lengthMs + longest - 1) / longest
        for index in 0..<count {
            let from = part.lengthMs * index / count
            let to = part.lengthMs * (index + 1) / count
            let startsDiscontinuity = part.isJoin && index == 0
            segments.append(
                Segment(
                    offsetMs: lengthMs + from, durationMs: to - from, startsDiscontinuity: startsDiscontinuity,
                    dateOffsetMs: lengthMs + from + jumpMs, breakIndex: part.breakIndex,
                    endedBreakIndex: index == 0 ? part.endedBreakIndex : nil,
                    discontinuitiesBefore: discontinuities))
            if startsDiscontinuity { discontinuities += 1 }
        }
        lengthMs += part.lengthMs
    }
}
