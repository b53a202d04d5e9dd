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

    /// Those around 2^75 attoseconds as well, to which a shorter division reaches.
    @Test(
        arguments: [
            0, 1_000_000_000_000, 1 << 74, (1 << 75) / 1_000_000_000_000 * 1_000_000_000_000, 1 << 75, 1 << 80,
        ] as [Int128])
    func microsecondsAreCutTowardsZero(attoseconds: Int128) {
        for attoseconds in (-2...2).map({ attoseconds + $0 }).flatMap({ [$0, -$0] }) {
            let whole = Int64(attoseconds / 1_000_000_000_000)
            #expect(Duration(attoseconds: attoseconds).inMicroseconds == whole)
        }
    }

    @Test func secondsFromOutside() {
        #expect(Duration(finiteSeconds: 1.5) == .milliseconds(1_500))
        #expect(Duration(finiteSeconds: -0.001) == .milliseconds(-1))
        #expect(Duration(finiteSeconds: .nan) == nil)
        #expect(Duration(finiteSeconds: .infinity) == nil)
        #expect(Duration(finiteSeconds: 1e10) == nil)
    }
}
