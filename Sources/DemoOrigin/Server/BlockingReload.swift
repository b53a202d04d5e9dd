/// The rules for `_HLS_msn` and `_HLS_part` (HLS-3, rfc8216bis-22 section 6.2.5.2).
struct BlockingReload {
    /// The outcome of a request.
    enum Outcome: Equatable {
        /// The playlist at this time, epoch ms: now, or when the requested part exists.
        case answer(atMs: Int)
        /// 400: an invalid directive, or one too far ahead.
        case refused(String)
        /// 503 at this time, after blocking for three target durations.
        case unavailable(atMs: Int)
    }

    /// The requested stream.
    let stream: LiveStream
    /// Time of the request, epoch ms.
    let nowMs: Int

    /// Number of segments after the newest one that may be requested.
    private static let segmentsAhead = 2

    /// The outcome of a request with `query`. A stream without parts offers no blocking and ignores directives.
    func outcome(_ query: QueryItems) -> Outcome {
        guard let partMs = stream.scenario.stream.partMs else { return .answer(atMs: nowMs) }
        guard let wanted = query["_HLS_msn"] else {
            return query["_HLS_part"] == nil
                ? .answer(atMs: nowMs) : .refused("_HLS_part needs _HLS_msn")
        }
        guard let number = Int(wanted), number >= 0 else { return .refused("_HLS_msn must be a number") }
        var part: Int?
        if let text = query["_HLS_part"] {
            guard let value = Int(text), value >= 0 else { return .refused("_HLS_part must be a number") }
            part = value
        }
        let window = stream.window(at: nowMs)
        guard number < window.upperBound + Self.segmentsAhead else {
            return .refused("segment \(number) is more than \(Self.segmentsAhead) ahead")
        }
        guard isWithinAdvanceLimit(number, part, partMs: partMs) else {
            return .refused("part \(part ?? 0) of segment \(number) is too far ahead")
        }
        return wait(untilMs: stream.publicationMs(of: endMs(number, part)))
    }

    /// The advance part limit: three parts, or three seconds of shorter parts.
    private func isWithinAdvanceLimit(_ number: Int, _ part: Int?, partMs: Int) -> Bool {
        guard let part, let open = stream.openSegment(at: nowMs), number == open.segment.number else { return true }
        let limit = partMs < 1_000 ? 3_000 / partMs : 3
        return part <= open.parts.count - 1 + limit || part >= stream.parts(of: open.segment).count
    }

    /// End of the requested segment or part in media time. A part after the last one of its segment is the first of the
    /// next.
    private func endMs(_ number: Int, _ part: Int?) -> Int {
        let segment = stream.segment(number)
        guard let part else { return segment.endMs }
        let parts = stream.parts(of: segment)
        guard part < parts.count else {
            let next = stream.segment(number + 1)
            return next.startMs + (stream.parts(of: next).first?.durationMs ?? next.durationMs)
        }
        return segment.startMs + parts[part].offsetMs + parts[part].durationMs
    }

    private func wait(untilMs atMs: Int) -> Outcome {
        let longestMs = 3 * stream.targetDurationS * 1_000
        return atMs - nowMs > longestMs ? .unavailable(atMs: nowMs + longestMs) : .answer(atMs: max(nowMs, atMs))
    }
}
