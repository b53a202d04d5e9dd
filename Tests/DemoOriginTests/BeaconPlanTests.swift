import Testing

@testable import DemoOrigin

@Suite struct BeaconPlanTests {
    let stream = LiveStream(scenario: .twoAds, seed: 1, startMs: tenOClockMs)
    /// Start of the first break.
    let breakMs = tenOClockMs + 2_000

    @Test func aViewerWhoPlaysTheWholeBreakReportsEveryAutomaticEventOnce() {
        let plan = stream.plan(session: "s", fromMs: breakMs - 1_000, toMs: breakMs + 20_000, joins: true)
        #expect(
            plan.map(\.event) == [
                "impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete",
                "impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete",
            ])
        #expect(
            plan.map { $0.atMs - breakMs } == [
                0, 0, 2_503, 5_005, 7_508, 10_010, 10_010, 10_010, 11_261, 12_513, 13_764, 15_015,
            ])
        let breakId = plan[0].breakId
        #expect(plan[1].target == "/beacon/two-ads?sessid=s&break=\(breakId)&ad=car-\(breakId)&event=start&n=1")
        #expect(Set(plan.map(\.target)).count == plan.count)
    }

    @Test func whoJoinsMidAdReportsTheImpressionAtOnceAndNotTheStart() {
        let plan = stream.plan(session: "s", fromMs: breakMs + 6_000, toMs: breakMs + 10_009, joins: true)
        #expect(plan.map(\.event) == ["impression", "thirdQuartile"])
        #expect(plan.map { $0.atMs - breakMs } == [6_000, 7_508])
    }

    @Test func whoContinuesReportsNothingTwice() {
        let plan = stream.plan(session: "s", fromMs: breakMs + 5_005, toMs: breakMs + 7_508, joins: false)
        #expect(plan.map(\.event) == ["thirdQuartile"])
    }

    @Test func anEmptyIntervalOfAJoinerHoldsTheMoment() {
        #expect(
            stream.plan(session: "s", fromMs: breakMs, toMs: breakMs, joins: true).map(\.event) == [
                "impression", "start",
            ])
        #expect(stream.plan(session: "s", fromMs: breakMs, toMs: breakMs, joins: false).isEmpty)
        #expect(stream.plan(session: "s", fromMs: breakMs + 1, toMs: breakMs, joins: true).isEmpty)
    }

    @Test func anEventWithTwoUrlsIsTwoBeacons() {
        var scenario = Scenario.twoAds
        scenario.ads["car"]?.events = [AdEvent(name: "start", urlCount: 2)]
        let plan = LiveStream(scenario: scenario, seed: 1, startMs: tenOClockMs)
            .plan(session: "s", fromMs: breakMs - 1, toMs: breakMs + 1, joins: true)
        #expect(plan.map(\.urlIndex) == [1, 2])
    }

    @Test func anAdWithoutTrackingEventsIsNotDue() {
        var scenario = Scenario.twoAds
        scenario.ads["car"]?.oddities = [.noTrackingEvents]
        let plan = LiveStream(scenario: scenario, seed: 1, startMs: tenOClockMs)
            .plan(session: "s", fromMs: breakMs - 1, toMs: breakMs + 20_000, joins: true)
        #expect(plan.count == 6)
        #expect(plan.allSatisfy { $0.adId.hasPrefix("milk-") })
    }

    /// The plan from a to c equals the plans from a to b and from b to c, for any b.
    @Test(arguments: BuiltinScenarios.names) func plansOfAdjoiningIntervalsAddUp(name: String) throws {
        let scenario = try #require(try BuiltinScenarios.load(name)).scenario
        let stream = LiveStream(scenario: scenario, seed: 4, startMs: tenOClockMs)
        for seed in UInt64(1)...60 {
            var numbers = SeededNumbers(seed: seed)
            let aMs = tenOClockMs + numbers.next(-60_000...300_000)
            let bMs = aMs + numbers.next(0...90_000)
            let cMs = bMs + numbers.next(0...90_000)
            let whole = stream.plan(session: "s", fromMs: aMs, toMs: cMs, joins: true)
            let parts =
                stream.plan(session: "s", fromMs: aMs, toMs: bMs, joins: true)
                + stream.plan(session: "s", fromMs: bMs, toMs: cMs, joins: false)
            #expect(parts == whole, "seed \(seed)")
            // A creative with fixed URLs airs again.
            #expect(Set(whole.map { "\($0.atMs) \($0.target)" }).count == whole.count, "seed \(seed)")
        }
    }

    /// The plan equals the metadata, with the same times, and contains every automatic event.
    @Test(arguments: BuiltinScenarios.withPlannedMetadata) func planAndMetadataAgree(name: String) throws {
        let scenario = try #require(try BuiltinScenarios.load(name)).scenario
        let stream = LiveStream(scenario: scenario, seed: 9, startMs: tenOClockMs)
        let metadata = MetadataText(stream: stream, session: "s", origin: "")
        var listed: [String: Int] = [:]
        for nowMs in stride(from: tenOClockMs, through: tenOClockMs + 600_000, by: 2_000) {
            for event in ListedEvent.all(in: metadata.document(at: nowMs))
            where AdEventTiming.automatic.contains(event.name) {
                for url in event.urls {
                    #expect((listed[url] ?? event.startMs) == event.startMs, "planned times do not move")
                    listed[url] = event.startMs
                }
            }
        }
        let (fromMs, toMs) = (tenOClockMs, tenOClockMs + 480_000)
        let plan = stream.plan(session: "s", fromMs: fromMs, toMs: toMs, joins: false)
        #expect(!plan.isEmpty)
        let promised = listed.filter { fromMs < $0.value && $0.value <= toMs }
        #expect(Dictionary(uniqueKeysWithValues: plan.map { ($0.target, $0.atMs) }) == promised)
    }
}
