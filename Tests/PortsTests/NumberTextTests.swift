import Ports
import Testing

@Suite struct NumberTextTests {
    @Test(arguments: [
        (0, "0"), (7, "7"), (999, "999"), (1_000, "1,000"), (12_345, "12,345"), (1_234_567, "1,234,567"),
        (-1_000, "-1,000"), (-999, "-999"), (Int.min, "-9,223,372,036,854,775,808"),
    ])
    func thousandsAreSeparated(number: Int, text: String) {
        #expect(number.grouped == text)
    }

    @Test func digitsAreFilledUpWithZeros() {
        #expect(7.zeroPadded(to: 2) == "07" && (-7).zeroPadded(to: 4) == "-0007" && 0.zeroPadded(to: 3) == "000")
        #expect(Int64(12_345).zeroPadded(to: 2) == "12345" && UInt64.max.zeroPadded(to: 0) == "18446744073709551615")
    }

    @Test func thingsAreCounted() {
        #expect(0.counted("break") == "0 breaks" && 1.counted("break") == "1 break")
        #expect(1_204.counted("beacon") == "1,204 beacons")
    }
}
