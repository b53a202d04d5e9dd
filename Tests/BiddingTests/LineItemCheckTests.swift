import Bidding
import Ports
import Testing

@Suite struct LineItemCheckTests {
    private func outcome(
        _ text: String, maximum: Int32 = 2, rates: String? = nil
    ) throws -> LineItemCheck.Outcome {
        let file = try LineItemFile(try JSONReader.read(text))
        var check = LineItemCheck(granularity: NamedGranularity.low.granularity, maximum: ExactDecimal(maximum))
        if let rates { check.rates = CurrencyTable(file: try JSONReader.read(rates)) }
        return check.outcome(file)
    }

    @Test func everyFaultOfASetUpIsFound() throws {
        let outcome = try outcome(
            """
            {"lineItems": [
              {"id": "good", "cpm": "0.50", "keywords": ["hb_pb=0.50"]},
              {"id": "twice", "cpm": "0.50", "keywords": ["hb_pb=0.50"]},
              {"id": "cheap", "cpm": "0.90", "keywords": ["hb_pb=1.00"]},
              {"id": "house", "priority": "house", "cpm": "1.50", "keywords": ["hb_pb=1.50"]},
              {"id": "free", "keywords": ["hb_pb=0.50|9.99", "x=1"]},
              {"id": "odd", "cpm": 0.55, "keywords": ["hb_pb=0.55"]},
              {"id": "off", "cpm": 2, "keywords": ["hb_pb=2.00"], "status": "paused"},
              {"id": "direct", "cpm": 3, "keywords": ["section=home", "!hb_pb=0.50"]}
            ]}
            """)
        #expect(
            outcome.findings.map { "\($0.rule) \($0.message)" } == [
                "cpm-differs-from-bucket cheap: the CPM is 0.9 for hb_pb=1.00",
                "not-ecpm house: has priority house, so it does not compete by price",
                "missing-cpm free: targets hb_pb=0.50 but has no CPM",
                "unreachable-keyword odd: hb_pb=0.55 is not a value of the granularity",
                "inactive-target off: targets hb_pb=2.00 but is not active",
                "duplicate-target twice: hb_pb=0.50 is already targeted by good",
                "bucket-without-line-item no line item targets hb_pb=1.50 to 2.00 (2 values)",
            ])
        #expect(outcome.buckets == 4 && outcome.covered == 2)
        #expect(outcome.findings.first?.path == "lineItems[2]")
    }

    /// Amounts are compared with their currency: 1.00 EUR is not the bucket of 1.00 USD, and 0.91 EUR may be.
    @Test func aCPMIsComparedInTheFilesCurrency() throws {
        let text = """
            {"currency": "USD", "lineItems": [
              {"id": "own", "cpm": "0.50", "cur": "USD", "keywords": ["hb_pb=0.50"]},
              {"id": "par", "cpm": "1.00", "cur": "EUR", "keywords": ["hb_pb=1.00"]},
              {"id": "worth", "cpm": "1.365", "cur": "EUR", "keywords": ["hb_pb=1.50"]},
              {"id": "far", "cpm": "2.00", "cur": "JPY", "keywords": ["hb_pb=2.00"]}
            ]}
            """
        #expect(
            try outcome(text, rates: #"{"conversions": {"USD": {"EUR": 0.91}}}"#).findings.map {
                "\($0.rule) \($0.severity) \($0.message)"
            } == [
                "cpm-differs-from-bucket error par: the CPM is 1 EUR, 1.098901 USD, for hb_pb=1.00",
                "cpm-in-other-currency error far: the CPM is 2 JPY for hb_pb=2.00 in USD; there is no exchange rate",
            ])
        let bare = try outcome(text)
        #expect(bare.findings.map(\.rule) == Array(repeating: "cpm-in-other-currency", count: 3) && bare.covered == 4)
    }

    /// The file's currency applies to line items without one; a file without a currency is in USD.
    @Test func theFilesCurrencyIsThatOfItsLineItems() throws {
        #expect(
            try outcome(#"{"currency": "EUR", "lineItems": [{"id": "a", "cpm": 2, "keywords": ["hb_pb=2.00"]}]}"#)
                .findings.map(\.rule) == ["bucket-without-line-item"])
        #expect(
            try outcome(#"{"lineItems": [{"id": "a", "cpm": 2, "cur": "EUR", "keywords": ["hb_pb=2.00"]}]}"#)
                .findings.map(\.rule) == ["cpm-in-other-currency", "bucket-without-line-item"])
    }

    @Test(arguments: [
        ("{}", "lineItems"), ("{\"lineItems\":[{}]}", "lineItems[0].id"),
        ("{\"lineItems\":[{\"id\":\"a\",\"priority\":\"top\"}]}", "lineItems[0].priority"),
        ("{\"lineItems\":[{\"id\":\"a\",\"cpm\":\"x\"}]}", "lineItems[0].cpm"),
        ("{\"lineItems\":[{\"id\":\"a\",\"cpm\":-1}]}", "lineItems[0].cpm"),
        ("{\"lineItems\":[{\"id\":\"a\",\"sizes\":[1]}]}", "lineItems[0].sizes"),
        ("{\"lineItems\":[{\"id\":\"a\",\"start\":\"soon\"}]}", "lineItems[0].start"),
    ])
    func filesThatAreNoneSayWhere(text: String, path: String) throws {
        let json = try JSONReader.read(text)
        #expect { try LineItemFile(json) } throws: { ($0 as? AuctionProblem)?.path == path }
    }
}
