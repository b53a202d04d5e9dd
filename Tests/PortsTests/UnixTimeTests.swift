import Testing

@testable import Ports

@Suite struct UnixTimeTests {
    @Test func arithmeticSaturates() {
        #expect(UnixTime(milliseconds: .max).microseconds == .max)
        #expect(UnixTime(milliseconds: .min).microseconds == .min)
        #expect((UnixTime(microseconds: .max) + .seconds(1)).microseconds == .max)
        #expect((UnixTime(microseconds: .min) - .seconds(1)).microseconds == .min)
        #expect(UnixTime(microseconds: .max) - UnixTime(microseconds: .min) == .microseconds(Int64.max))
        #expect(
            (UnixTime(microseconds: 0) + Duration(secondsComponent: .max, attosecondsComponent: 0)).microseconds == .max
        )
    }

    @Test(arguments: [(Int64(1_499), Int64(1), Int64(1)), (1_500, 1, 2), (-1, -1, 0), (-500, -1, 0), (-501, -1, -1)])
    func roundsToMilliseconds(microseconds: Int64, floored: Int64, rounded: Int64) {
        let time = UnixTime(microseconds: microseconds)
        #expect(time.milliseconds == floored)
        #expect(time.roundedMilliseconds == rounded)
        #expect(Duration.microseconds(microseconds).inMilliseconds == floored)
        #expect(Duration.microseconds(microseconds).roundedMilliseconds == rounded)
    }

    @Test func secondsFromOutside() {
        #expect(Duration(finiteSeconds: 1.5) == .milliseconds(1_500))
        #expect(Duration(finiteSeconds: -0.001) == .milliseconds(-1))
        #expect(Duration(finiteSeconds: .nan) == nil)
        #expect(Duration(finiteSeconds: .infinity) == nil)
        #expect(Duration(finiteSeconds: 1e10) == nil)
    }
}
