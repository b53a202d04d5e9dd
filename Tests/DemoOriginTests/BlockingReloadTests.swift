import Testing

@testable import DemoOrigin

@Suite struct BlockingReloadTests {
    private let stream: LiveStream
    /// Publication time of the newest segment.
    private let nowMs: Int
    /// Number of the newest segment.
    private let last: Int

    init() throws {
        let scenario = try #require(try BuiltinScenarios.load("low-latency")).scenario
        stream = LiveStream(scenario: scenario, seed: 1, startMs: tenOClockMs)
        last = stream.window(at: tenOClockMs + 30_000).upperBound - 1
        nowMs = stream.segment(last).endMs
    }

    private func outcome(_ query: String, atMs: Int? = nil) -> BlockingReload.Outcome {
        BlockingReload(stream: stream, nowMs: atMs ?? nowMs).outcome(QueryItems(query))
    }

    @Test func withoutDirectiveTheAnswerIsImmediate() {
        #expect(outcome("sessid=x") == .answer(atMs: nowMs))
    }

    @Test func whatIsListedIsAnsweredAtOnce() {
        #expect(outcome("_HLS_msn=\(last)") == .answer(atMs: nowMs))
        #expect(outcome("_HLS_msn=\(last)&_HLS_part=0") == .answer(atMs: nowMs))
        #expect(outcome("_HLS_msn=0") == .answer(atMs: nowMs))
    }

    @Test func aSegmentIsWaitedForUntilItEnds() {
        #expect(outcome("_HLS_msn=\(last + 1)") == .answer(atMs: stream.segment(last + 1).endMs))
    }

    @Test func aPartIsWaitedForUntilItEnds() {
        #expect(outcome("_HLS_msn=\(last + 1)&_HLS_part=0") == .answer(atMs: nowMs + 500))
        #expect(outcome("_HLS_msn=\(last + 1)&_HLS_part=3", atMs: nowMs + 700) == .answer(atMs: nowMs + 2_000))
    }

    @Test func aPartBeyondTheLastIsTheFirstOfTheNextSegment() {
        let beyond = stream.parts(of: stream.segment(last + 1)).count
        let next = stream.segment(last + 2).startMs + 500
        #expect(outcome("_HLS_msn=\(last + 1)&_HLS_part=\(beyond)") == .answer(atMs: next))
    }

    @Test(arguments: ["_HLS_part=0", "_HLS_msn=x", "_HLS_msn=-1", "_HLS_msn=5&_HLS_part=-1", "_HLS_msn=5&_HLS_part=a"])
    func directivesWithoutSenseAreRefused(query: String) {
        guard case .refused = outcome(query) else { return #expect(Bool(false), "\(query) was not refused") }
    }

    @Test func tooFarAheadIsRefused() {
        #expect(outcome("_HLS_msn=\(last + 3)") == .refused("segment \(last + 3) is more than 2 ahead"))
        #expect(outcome("_HLS_msn=\(Int.max)") == .refused("segment \(Int.max) is more than 2 ahead"))
        // No part of the segment exists, so part 5 is six ahead, and part 6 is too far ahead.
        #expect(outcome("_HLS_msn=\(last + 1)&_HLS_part=5") == .answer(atMs: nowMs + 3_000))
        #expect(
            outcome("_HLS_msn=\(last + 1)&_HLS_part=6")
                == .refused("part 6 of segment \(last + 1) is too far ahead"))
    }

    @Test func whatDoesNotComeIsUnavailableAfterThreeTargetDurations() throws {
        var scenario = stream.scenario
        scenario.stream.stall = StallPattern(everyMs: 60_000, lengthMs: 30_000)
        let stalled = LiveStream(scenario: scenario, seed: 1, startMs: tenOClockMs)
        let nowMs = tenOClockMs + 61_000
        let open = try #require(stalled.openSegment(at: nowMs)).segment.number
        let outcome = BlockingReload(stream: stalled, nowMs: nowMs).outcome(QueryItems("_HLS_msn=\(open)"))
        #expect(outcome == .unavailable(atMs: nowMs + 12_000))
    }

    @Test func aStreamWithoutPartsKnowsNoDirectives() {
        let plain = LiveStream(scenario: .twoAds, seed: 1, startMs: tenOClockMs)
        let reload = BlockingReload(stream: plain, nowMs: tenOClockMs)
        #expect(reload.outcome(QueryItems("_HLS_part=3")) == .answer(atMs: tenOClockMs))
    }
}
