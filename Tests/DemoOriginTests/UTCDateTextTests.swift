import Foundation
import Testing

@testable import DemoOrigin

@Suite struct UTCDateTextTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_827_696_789, "2000-02-29T12:34:56.789Z"),
        (1_769_853_600_000, "2026-01-31T10:00:00.000Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
    ]) func knownDates(epochMs: Int, expected: String) {
        #expect(UTCDateText.text(epochMs: epochMs) == expected)
    }

    @Test func foundationAgrees() throws {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for seed in UInt64(1)...500 {
            var numbers = SeededNumbers(seed: seed)
            let epochMs = numbers.next(0...4_102_444_800_000)
            let date = try style.parse(UTCDateText.text(epochMs: epochMs))
            #expect(Int((date.timeIntervalSince1970 * 1_000).rounded()) == epochMs, "seed \(seed)")
        }
    }

    @Test func lengthsHaveThreeDecimals() {
        #expect(
            [0, 5, 2_002, 60_000].map { SecondsText.text(milliseconds: $0) } == ["0.000", "0.005", "2.002", "60.000"])
    }
}
