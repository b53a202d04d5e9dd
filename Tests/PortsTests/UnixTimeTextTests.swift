import Testing

@testable import Ports

@Suite struct UnixTimeTextTests {
    @Test(arguments: [
        ("2027-01-01T00:00:00Z", Int64(1_798_761_600_000)), ("2027-01-01 00:00", 1_798_761_600_000),
        ("2027-01-01T00:00:01.5Z", 1_798_761_601_500), ("2027-01-01T00:00:01.500000Z", 1_798_761_601_500),
        ("2028-02-29T23:59:59Z", 1_835_481_599_000), ("2027-1-01T00:00:00Z", 1_798_761_600_000),
        ("2027-01-01 00:00:01.5", 1_798_761_601_500),
    ])
    func readsDates(text: String, milliseconds: Int64) {
        #expect(UnixTime(typed: text) == UnixTime(milliseconds: milliseconds))
    }

    @Test(arguments: [
        "", "2027-01-01", "2027-13-01T00:00Z", "2027-01-01T24:00Z", "2027-01-01T00:60", "2027-1-1-1T00:00", "T", " ",
        "2027-01-01T00:00:00+02:00", "2027-01-01T0000", "2027-02-29T00:00:00Z", "2027-01-01T24:00:00Z",
        "2027-01-01T00:00:60Z", "2027-01-01T00:00:00.Z", "2027-01-01T00:00:00.1234567Z", "2027-01-01T00:00:0:Z",
        "2027/01/01T00:00:00Z", "2O27-01-01T00:00:00Z",
    ])
    func refuses(text: String) {
        #expect(UnixTime(typed: text) == nil)
    }

    @Test(arguments: [("12:40", Duration.seconds(45_600)), ("0:00:01.000001", .microseconds(1_000_001))])
    func readsTimesOfDay(text: String, duration: Duration) {
        #expect(Duration(timeOfDay: text) == duration)
    }

    @Test(arguments: ["", "12", "12:4x", "-1:00", "12:40.5", "12:40:31.", "12:40:31.1234567", "1:2:3:4", "+1:00"])
    func refusesTimesOfDay(text: String) {
        #expect(Duration(timeOfDay: text) == nil)
    }
}
