import Bidding
import Ports
import Testing

@Suite struct PriceBucketTests {
    /// The number of cent prices from 0.00 to 21.00 that each of the two programs puts below the exact bucket (BID-6).
    @Test(arguments: [
        (NamedGranularity.low, 0, 0), (.medium, 67, 0), (.high, 253, 112), (.auto, 53, 0), (.dense, 71, 15),
    ])
    func programsWithDoublesDifferThisOften(_ name: NamedGranularity, server: Int, script: Int) throws {
        let granularity = name.granularity
        var differing = (server: 0, script: 0)
        for cents in 0...2_100 {
            let price = try #require(ExactDecimal(Int32(cents)).multiplied(by: .cent))
            let exact = PriceBucket.text(price, granularity)
            if DoubleBucket.prebidServer(price, granularity) != exact { differing.server += 1 }
            if DoubleBucket.prebidJS(price, granularity) != exact { differing.script += 1 }
        }
        #expect(differing == (server, script))
    }

    @Test func timesplitIsOneOfTwo() throws {
        let granularity = NamedGranularity.medium.granularity
        let roundings = try #require(PriceRounding.choices("timesplit"))
        func texts(_ price: String) throws -> [String] {
            PriceBucket.texts(try #require(ExactDecimal(price)), granularity, roundings: roundings)
        }
        #expect(try texts("1.87") == ["1.80", "1.90"])
        #expect(try texts("1.80") == ["1.80"] && texts("21") == ["20.00"])
        #expect(PriceRounding.choices("true") == [.nearest] && PriceRounding.choices("half") == nil)
    }

    @Test func valuesAreAllStepsOnce() {
        let values = PriceBucket.values(NamedGranularity.auto.granularity, limit: 1_000)
        #expect(values.count == 171 && values.first == .zero && values.last == ExactDecimal(20))
        #expect(PriceBucket.values(NamedGranularity.high.granularity, limit: 10).count == 10)
    }

    @Test func absurdPricesAreCapped() throws {
        let granularity = NamedGranularity.medium.granularity
        let price = try #require(ExactDecimal("999999999999999999.99"))
        #expect(PriceBucket.text(price, granularity) == "20.00")
        #expect(DoubleBucket.prebidServer(price, granularity) == "20.00")
    }

    @Test(arguments: [
        ("\"huge\"", "$"), ("7", "ranges"), ("{\"ranges\":[]}", "ranges"), ("{\"ranges\":[{}]}", "ranges[0].max"),
        ("{\"ranges\":[{\"max\":5,\"increment\":0}]}", "ranges[0].increment"),
        ("{\"ranges\":[{\"max\":5,\"increment\":1},{\"max\":5,\"increment\":1}]}", "ranges[1].min"),
        ("{\"precision\":16,\"ranges\":[{\"max\":5,\"increment\":1}]}", "precision"),
        ("{\"precision\":\"2\",\"ranges\":[{\"max\":5,\"increment\":1}]}", "precision"),
    ])
    func granularitiesThatAreNoneSayWhere(text: String, path: String) throws {
        let json = try JSONReader.read(text)
        #expect { try PriceGranularity(json) } throws: { ($0 as? GranularityProblem)?.path == path }
    }
}

@Suite struct CurrencyTableTests {
    @Test func whatIsNoRateIsLeftOutAndSaid() throws {
        let table = CurrencyTable(
            file: [
                "dataAsOf": "2026-11-20",
                "conversions": ["USD": ["EUR": 0, "GBP": .double(0.8), "x": 1], "bad": 7, "JPY": ["USD": "no"]],
            ])
        #expect(table.date == "2026-11-20")
        #expect(
            table.problems == [
                "conversions.USD.EUR is not a rate", "conversions.USD.x is not a rate",
                "conversions.bad is not a currency with rates",
                "conversions.JPY.USD is not a rate",
            ])
        #expect(table.convert(.one, from: "USD", to: "GBP")?.text == "0.8")
        #expect(table.convert(.one, from: "USD", to: "EUR") == nil)
    }

    @Test func amountsOutOfRangeAreNotConverted() throws {
        let table = CurrencyTable(conversions: ["USD": ["JPY": 150]])
        #expect(try table.convert(#require(ExactDecimal("999999999999999999")), from: "USD", to: "JPY") == nil)
    }
}

@Suite struct AuctionMacrosTests {
    @Test func whatLooksLikeAMacroAndIsNoneStays() {
        var macros = AuctionMacros()
        macros[.price] = "1"
        for text in ["$", "${", "${}", "$$${", "${AUCTION_PRICE", "${\(String(repeating: "A", count: 100))}", "é$é"] {
            #expect(macros.fill(text) == text)
        }
        #expect(macros.fill("é${AUCTION_PRICE}é${AUCTION_PRICE:B64}") == "é1éMQ==")
    }

    @Test func namesFindTheirMacros() {
        for macro in AuctionMacro.allCases { #expect(AuctionMacro(name: macro.name) == macro) }
        #expect(AuctionMacro(name: "AUCTION") == nil)
    }
}

@Suite struct BrandSafetyTests {
    @Test(arguments: [
        ("http://a", true), ("https://a", false), ("http://a https://b", false), ("<a href=HTTP://A>", true),
        ("u=http%3A%2F%2Fa", true), ("u=https%3a%2f%2fa", false), ("//a", false), ("httpx:", false), ("http", false),
        ("", false),
        ("httphttp:", true),
    ])
    func markupWithoutEncryptionIsFound(markup: String, isInsecure: Bool) {
        #expect(BrandSafety.isInsecure(markup) == isInsecure)
    }

    @Test(arguments: [
        "https://www.casino.example/x", "casino.example.", "CASINO.example:443", " casino.example ",
        "//a@casino.example?x=1",
    ])
    func spellingDoesNotGetAroundTheListOfAdvertisers(domain: String) {
        #expect(BrandSafety.blockedAdvertiser([domain], by: ["casino.example"]) == domain)
        #expect(BrandSafety.blockedAdvertiser(["sub.casino.example"], by: [domain.replacing("www.", with: "")]) != nil)
        #expect(
            BrandSafety.blockedAdvertiser(["https://other.example/casino.example"], by: ["casino.example", ""]) == nil)
    }

    @Test func caseDoesNotGetAroundTheListOfCategories() {
        #expect(BrandSafety.blockedCategory(["iab9-5"], by: ["IAB9"]) == "iab9-5")
        #expect(BrandSafety.blockedCategory(["IAB9"], by: [" iab9 "]) == "IAB9")
        #expect(BrandSafety.blockedCategory(["IAB9"], by: [""]) == nil)
    }

    @Test func parentsBlockTheirChildrenOnly() {
        #expect(
            BrandSafety.blockedAdvertiser(["a.example", "WWW.Casino.example"], by: ["casino.Example"])
                == "WWW.Casino.example")
        #expect(BrandSafety.blockedAdvertiser(["mycasino.example"], by: ["casino.example"]) == nil)
        #expect(BrandSafety.blockedCategory(["IAB9-7"], by: ["IAB9"]) == "IAB9-7")
        #expect(BrandSafety.blockedCategory(["IAB91", "IAB9"], by: ["IAB9-7"]) == nil)
        #expect(
            BrandSafety.isAllowed(language: "pt-BR", among: ["PT"])
                && !BrandSafety.isAllowed(language: "de", among: ["pt"]))
    }
}
