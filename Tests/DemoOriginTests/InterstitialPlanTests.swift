import Testing

@testable import DemoOrigin

@Suite struct InterstitialPlanTests {
    private let stream: LiveStream
    private let breaks: [PlannedBreak]

    init() throws {
        let scenario = try #require(try BuiltinScenarios.load("interstitials")).scenario
        stream = LiveStream(scenario: scenario, seed: 1, startMs: tenOClockMs)
        breaks = stream.breaks(from: tenOClockMs, through: tenOClockMs + 240_000)
    }

    private func adBreak(pod: Int) throws -> PlannedBreak {
        try #require(breaks.first { $0.podNumber == pod })
    }

    /// The plan of a viewer who was already playing and passes the start of pod `pod`.
    private func plan(pod: Int) throws -> [PlannedBeacon] {
        let startMs = try adBreak(pod: pod).startMs
        return stream.plan(session: "s", fromMs: startMs - 1, toMs: startMs, joins: false)
    }

    @Test func thePodBelongsToTheMomentItStarts() throws {
        let adBreak = try adBreak(pod: 1)
        let beacons = try plan(pod: 1)
        #expect(beacons.first?.event == "podStart" && beacons.last?.event == "podEnd")
        #expect(beacons.count == 2 + 7 + 7)
        #expect(beacons.last?.atMs == adBreak.startMs + 15_015)
        #expect(beacons.first { $0.event == "progress" }?.atMs == adBreak.startMs + 10_010 + 3_000)
        #expect(
            stream.plan(session: "s", fromMs: adBreak.startMs, toMs: adBreak.startMs + 30_000, joins: false).isEmpty)
    }

    @Test func aPlayoutLimitCutsThePod() throws {
        let adBreak = try adBreak(pod: 3)
        let events = try plan(pod: 3).filter { $0.adId.hasPrefix("night-train") }.map(\.event)
        // The second ad starts at 10.01 s; its midpoint is beyond the limit of 13 s.
        #expect(events == ["impression", "start", "firstQuartile"])
        #expect(try plan(pod: 3).allSatisfy { $0.atMs < adBreak.startMs + 13_000 })
    }

    @Test(arguments: [4, 5, 6]) func whatCarriesNoSignalingOrNoListIsNotDue(pod: Int) throws {
        #expect(try plan(pod: pod).isEmpty)
    }

    @Test func aShiftMovesTheStartOffTheBoundary() throws {
        let shifted = try adBreak(pod: 2).startMs - 400
        let starts = stream.window(at: shifted + 10_000).map { stream.segment($0).dateMs }
        #expect(starts.contains(shifted))
    }

    @Test func whoeverJoinsSeesThePrerollFirst() {
        let fromMs = tenOClockMs + 1_000
        let beacons = stream.plan(session: "s", fromMs: fromMs, toMs: fromMs + 2_000, joins: true)
        #expect(Set(beacons.map(\.breakId)) == ["pre"])
        #expect(beacons.map { $0.atMs - fromMs } == [0, 0, 1_251, 2_503, 3_000, 3_754, 5_005])
        #expect(stream.plan(session: "s", fromMs: fromMs, toMs: fromMs + 2_000, joins: false).isEmpty)
    }

    @Test func whoeverJoinsInTheMiddleReportsNothingEarlier() throws {
        let startMs = try adBreak(pod: 1).startMs
        let beacons = stream.plan(session: "s", fromMs: startMs + 6_000, toMs: startMs + 7_000, joins: true)
            .filter { $0.breakId != "pre" }
        #expect(beacons.first?.event == "thirdQuartile")
        #expect(beacons.allSatisfy { $0.atMs >= startMs + 6_000 })
        #expect(!beacons.contains { $0.event == "podStart" })
    }

    @Test func plansOfAdjoiningIntervalsAddUp() throws {
        for seed in UInt64(0)..<20 {
            var numbers = SeededNumbers(seed: seed)
            let fromMs = tenOClockMs + numbers.next(0...100_000)
            let middleMs = fromMs + numbers.next(1...100_000)
            let toMs = middleMs + numbers.next(1...100_000)
            let parts =
                stream.plan(session: "s", fromMs: fromMs, toMs: middleMs, joins: false)
                + stream.plan(session: "s", fromMs: middleMs, toMs: toMs, joins: false)
            let whole = stream.plan(session: "s", fromMs: fromMs, toMs: toMs, joins: false)
            #expect(parts.map(\.target).sorted() == whole.map(\.target).sorted(), "seed \(seed)")
        }
    }
}
