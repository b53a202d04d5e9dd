import Ports
import Testing

@testable import HLS

/// Dates as they are written (HLS-7).
struct ISODateTests {
    /// 2027-01-01T00:00:00Z in milliseconds.
    private static let newYear: Int64 = 1_798_761_600_000

    @Test(
        arguments: [
            ("2027-01-01T00:00:00Z", 0, true), ("2027-01-01T00:00:00.250Z", 250_000, true),
            ("2027-01-01t00:00:00z", 0, true), ("2027-01-01 00:00:00Z", 0, true),
            ("2027-01-01T00:00:00,5Z", 500_000, true),
            ("2027-01-01T01:00:00+01:00", 0, true), ("2026-12-31T19:00:00-05", 0, true),
            ("2027-01-01T09:30:00+0930", 0, true), ("20270101T000000Z", 0, true),
            ("20270101T000018,25Z", 18_250_000, true),
            ("2027-01-01T00:00Z", 0, true), ("20270101T0000+0000", 0, true), ("2027-01-01T00:00:00", 0, false),
            ("2027-01-01T00:00:00.0005+00:00", 500, true), ("2027-01-01T00:00:00.123456789Z", 123_457, true),
            ("2027-01-01T00:00:00.9999999Z", 1_000_000, true), ("2026-12-31T24:00:00Z", 0, true),
            ("2026-12-31T23:59:60Z", 0, true),
        ] as [(String, Int64, Bool)]) func reads(_ text: String, _ microseconds: Int64, _ hasZone: Bool) throws
    {
        let date = try #require(ISODate(text: text))
        #expect(date.time.microseconds - Self.newYear * 1_000 == microseconds)
        #expect(date.hasZone == hasZone)
    }

    @Test func epochIsADate() {
        #expect(ISODate(text: "1970-01-01T00:00:00Z")?.time == UnixTime(microseconds: 0))
    }

    @Test(arguments: [
        "", "noon", "2027-01-01", "2027-13-01T00:00:00Z", "2027-02-29T00:00:00Z", "2027-01-01T25:00:00Z",
        "2027-01-01T00:60:00Z", "2027-01-01T00:00:00+24:00", "2027-01-01T00:00:00+01:60", "2027-01-01T00:00:00.Z",
        "2027-01-01T00:00:00Z ", "2027-01-01T00:00:00ZZ", "27-01-01T00:00:00Z", "2027-0101T00:00:00Z",
        "2027-01-01T00:00:00+1", "2027-01-01T0:00:00Z", "-2027-01-01T00:00:00Z", "99999999999999999999",
    ]) func refuses(_ text: String) {
        #expect(ISODate(text: text) == nil)
    }
}

extension ISODate {
    fileprivate init?(text: String) {
        guard let date = text.withBytes({ ISODate($0) }) else { return nil }
        self = date
    }
}
