import Testing

@testable import DemoOrigin

@Suite struct LiveStreamTests {
    let stream = LiveStream(scenario: .twoAds, seed: 1, startMs: tenOClockMs + 417)

    @Test func itStartsOnAWholeSecond() {
        #expect(stream.startMs == tenOClockMs)
        #expect(LiveStream(scenario: .twoAds, seed: 1, startMs: -1).startMs == -1_000)
    }

    @Test func theFirstViewerFindsAFullWindowAndHistory() {
        let window = stream.window(at: stream.startMs)
        let first = stream.segment(window.lowerBound)
        #expect(stream.liveEdgeMs(at: stream.startMs) - first.startMs >= 20_000 - 2_100)
        #expect(stream.startMs - stream.zeroMs >= 120_000)
    }

    @Test func theFirstBreakStartsWhenTheScenarioSays() {
        let starts = stream.breaks(from: stream.startMs, through: stream.startMs + 70_000).map {
            $0.startMs - stream.startMs
        }
        #expect(starts == [2_000, 32_000, 62_000])
        // Rounds before the start have the same distance.
        let earlier = stream.breaks(from: stream.startMs - 40_000, through: stream.startMs - 1).map {
            $0.startMs - stream.startMs
        }
        #expect(earlier == [-28_000])
    }

    @Test func aBreakThatTouchesTheIntervalCounts() {
        let endMs = stream.startMs + 2_000 + 15_015
        #expect(stream.breaks(from: endMs, through: endMs).count == 1)
        #expect(stream.breaks(from: endMs + 1, through: endMs + 1).isEmpty)
        #expect(stream.breaks(from: stream.startMs + 2_000, through: stream.startMs + 2_000).count == 1)
    }

    @Test func beforeItsBeginningThereIsNothing() {
        #expect(stream.window(at: stream.zeroMs - 5_000).isEmpty)
        #expect(stream.window(at: stream.zeroMs + 1).isEmpty)
        #expect(stream.liveEdgeMs(at: stream.zeroMs - 5_000) == stream.zeroMs)
        #expect(stream.breaks(from: 0, through: stream.zeroMs - 1).isEmpty)
    }

    @Test func aSegmentIsPublishedTheMomentItEnds() {
        let number = stream.window(at: stream.startMs + 40_000).upperBound
        let endMs = stream.segment(number).endMs
        #expect(stream.window(at: endMs - 1).upperBound == number)
        #expect(stream.window(at: endMs).upperBound == number + 1)
        #expect(stream.liveEdgeMs(at: endMs) == endMs)
    }

    @Test func targetDurationIsTheLongestSegmentRounded() throws {
        #expect(stream.targetDurationS == 2)
        for name in BuiltinScenarios.names {
            let scenario = try #require(try BuiltinScenarios.load(name)).scenario
            let stream = LiveStream(scenario: scenario, seed: 1, startMs: 0)
            // Whole seconds, and at least one: the segments of `sprint` are shorter.
            #expect(stream.targetDurationS * 1_000 == max(1_000, scenario.stream.segmentMs), "\(name)")
        }
    }

    @Test func firstAdOfRushIsPlayedWithinTenSecondsAtTheHoldBack() throws {
        let rush = try #require(try BuiltinScenarios.load("rush")).scenario
        for offsetMs in stride(from: 0, to: 1_000, by: 50) {
            let stream = LiveStream(scenario: rush, seed: 1, startMs: tenOClockMs + offsetMs)
            let nowMs = tenOClockMs + offsetMs
            let playheadMs = stream.liveEdgeMs(at: nowMs) - 3_000 * stream.targetDurationS
            let breakMs = try #require(stream.breaks(from: nowMs, through: nowMs + 30_000).first).startMs
            #expect(breakMs - playheadMs <= 10_000)
        }
    }

    /// RFC 8216bis 6.2.2: both sequence numbers count exactly the segments and discontinuities that left the window.
    @Test(arguments: [UInt64(1), 2, 3]) func sequenceNumbersCountWhatLeftTheWindow(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let scenario = try #require(try BuiltinScenarios.load("rush")).scenario
        let stream = LiveStream(scenario: scenario, seed: seed, startMs: tenOClockMs)
        var nowMs = stream.startMs
        var previous = stream.window(at: nowMs)
        for _ in 0..<300 {
            nowMs += numbers.next(0...9_000)
            let window = stream.window(at: nowMs)
            #expect(
                window.lowerBound >= previous.lowerBound && window.upperBound >= previous.upperBound, "seed \(seed)")
            let left = (previous.lowerBound..<window.lowerBound).count { stream.segment($0).startsDiscontinuity }
            let before = stream.segment(previous.lowerBound).discontinuitiesBefore
            #expect(stream.segment(window.lowerBound).discontinuitiesBefore == before + left, "seed \(seed)")
            previous = window
        }
    }

    @Test func segmentsOfAllRoundsFollowEachOther() {
        for number in 0..<200 {
            let (a, b) = (stream.segment(number), stream.segment(number + 1))
            #expect(a.endMs == b.startMs)
            #expect(b.discontinuitiesBefore == a.discontinuitiesBefore + (a.startsDiscontinuity ? 1 : 0))
        }
    }

    @Test func equalInputsGiveEqualStreams() {
        let again = LiveStream(scenario: .twoAds, seed: 1, startMs: tenOClockMs + 999)
        #expect(again.zeroMs == stream.zeroMs)
        #expect(again.breaks(from: 0, through: tenOClockMs) == stream.breaks(from: 0, through: tenOClockMs))
        #expect(
            LiveStream(scenario: .twoAds, seed: 2, startMs: tenOClockMs).firstBreakNumber != stream.firstBreakNumber)
    }
}
