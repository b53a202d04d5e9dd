import Testing

@testable import DemoOrigin

@Suite struct PlannedBreakTests {
    /// The calculations of TRK-6 with exact figures.
    @Test(arguments: [
        (30_030, [7_508, 15_015, 22_523, 30_030]),
        (15_015, [3_754, 7_508, 11_261, 15_015]),
        (2, [1, 1, 2, 2]),
    ])
    func quartilesRoundHalfUp(durationMs: Int, expected: [Int]) {
        let names = ["firstQuartile", "midpoint", "thirdQuartile", "complete"]
        #expect(names.map { AdEventTiming.offsetMs($0, adDurationMs: durationMs) } == expected)
    }

    @Test func completeIsWhereTheNextAdStarts() throws {
        let stream = LiveStream(scenario: .twoAds, seed: 1, startMs: tenOClockMs)
        let ads = try #require(stream.breaks(from: tenOClockMs, through: tenOClockMs + 10_000).first).ads
        #expect(ads[0].events.first { $0.name == "complete" }?.startMs == ads[1].startMs)
    }

    @Test func spansCarryTheAdsLengthAndMomentsNone() throws {
        let stream = LiveStream(scenario: .twoAds, seed: 1, startMs: tenOClockMs)
        let ad = try #require(stream.breaks(from: tenOClockMs, through: tenOClockMs + 10_000).first?.ads.first)
        let spans = ad.events.filter { $0.durationMs != 0 }
        #expect(Set(spans.map(\.durationMs)) == [10_010])
        #expect(spans.map(\.name) == ["impression"] + AdEvent.userNames + ["clickTracking"])
        #expect(
            ad.events.filter(\.isAutomatic).map(\.name)
                == ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"])
    }

    @Test func hiddenRangesAreHalfOpen() throws {
        var scenario = Scenario.twoAds
        scenario.ads["car"]?.hiddenMs = [0..<5_000, 8_000..<9_000]
        let stream = LiveStream(scenario: scenario, seed: 1, startMs: tenOClockMs)
        let ad = try #require(stream.breaks(from: tenOClockMs, through: tenOClockMs + 10_000).first?.ads.first)
        let listed = [-1, 0, 1, 4_999, 5_000, 7_999, 8_000, 8_999, 9_000].map { ad.isListed(edgeMs: ad.startMs + $0) }
        #expect(listed == [false, false, false, false, true, true, false, false, true])
    }
}
