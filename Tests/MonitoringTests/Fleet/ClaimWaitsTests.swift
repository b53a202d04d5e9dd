import Fleet
import Session
import Testing

@testable import Monitoring

@Suite struct ClaimWaitsTests {
    @Test func thePercentileIsOfTheLastMinute() {
        var waits = ClaimWaits()
        #expect(waits.p99(at: .zero) == nil)
        for wait in 1...100 { waits.add(.milliseconds(wait), at: .seconds(1)) }
        #expect(waits.p99(at: .seconds(61)) == .milliseconds(99))
        #expect(waits.p99(at: .seconds(62)) == nil)
        waits.add(.milliseconds(7), at: .seconds(62))
        #expect(waits.p99(at: .seconds(62)) == .milliseconds(7))
        #expect(waits.histogram.count == 101)
        #expect(waits.histogram.counts.first == 1)
    }

    /// Of very many only the newest are kept, and all are counted.
    @Test func oldOnesAreOverwritten() {
        var waits = ClaimWaits()
        for _ in 0..<5_000 { waits.add(.seconds(3), at: .zero) }
        for _ in 0..<4_096 { waits.add(.milliseconds(2), at: .zero) }
        #expect(waits.p99(at: .zero) == .milliseconds(2))
        #expect(waits.histogram.count == 9_096)
    }

    @Test func coresAreOfTheTimeBetweenTwoReadings() {
        var meter = UsageMeter()
        meter.read(ProcessUsage(processorTime: .seconds(3), residentBytes: 1_000), at: .seconds(10))
        #expect(meter.cores == nil)
        #expect(meter.residentBytes == 1_000)
        meter.read(ProcessUsage(processorTime: .milliseconds(5_500), residentBytes: 2_000), at: .seconds(15))
        #expect(meter.cores == 0.5)
        #expect(meter.residentBytes == 2_000)
    }
}
