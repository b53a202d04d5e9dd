import Bidding
import Ports

/// Vectors of prices, keys, macros, currencies, adapters and requests.
enum BiddingVectors {
    /// Price to bucket text, exactly and as programs with binary numbers print it.
    static let priceBuckets = VectorKind(schema: "adtop/price-bucket/1", casesIn: "cases") {
        node throws(VectorProblem) in
        let price = try amount(node.member("price"))
        let granularity: PriceGranularity
        do throws(GranularityProblem) {
            granularity = try PriceGranularity(orNull(node, "granularity"))
        } catch {
            throw VectorProblem(path: "\(node.path).granularity.\(error.path)", message: error.message)
        }
        guard let rounding = PriceRounding(rawValue: try node.member("rounding").text()) else {
            throw VectorProblem(path: "\(node.path).rounding", message: "unknown rounding")
        }
        let exact = PriceBucket.text(price, granularity, rounding: rounding)
        var differences = Difference.check(
            "\(node.path).expect", expected: node.value["expect"], actual: .string(exact))
        // The programs round down; without their own values they print the exact bucket.
        if rounding == .down {
            differences += Difference.check(
                "\(node.path).prebidServerGo", expected: node.value["prebidServerGo"] ?? .string(exact),
                actual: .string(DoubleBucket.prebidServer(price, granularity)))
            if !price.isNegative {
                differences += Difference.check(
                    "\(node.path).prebidJs", expected: node.value["prebidJs"] ?? .string(exact),
                    actual: .string(DoubleBucket.prebidJS(price, granularity)))
            }
        }
        return differences
    }

    /// `hb_*` keys of bids.
    static let targetingKeys = VectorKind(schema: "adtop/targeting-keys/1", casesIn: "cases") {
        node throws(VectorProblem) in
        let options = TargetingOptions(vector: try node.member("options").value)
        let winner = try node.optional("winner")?.text()
        let wanted = try node.member("expect")
        var differences: [Difference] = []
        var ids: Set<String> = []
        for bid in try node.member("bids").list() {
            let id = try bid.member("id").text()
            ids.insert(id)
            let expected = try wanted.member(id).value
            var targeted = TargetedBid(
                id: id, bidder: try bid.member("bidder").text(), price: try amount(bid.member("price")))
            if let width = bid.value["w"]?.smallInteger, let height = bid.value["h"]?.smallInteger {
                targeted.size = AdSize(width, height)
            }
            targeted.type = bid.value["type"]?.stringValue
            targeted.cacheID = bid.value["cacheId"]?.stringValue
            targeted.vastCacheID = bid.value["vastCacheId"]?.stringValue
            targeted.dealID = bid.value["dealid"]?.stringValue
            let keys = TargetingKeys.keys(of: targeted, isWinner: id == winner, options)
            differences += Difference.check(
                "\(node.path).expect.\(id)", expected: expected,
                actual: .object(JSONObject(keys.map { .init(name: $0.name, value: .string($0.value)) })))
        }
        for (id, keys) in try wanted.members() where !ids.contains(id) {
            throw VectorProblem(path: keys.path, message: "no bid has this id")
        }
        if let winner, !ids.contains(winner) {
            throw VectorProblem(path: "\(node.path).winner", message: "no bid has this id")
        }
        return differences
    }

    /// Substitution of macros in texts.
    static let auctionMacros = VectorKind(schema: "adtop/macro/1", casesIn: "cases") { node throws(VectorProblem) in
        var macros = AuctionMacros()
        for (name, value) in try node.member("values").members() {
            guard let macro = AuctionMacro(name: name) else {
                throw VectorProblem(path: value.path, message: "unknown macro")
            }
            macros[macro] = try value.text()
        }
        let filled = macros.fill(try node.member("template").text(), isAudit: try node.member("audit").flag())
        return Difference.check("\(node.path).expect", expected: node.value["expect"], actual: .string(filled))
    }

    /// Conversion through a rate table.
    static let currencies = VectorKind(schema: "adtop/currency/1", casesIn: "cases") { node throws(VectorProblem) in
        let table = CurrencyTable(conversions: try node.member("rates").value)
        let converted = table.convert(
            try amount(node.member("amount")), from: try node.member("from").text(), to: try node.member("to").text())
        return Difference.check(
            "\(node.path).expect", expected: node.value["expect"], actual: .optional(converted?.text))
    }

    /// Targeting clauses against keywords.
    static let keywordMatches = VectorKind(schema: "adtop/keyword-match/1", casesIn: "cases") {
        node throws(VectorProblem) in
        let clauses = try node.member("clauses").texts().map { KeywordClause($0) }
        let keywords = AdCallKeywords(try node.member("keywords").texts())
        return Difference.check(
            "\(node.path).expect", expected: node.value["expect"], actual: .bool(clauses.hold(for: keywords)))
    }

    /// Recorded Amazon-style answers.
    static let amazonAnswers = VectorKind(schema: "adtop/amazon-adapter/1", casesIn: "cases") {
        node throws(VectorProblem) in
        let response = try node.member("response").value
        let config = node.optional("config")?.value
        var actual = JSONObject()
        do throws(AmazonProblem) {
            let table = try config.map { json throws(AmazonProblem) in try AmazonPriceTable(json) }
            actual.append("adapter", try AmazonAnswer.adapter(response, table: table).vectorJSON)
        } catch {
            actual.append("adapter", .null)
            actual.append("reason", .string(error.rawValue))
        }
        let expected = try node.member("expect")
        try expected.require(members: ["adapter", "reason"])
        return Difference.subset(expected.path, expected: expected.value, actual: .object(actual))
    }

    /// Placements as OpenRTB.
    static let requests = VectorKind(schema: "adtop/request-build/1", casesIn: "cases") { node throws(VectorProblem) in
        let placement: Placement
        do throws(AuctionProblem) {
            placement = try Placement(orNull(node, "placement"))
        } catch {
            throw VectorProblem(path: "\(node.path).\(error.path)", message: error.message)
        }
        let expected = try node.member("expectImp")
        return Difference.subset(
            expected.path, expected: expected.value, actual: ImpBuilder.imp(placement, version: "test"))
    }

    private static func amount(_ node: VectorNode) throws(VectorProblem) -> ExactDecimal {
        guard let amount = node.value.moneyValue else {
            throw VectorProblem(path: node.path, message: "expected an amount")
        }
        return amount
    }

    private static func orNull(_ node: VectorNode, _ name: String) -> JSONValue {
        node.value[name] ?? .null
    }
}

extension TargetingOptions {
    fileprivate init(vector: JSONValue) {
        self.init()
        includesWinners = vector["includeWinners"]?.boolValue ?? true
        includesBidderKeys = vector["includeBidderKeys"]?.boolValue ?? true
        includesFormat = vector["includeFormat"]?.boolValue ?? false
        alwaysIncludesDeals = vector["alwaysIncludeDeals"]?.boolValue ?? false
        longestKey = vector["truncate"]?.smallInteger ?? longestKey
        cacheHost = vector["cacheHost"]?.stringValue
        cachePath = vector["cachePath"]?.stringValue
        environment = vector["env"]?.stringValue
    }
}

extension BidderAdapter {
    fileprivate var vectorJSON: JSONValue {
        [
            "adapterName": .string(name), "winningSSPName": .string(winningSSPName),
            "winningCreativeID": .string(winningCreativeID), "competitionType": .string(competition.rawValue),
            "renderingType": .string(rendering.rawValue), "price": .optional(price?.text),
            "currency": .optional(currency),
            "keyword": .optional(keyword), "dealID": .optional(dealID), "markup": .optional(markup),
        ]
    }
}
