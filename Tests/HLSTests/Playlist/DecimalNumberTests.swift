import Testing

@testable import HLS

/// Numbers of rfc8216bis-22 section 4.2, parsed without rounding.
struct DecimalNumberTests {
    @Test(arguments: [
        ("0", 0), ("007", 7), ("4294967296", 4_294_967_296), ("2305843009213693952", 1 << 61),
    ]) func integers(_ text: String, _ expected: Int) {
        #expect(text.withBytes { DecimalNumber.integer($0) } == expected)
    }

    @Test(arguments: [
        "", "-1", "+1", "1.0", " 1", "0x1", "1e3", "2305843009213693953", "18446744073709551616",
        "100000000000000000000", "99999999999999999999999999999999",
    ]) func noIntegers(_ text: String) {
        #expect(text.withBytes { DecimalNumber.integer($0) } == nil)
    }

    @Test(arguments: [
        ("6", Duration.seconds(6)), ("6.006", .milliseconds(6_006)), ("6.", .seconds(6)), (".5", .milliseconds(500)),
        ("0.000001", .microseconds(1)), ("4.00008", .microseconds(4_000_080)), ("1000000000", .seconds(1_000_000_000)),
        ("0.123456789012345678", Duration(secondsComponent: 0, attosecondsComponent: 123_456_789_012_345_678)),
        ("0.1234567890123456789", Duration(secondsComponent: 0, attosecondsComponent: 123_456_789_012_345_678)),
    ]) func seconds(_ text: String, _ expected: Duration) {
        #expect(text.withBytes { DecimalNumber.seconds($0) } == expected)
    }

    @Test(arguments: ["", ".", "-6", "6,0", "6.0.0", "1e3", "nan", "inf", "1000000001", "99999999999999999999", " 6"])
    func noSeconds(_ text: String) {
        #expect(text.withBytes { DecimalNumber.seconds($0) } == nil)
    }

    @Test func signedSeconds() {
        #expect("-12.5".withBytes { DecimalNumber.seconds($0, signed: true) } == .milliseconds(-12_500))
        #expect("12.5".withBytes { DecimalNumber.seconds($0, signed: true) } == .milliseconds(12_500))
        #expect("--1".withBytes { DecimalNumber.seconds($0, signed: true) } == nil)
        #expect("-".withBytes { DecimalNumber.seconds($0, signed: true) } == nil)
    }

    /// A binary sum of 6.006 s drifts; the decimal one does not.
    @Test func sumsAreExact() throws {
        let duration = try #require("6.006".withBytes { DecimalNumber.seconds($0) })
        let sum = (0..<3_600).reduce(Duration.zero) { sum, _ in sum + duration }
        #expect(sum == .milliseconds(21_621_600))
    }

    @Test func kindsOfText() {
        #expect("-1.25".withBytes { DecimalNumber.isDecimal($0) })
        #expect(!"1-2".withBytes { DecimalNumber.isDecimal($0) })
        #expect(!"-".withBytes { DecimalNumber.isDecimal($0) })
        #expect("0x0aF".withBytes { DecimalNumber.isHexadecimal($0) })
        #expect(!"0x".withBytes { DecimalNumber.isHexadecimal($0) })
        #expect(!"0xG0".withBytes { DecimalNumber.isHexadecimal($0) })
        #expect("59.940".withBytes { DecimalNumber.floating($0) } == 59.94)
        #expect("-1".withBytes { DecimalNumber.floating($0) } == nil)
        #expect(String(repeating: "9", count: 400).withBytes { DecimalNumber.floating($0) } == nil)
    }
}
