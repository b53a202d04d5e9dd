import AdFormats
import Testing

@Suite struct StandstillTests {
    @Test func anAlarmThatRingsFarTooLateShowsIt() {
        var standstill = Standstill()
        #expect(standstill.inputArrived(at: .seconds(10), alarm: nil) == nil)
        // In time, or as late as under load.
        #expect(standstill.inputArrived(at: .seconds(15), alarm: .seconds(15)) == nil)
        #expect(standstill.inputArrived(at: .milliseconds(21_999), alarm: .seconds(20)) == nil)
        #expect(standstill.inputArrived(at: .milliseconds(82_000), alarm: .seconds(25)) == .milliseconds(60_001))
        // Each is noticed once.
        #expect(standstill.inputArrived(at: .seconds(83), alarm: .seconds(90)) == nil)
    }

    @Test func withoutAnInputBeforeNothingIsKnown() {
        var standstill = Standstill()
        #expect(standstill.inputArrived(at: .seconds(100), alarm: .seconds(1)) == nil)
    }
}
