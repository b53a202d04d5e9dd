import Ports
import TestSupport

/// A low-latency stream computed from the time alone: segments of 4 s in parts of 1 s, blocking reload, delta updates.
struct LowLatencyStream: Sendable {
    static let part: Int64 = 1_000
    static let partsPerSegment: Int64 = 4
    static let window: Int64 = 12
    /// Number of segments that a delta update omits.
    static let skipped: Int64 = 6

    /// No part is made from this media time on, in milliseconds.
    var stopsAt = Int64.max
    /// End of that interval.
    var goesOnAt = Int64.max
    /// Status with which blocking requests are answered immediately.
    var refusal: Int?
    /// Whether directives are ignored, as by a cache that drops queries.
    var ignoresDirectives = false
    /// Age of the copies that plain requests receive, in seconds.
    var age: Int64 = 0
    /// Numbers of the segments that a discontinuity precedes.
    var seams: Set<Int64> = []
    /// Delta updates skip one segment too many during this span of media time.
    var tearsDeltas: ClosedRange<Int64>?

    /// Parts that exist at `time`, in milliseconds of media time.
    func parts(at time: Int64) -> Int64 {
        let made = time >= goesOnAt ? time : min(time, stopsAt)
        return max(0, made / Self.part)
    }

    func reply(to request: HTTPRequest, at now: Moment) -> FakeOrigin.Reply {
        let time = (now.wall - FakeOrigin.start).inMilliseconds
        let items = QueryItems(request.url.query)
        guard let sequence = items["_HLS_msn"].flatMap(Int64.init), !ignoresDirectives else {
            return answer(request, at: time - age * 1_000, items, delay: .zero)
        }
        if let refusal { return FakeOrigin.status(refusal, request) }
        let wanted = sequence * Self.partsPerSegment + (items["_HLS_part"].flatMap(Int64.init) ?? 3) + 1
        var release = time
        while parts(at: release) < wanted, release < time + 12_000 { release += 100 }
        let hold = Duration.milliseconds(release - time)
        guard hold < request.totalTimeout else {
            return FakeOrigin.failure(.timeout, "no answer in time", delay: request.totalTimeout)
        }
        guard parts(at: release) >= wanted else {
            var reply = FakeOrigin.status(503, request)
            reply.delay += hold
            return reply
        }
        return answer(request, at: release, items, delay: hold)
    }

    private func answer(
        _ request: HTTPRequest, at time: Int64, _ items: QueryItems, delay: Duration
    ) -> FakeOrigin.Reply {
        let skips = items["_HLS_skip"] != nil && !ignoresDirectives
        var reply = FakeOrigin.text(text(at: time, skips: skips), type: "application/vnd.apple.mpegurl", of: request)
        if age > 0, items["_HLS_msn"] == nil {
            reply.exchange.hops[0].fields.append(HTTPField("Age", String(age)))
        }
        reply.delay += delay
        return reply
    }

    func text(at time: Int64, skips: Bool) -> String {
        let parts = parts(at: time)
        let complete = parts / Self.partsPerSegment
        let first = max(0, complete - Self.window)
        let isTorn = tearsDeltas?.contains(time) == true
        let skipped = skips ? min(isTorn ? complete - first + 9 : Self.skipped, complete - first + (isTorn ? 9 : 0)) : 0
        var text =
            "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:4\n#EXT-X-PART-INF:PART-TARGET=1\n"
            + "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3,CAN-SKIP-UNTIL=24\n"
            + "#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        let gone = seams.count { $0 < first }
        if gone > 0 { text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(gone)\n" }
        if skipped > 0 { text += "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipped)\n" }
        for number in min(first + skipped, complete)..<complete {
            if seams.contains(number) { text += "#EXT-X-DISCONTINUITY\n" }
            text += "#EXT-X-PROGRAM-DATE-TIME:\((FakeOrigin.start + .milliseconds(number * 4_000)).iso8601)\n"
            if number >= complete - 2 { text += list(0..<Self.partsPerSegment, of: number) }
            text += "#EXTINF:4.000,\ns\(number).m4s\n"
        }
        let trailing = parts % Self.partsPerSegment
        if trailing > 0, seams.contains(complete) { text += "#EXT-X-DISCONTINUITY\n" }
        text += list(0..<trailing, of: complete)
        return text
    }

    private func list(_ parts: Range<Int64>, of number: Int64) -> String {
        parts.map { "#EXT-X-PART:DURATION=1,INDEPENDENT=YES,URI=\"s\(number).\($0).m4s\"\n" }.joined()
    }
}

extension FakeOrigin {
    /// The usual breaks on a low-latency stream.
    static func lowLatency(_ stream: LowLatencyStream = LowLatencyStream()) -> FakeOrigin {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, now, _ in
            request.url.path.hasSuffix("high.m3u8") ? stream.reply(to: request, at: now) : nil
        }
        return origin
    }
}
