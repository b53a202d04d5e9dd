import Live
import Monitoring
import Testing

@Suite struct OwnUsageTests {
    @Test func processorTimeGrowsWithWork() throws {
        let before = try #require(OwnUsage.read())
        #expect(before.residentBytes > 1 << 20)
        let end = ContinuousClock.now + .seconds(20)
        var sum: UInt64 = 0
        while ContinuousClock.now < end {
            for number in 0..<200_000 as Range<UInt64> { sum = sum &* 31 &+ number }
            let now = try #require(OwnUsage.read())
            if now.processorTime >= before.processorTime + .milliseconds(20) { return }
        }
        Issue.record("no processor time was used for \(sum)")
    }
}
