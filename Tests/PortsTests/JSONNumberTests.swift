import Testing

@testable import Ports

@Suite struct JSONNumberTests {
    @Test(arguments: [
        ("1.005", "1.005"), ("0.29", "0.29"), ("123456.789012", "123456.789012"), ("12", "12"), ("1e2", "100"),
        ("5e-7", "0.0000005"), ("0.1000000000000000055", "0.100000000000000006"),
        ("1.234567890123456789", "1.234567890123456789"),
        ("123456789012345.678", "123456789012345.678"), ("-0.0", "0"), ("1e-400", "0"),
    ])
    func numbersAreReadAsWritten(text: String, decimal: String) throws {
        #expect(try JSONReader.read(text).decimalValue?.text == decimal)
    }

    @Test(arguments: ["1e999", "1e18", "123456789012345678901234567890"])
    func absurdNumbersAreKeptAndAreNoDecimals(text: String) throws {
        let value = try JSONReader.read(text)
        #expect(value.decimalValue == nil)
        #expect(value.typeName == "number")
        #expect(value.text() == (text == "1e18" ? "1000000000000000000" : text))
    }

    @Test func numbersThatADoubleCarriesAreDoubles() throws {
        #expect(try JSONReader.read("0.300000000000000") == .double(0.3))
        #expect(try JSONReader.read("0.30000000000000004") == .number("0.30000000000000004"))
        #expect(try JSONReader.read("0.30000000000000004").doubleValue == 0.30000000000000004)
        #expect(try JSONReader.read("1e999").doubleValue == nil)
        #expect(try JSONReader.read("9223372036854775808.0").integerValue == nil)
        #expect(try JSONReader.read("4000000000000000000.00").integerValue == 4_000_000_000_000_000_000)
    }

    @Test(arguments: ["0.5", "12", "-3", "1.234567890123456789", "0.000000000000000001", "999999999999999999.5"])
    func decimalsAreWrittenAsTheyAre(text: String) throws {
        let value = JSONValue(try #require(ExactDecimal(text)))
        #expect(try JSONReader.read(text) == value)
        #expect(value.decimalValue?.text == text)
    }

    @Test func moneyIsANumberOrText() {
        #expect(JSONValue.string("1.20").moneyValue?.text == "1.2")
        #expect(JSONValue.double(1.2).moneyValue?.text == "1.2")
        #expect(JSONValue.string("1.20 USD").moneyValue == nil)
        #expect(JSONValue.null.moneyValue == nil)
    }
}
