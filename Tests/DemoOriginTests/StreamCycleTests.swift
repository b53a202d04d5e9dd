import Testing

@testable import DemoOrigin

@Suite struct StreamCycleTests {
    @Test func anAdIsCutAsAnEncoderCutsIt() {
        let cycle = StreamCycle(.twoAds, seed: 0)
        #expect(cycle.segments.prefix(8).map(\.durationMs) == [2_002, 2_002, 2_002, 2_002, 2_002, 1_668, 1_668, 1_669])
        #expect(cycle.lengthMs == 30_000)
        #expect(cycle.segments.map(\.durationMs).reduce(0, +) == 30_000)
    }

    @Test func everyAdAndTheContentAfterABreakStartADiscontinuity() {
        let cycle = StreamCycle(.twoAds, seed: 0)
        let joins = cycle.segments.indices.filter { cycle.segments[$0].startsDiscontinuity }
        #expect(joins == [0, 5, 8])
        #expect(joins.map { cycle.segments[$0].discontinuitiesBefore } == [0, 1, 2])
        #expect(cycle.discontinuities == 3)
    }

    @Test func segmentsFollowEachOtherWithoutGap() throws {
        for name in BuiltinScenarios.names {
            let scenario = try #require(try BuiltinScenarios.load(name)).scenario
            let cycle = StreamCycle(scenario, seed: 3)
            #expect(cycle.jumpMs == 2 * scenario.stream.dateJumpMs * cycle.breaks.count)
            for (a, b) in zip(cycle.segments, cycle.segments.dropFirst()) {
                #expect(a.offsetMs + a.durationMs == b.offsetMs, "\(name)")
                #expect(a.durationMs > 0)
                let jumps = b.dateOffsetMs - a.dateOffsetMs - a.durationMs
                #expect(jumps == 0 || jumps == scenario.stream.dateJumpMs && b.startsDiscontinuity)
            }
            #expect(cycle.segments.last.map { $0.offsetMs + $0.durationMs } == cycle.lengthMs)
        }
    }

    @Test func theSeedChoosesTheFirstPodAndKeepsTheirOrder() throws {
        let scenario = try #require(try BuiltinScenarios.load("rush")).scenario
        let pods = try #require(scenario.breaks).pods.map(\.ads)
        let firsts = (0..<32).map { StreamCycle(scenario, seed: $0).breaks.map { $0.ads.map(\.name) } }
        for order in firsts {
            let start = try #require(pods.firstIndex(of: order[0]))
            #expect(order == (0..<pods.count).map { pods[(start + $0) % pods.count] })
        }
        #expect(Set(firsts.map { $0[0] }).count == pods.count)
    }

    @Test func aRepeatedCreativeIsCounted() {
        var scenario = Scenario.twoAds
        scenario.breaks?.pods = [Pod(ads: ["car", "milk", "car"])]
        let adBreak = PlannedBreak(StreamCycle(scenario, seed: 0).breaks[0], number: 7, startMs: 0)
        #expect(adBreak.ads.map(\.id) == ["car-7", "milk-7", "car-7-2"])
    }

    @Test func aStreamWithoutBreaksIsContentOnly() {
        var scenario = Scenario.twoAds
        scenario.breaks = nil
        let cycle = StreamCycle(scenario, seed: 0)
        #expect(cycle.breaks.isEmpty)
        #expect(cycle.discontinuities == 0)
        #expect(cycle.segments.count == 29)
        #expect(cycle.lengthMs == 60_000)
    }
}
