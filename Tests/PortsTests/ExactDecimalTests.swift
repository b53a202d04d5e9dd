import Testing

@testable import Ports

@Suite struct ExactDecimalTests {
    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("007.50", "7.5"), ("2.50", "2.5"), ("-0.000001", "-0.000001"), ("10", "10"),
        ("123456.789012", "123456.789012"), ("0.000000000000000001", "0.000000000000000001"),
        ("0.0000000000000000005", "0.000000000000000001"), ("0.0000000000000000004", "0"),
        ("999999999999999999.999999999999999999", "999999999999999999.999999999999999999"),
        ("0.1000000000000000055511151231257827", "0.100000000000000006"),
    ])
    func readsAndPrintsPlainDecimals(text: String, printed: String) {
        #expect(ExactDecimal(text)?.text == printed)
    }

    @Test(arguments: [
        "", "-", "1abc", ".5", "1.", "1e3", "+1", " 1", "1 ", "1,5", "٣", "0x10", "nan", "1000000000000000000",
        "999999999999999999.9999999999999999999", "--1", "1.2.3",
    ])
    func wholeTextsAreValidated(text: String) {
        #expect(ExactDecimal(text) == nil)
    }

    @Test(arguments: [
        ("1e3", "1000"), ("1.25E-2", "0.0125"), ("5e-07", "0.0000005"), ("1e-999999999999999999999", "0"),
        ("0e999", "0"),
        ("1e+17", "100000000000000000"), ("0.0001e4", "1"), ("12345e-20", "0.000000000000000123"),
        ("6e-19", "0.000000000000000001"),
    ])
    func numbersOfJSONMayHaveExponents(text: String, printed: String) {
        #expect(ExactDecimal(jsonNumber: text)?.text == printed)
    }

    @Test(arguments: ["1e18", "1e400", "1e99999999999999999999", "1e", "1e+", "e3", "1e3.5", "1e-"])
    func absurdNumbersAreNone(text: String) {
        #expect(ExactDecimal(jsonNumber: text) == nil)
    }

    @Test func textsOfAbsurdLengthAreNone() {
        #expect(ExactDecimal("0." + String(repeating: "1", count: 100_000)) == nil)
    }

    @Test(arguments: [
        ("1.8", "1", "0.9", "2"), ("1", "0.8", "0.9", "0.888889"), ("300", "0.9", "150", "1.8"),
        ("1", "1", "0.95", "1.052632"), ("-1", "1", "3", "-0.333333"), ("0.0000005", "1", "1", "0.000001"),
        ("-0.0000005", "1", "1", "-0.000001"),
    ])
    func convertsWithOneRounding(amount: String, factor: String, divisor: String, money: String) throws {
        let result = try #require(ExactDecimal(amount))
            .multiplied(by: #require(ExactDecimal(factor)), dividedBy: #require(ExactDecimal(divisor)))
        #expect(result?.money.text == money)
    }

    @Test func resultsOutOfRangeAreNone() throws {
        let large = try #require(ExactDecimal("999999999999999999"))
        #expect(large.multiplied(by: large) == nil)
        #expect(large.adding(.one) == nil)
        #expect(ExactDecimal.zero.subtracting(large)?.subtracting(.one) == nil)
        #expect(large.divided(by: .zero) == nil)
        #expect(try large.divided(by: #require(ExactDecimal("0.000001"))) == nil)
        #expect(ExactDecimal(exactly: .max) == nil)
        #expect(ExactDecimal(exactly: -1)?.text == "-1")
    }

    @Test(arguments: [
        ("2.5", 2, "2.50"), ("1.85", 0, "2"), ("1.005", 2, "1.01"), ("20", 2, "20.00"),
        ("0.1", 99, "0.100000000000000000"),
        ("-1.85", 1, "-1.9"), ("9.999", 2, "10.00"), ("3", -1, "3"),
    ])
    func printsWithAFixedNumberOfDecimals(text: String, decimals: Int, printed: String) {
        #expect(ExactDecimal(text)?.text(decimals: decimals) == printed)
    }

    @Test func knowsMultiplesAndParts() throws {
        let amount = try #require(ExactDecimal("1.87"))
        #expect(try amount.flooring(toMultipleOf: #require(ExactDecimal("0.05"))).text == "1.85")
        #expect(amount.flooring(toMultipleOf: .zero) == amount)
        #expect(ExactDecimal("-12.7")?.truncated == -12)
        #expect(!amount.isWhole && ExactDecimal(12).isWhole)
        #expect(amount.doubleValue == 1.87)
        #expect(try amount > #require(ExactDecimal("1.869999999999999999")))
    }

    @Test func readingWhatWasPrintedGivesTheSame() {
        let seed: UInt64 = 5
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        for _ in 0..<5_000 {
            let units = Int128.random(in: -ExactDecimal.bound + 1..<ExactDecimal.bound, using: &random)
            guard let value = ExactDecimal(checked: units >> Int128.random(in: 0...120, using: &random)) else {
                Issue.record("\(units) is in range")
                return
            }
            #expect(ExactDecimal(value.text) == value)
            #expect(value.multiplied(by: .one) == value)
        }
    }

    @Test(
        arguments: [
            ("1.5", 1_500_000), ("-1.5", -1_500_000), ("0.0000004", 0), ("0.0000005", 1), ("-0.0000005", -1),
            ("999999999999.9999994", 999_999_999_999_999_999), ("999999999999.9999995", 1_000_000_000_000_000_000),
            ("1000000000000", nil), ("-1000000000000", nil),
        ] as [(String, Int64?)])
    func millionthsAreRoundedHalfAway(text: String, millionths: Int64?) {
        #expect(ExactDecimal(text)?.millionths == millionths)
    }
}
