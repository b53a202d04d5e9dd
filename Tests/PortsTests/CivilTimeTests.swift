import Testing

@testable import Ports

@Suite struct CivilTimeTests {
    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00.000Z"), (1_798_761_600_000, "2027-01-01T00:00:00.000Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
    ])
    func convertsBothWays(milliseconds: Int64, text: String) {
        let time = UnixTime(milliseconds: milliseconds)
        #expect(time.iso8601 == text)
        #expect(CivilTime(time).unixTime == time)
    }

    @Test func everyDayOfFourCenturiesRoundTrips() {
        var day = CivilTime(year: 1_900, month: 1, day: 1)
        let first = CivilTime(year: 1_900, month: 1, day: 1).unixTime
        var time = first ?? UnixTime(microseconds: 0)
        for _ in 0..<146_097 {
            day = CivilTime(time)
            #expect(day.unixTime == time)
            time += .seconds(86_400)
        }
        #expect(CivilTime(time).iso8601 == "2300-01-01T00:00:00.000Z")
    }

    @Test(arguments: [
        CivilTime(year: 2027, month: 13, day: 1), CivilTime(year: 2027, month: 0, day: 1),
        CivilTime(year: 2027, month: 2, day: 29),
        CivilTime(year: 2027, month: 4, day: 31), CivilTime(year: 2027, month: 1, day: 0),
        CivilTime(year: 2027, month: 1, day: 1, hour: 25),
        CivilTime(year: 2027, month: 1, day: 1, hour: 24, minute: 1),
        CivilTime(year: 2027, month: 1, day: 1, minute: 60),
        CivilTime(year: 2027, month: 1, day: 1, second: 61), CivilTime(year: 10_000, month: 1, day: 1),
    ])
    func fieldsOutOfRangeAreNoTime(time: CivilTime) {
        #expect(time.unixTime == nil)
    }

    @Test(arguments: [Int64.min, .min + 1, .max - 1, .max])
    func anyInstantHasADate(microseconds: Int64) {
        let civil = CivilTime(UnixTime(microseconds: microseconds))
        #expect((1...12).contains(civil.month))
        #expect((0..<1_000_000).contains(civil.microsecond))
    }
}
