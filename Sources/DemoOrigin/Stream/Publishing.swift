/// The publication times of segments and parts.
extension LiveStream {
    /// One part of a segment.
    struct SegmentPart: Sendable, Equatable {
        /// 0-based number within its segment.
        var index: Int
        /// Start within its segment.
        var offsetMs: Int
        /// Length; only the last part of a segment is shorter than the part target.
        var durationMs: Int
    }

    /// A segment that is not complete yet.
    struct OpenSegment: Sendable, Equatable {
        /// The segment.
        var segment: Segment
        /// The parts published so far, possibly none.
        var parts: [SegmentPart]
    }

    /// Media time up to which everything is published at `nowMs`: `nowMs` itself, unless the packager hangs.
    func publishedMs(at nowMs: Int) -> Int {
        stallMs(around: nowMs)?.lowerBound ?? nowMs
    }

    /// Publication time of a segment or part that ends at media time `mediaMs`.
    func publicationMs(of mediaMs: Int) -> Int {
        guard let stall = stallMs(around: mediaMs), mediaMs > stall.lowerBound else { return mediaMs }
        return stall.upperBound
    }

    /// The stall at `timeMs`, if any.
    private func stallMs(around timeMs: Int) -> Range<Int>? {
        guard let pattern = scenario.stream.stall, timeMs >= startMs + pattern.everyMs else { return nil }
        let intoMs = (timeMs - startMs) % pattern.everyMs
        return intoMs < pattern.lengthMs ? timeMs - intoMs..<timeMs - intoMs + pattern.lengthMs : nil
    }

    /// The parts of `segment`; empty for a stream without parts.
    func parts(of segment: Segment) -> [SegmentPart] {
        guard let partMs = scenario.stream.partMs else { return [] }
        return stride(from: 0, to: segment.durationMs, by: partMs).enumerated().map { index, offsetMs in
            SegmentPart(index: index, offsetMs: offsetMs, durationMs: min(partMs, segment.durationMs - offsetMs))
        }
    }

    /// The segment after the window with its published parts; nil for a stream without parts.
    func openSegment(at nowMs: Int) -> OpenSegment? {
        guard scenario.stream.partMs != nil else { return nil }
        let segment = segment(window(at: nowMs).upperBound)
        let madeMs = publishedMs(at: nowMs) - segment.startMs
        return OpenSegment(
            segment: segment, parts: parts(of: segment).filter { $0.offsetMs + $0.durationMs <= madeMs })
    }
}
