import Simulation
import Testing

@testable import Session

@Suite struct SimulationLimitsTests {
    @Test func onlyValuesBeyondALimitAreNamed() {
        let limits = SimulationLimits()
        var full = StateLoad(
            requests: limits.requests, beaconsInFlight: limits.beaconsInFlight,
            unwrittenClaims: limits.unwrittenClaims, breaks: limits.breaks, logLines: limits.logLines,
            findings: limits.findings)
        full.knownBeacons = limits.knownBeacons
        full.rememberedBeacons = limits.rememberedBeacons
        full.interstitials = limits.interstitials
        full.markers = limits.markers
        full.creatives = limits.creatives
        full.playedRanges = limits.playedRanges
        #expect(limits.problems(in: full) == [])
        let fields: [(WritableKeyPath<StateLoad, Int>, String)] = [
            (\.requests, "requests are open"), (\.beaconsInFlight, "beacons are in flight"),
            (\.unwrittenClaims, "claims wait for the journal"), (\.breaks, "breaks are kept"),
            (\.logLines, "log lines are kept"), (\.findings, "findings are kept"),
            (\.knownBeacons, "beacons are known"), (\.rememberedBeacons, "beacons are remembered"),
            (\.interstitials, "interstitials are kept"), (\.markers, "markers are kept"),
            (\.creatives, "creatives are kept"), (\.playedRanges, "played ranges are kept"),
        ]
        for (path, words) in fields {
            var load = full
            load[keyPath: path] += 1
            #expect(limits.problems(in: load) == ["\(load[keyPath: path]) \(words)"])
        }
    }
}
