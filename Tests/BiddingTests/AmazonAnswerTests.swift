import Bidding
import Ports
import Testing

@Suite struct AmazonAnswerTests {
    private func json(_ text: String) throws -> JSONValue { try JSONReader.read(text) }

    private static let answer = """
        {"bidId": "b-1", "adSizes": [{"w": 320, "h": 50}],
         "customTargeting": {"amznslots": "m320x50p7", "amzn_b": "b-1", "amzn_h": "host.example"}}
        """

    @Test func withoutATableTheKeywordCompetes() throws {
        let adapter = try AmazonAnswer.adapter(try json(Self.answer), table: nil)
        #expect(adapter.competition == .keyword && adapter.keyword == "amznslots=m320x50p7")
        #expect(adapter.rendering == .mediation && adapter.winningSSPName == "Amazon")
        #expect(adapter.winningCreativeID == "b-1" && adapter.price == nil)
    }

    @Test func withATableThePriceCompetesAndTheTagIsFilled() throws {
        let table = try AmazonPriceTable(
            try json(
                """
                {"pricePoints": "m320x50p7:0.35 bad x:y p0:0", "currencyCode": "EUR",
                 "creativeTag": "<i w='%%KEYWORD:adWidth%%' h='%%KEYWORD:adHeight%%'>%%KEYWORD:amzn_b%% %%KEYWORD:other%% 5%</i>"}
                """))
        #expect(table.prices == ["m320x50p7": try #require(ExactDecimal("0.35"))])
        let adapter = try AmazonAnswer.adapter(try json(Self.answer), table: table)
        #expect(adapter.price == ExactDecimal("0.35") && adapter.currency == "EUR" && adapter.rendering == .primarySDK)
        // Other macros are unchanged.
        #expect(adapter.markup == "<i w='320px' h='50px'>b-1 %%KEYWORD:other%% 5%</i>")
    }

    @Test func thePseudoSizeFillsTheScreen() throws {
        let table = try AmazonPriceTable(
            try json(
                """
                {"pricePoints": "p:1", "currencyCode": "USD", "creativeTag": "%%KEYWORD:adWidth%% %%KEYWORD:adHeight%%"}
                """))
        let full = """
            {"bidId": "b", "adSizes": [{"w": 9999, "h": 9999}], "customTargeting": {"amznslots": "p"}}
            """
        #expect(try AmazonAnswer.adapter(try json(full), table: table).markup == "100% auto")
    }

    @Test(arguments: [
        ("{\"bidId\": \"b\", \"adSizes\": [], \"customTargeting\": {\"amznslots\": \"p\"}}", AmazonProblem.noAd),
        ("{\"adSizes\": [{\"w\": 1, \"h\": 1}], \"customTargeting\": {\"amznslots\": \"p\"}}", .noAd),
        ("{\"bidId\": \"b\", \"adSizes\": [{\"w\": 1, \"h\": 1}]}", .noPricePoint),
        ("7", .noAd),
    ])
    func whatIsMissingIsNamed(_ text: String, _ problem: AmazonProblem) throws {
        let answer = try json(text)
        #expect(throws: problem) { try AmazonAnswer.adapter(answer, table: nil) }
    }

    @Test func aPointThatTheTableDoesNotHaveIsWorthNothing() throws {
        let table = try AmazonPriceTable(try json("{\"pricePoints\": \"other:1\", \"currencyCode\": \"USD\"}"))
        let answer = try json(Self.answer)
        #expect(throws: AmazonProblem.unknownPricePoint) { try AmazonAnswer.adapter(answer, table: table) }
    }

    @Test(arguments: [
        "{}", "{\"pricePoints\": \"a:b\", \"currencyCode\": \"USD\"}", "{\"pricePoints\": \"a:1\"}",
        "{\"pricePoints\": \"a:-1 b:1e400\", \"currencyCode\": \"USD\"}",
    ])
    func aTableWithoutPricesOrCurrencyIsNone(_ text: String) throws {
        let config = try json(text)
        #expect(throws: AmazonProblem.configInvalid) { try AmazonPriceTable(config) }
    }
}
