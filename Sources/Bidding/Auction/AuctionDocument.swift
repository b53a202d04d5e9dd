package import Ports

/// Parses an auction from JSON (docs/auction.md): the `input` in the vectors of `adtop/auction-case/1`.
extension Auction {
    /// Most endpoints in one auction.
    package static let maximumEndpoints = 1_000
    /// Longest auction document in bytes.
    package static let maximumBytes = 32 << 20
    /// Most auctions in one document.
    package static let maximumAuctions = 10_000

    /// Parses one auction.
    package init(_ json: JSONValue) throws(AuctionProblem) {
        guard json.objectValue != nil else { throw AuctionProblem("$", "expected an object, not \(json.typeName)") }
        guard let placement = json["placement"] else { throw AuctionProblem("placement", "missing") }
        self.init(id: json["auctionId"]?.filledText ?? "auction", placement: try Placement(placement))
        rules = try AuctionRules(json["auction"])
        rates = CurrencyTable(conversions: json["rates"]?["conversions"] ?? json["rates"] ?? .null)
        lineItems = try LineItem.list(json["lineItems"]?.arrayValue ?? [], currency: nil)
        answers = try Self.list(json, "rtb", limit: Self.maximumEndpoints) { json, path throws(AuctionProblem) in
            try EndpointAnswer(recorded: json, path: path)
        }
        adapters = try Self.list(json, "adapters", limit: BidderAdapter.maximumAdapters) {
            json, path throws(AuctionProblem) in
            try BidderAdapter(json, path: path)
        }
        for (index, event) in (json["events"]?.texts ?? []).enumerated() {
            guard let event = SlotEvent(rawValue: event) else {
                throw AuctionProblem("events[\(index)]", "'\(event)' is neither display nor click")
            }
            events.append(event)
        }
    }

    private static func list<Item>(
        _ json: JSONValue, _ name: String, limit: Int,
        item: (JSONValue, String) throws(AuctionProblem) -> Item
    ) throws(AuctionProblem) -> [Item] {
        guard let written = json[name], written != .null else { return [] }
        guard let list = written.arrayValue else { throw AuctionProblem(name, "expected an array") }
        guard list.count <= limit else { throw AuctionProblem(name, "\(list.count) entries; the limit is \(limit)") }
        var items: [Item] = []
        for (index, json) in list.enumerated() { items.append(try item(json, "\(name)[\(index)]")) }
        return items
    }
}

extension AuctionRules {
    /// Parses the `auction` member.
    init(_ json: JSONValue?) throws(AuctionProblem) {
        self.init()
        currency = json?["currency"]?.filledText ?? currency
        guard CurrencyTable.isCode(currency) else {
            throw AuctionProblem("auction.currency", "'\(currency)' is not a currency code such as USD")
        }
        allowedCurrencies = json?["allowedCurrencies"]?.texts ?? [currency]
        auctionType = json?["at"]?.smallInteger ?? auctionType
        if let milliseconds = json?["tmaxMs"] {
            guard let milliseconds = milliseconds.smallInteger, milliseconds > 0 else {
                throw AuctionProblem("auction.tmaxMs", "expected a number of milliseconds above zero")
            }
            deadline = .milliseconds(milliseconds)
        }
        prefersDeals = json?["preferDeals"]?.flag ?? false
    }
}

extension EndpointAnswer {
    /// Parses a recorded answer: `{bidder, latencyMs, response | raw | httpStatus | unreachable | url}`.
    init(recorded json: JSONValue, path: String) throws(AuctionProblem) {
        guard let bidder = json["bidder"]?.filledText else {
            throw AuctionProblem("\(path).bidder", "expected a string")
        }
        let latency = Duration.milliseconds(max(0, json["latencyMs"]?.smallInteger ?? 0))
        let status = json["httpStatus"]?.smallInteger ?? 200
        if json["unreachable"]?.flag == true {
            self.init(bidder: bidder, latency: latency, content: .unreachable("unreachable"))
        } else if let raw = json["raw"]?.stringValue {
            self.init(bidder: bidder, latency: latency, status: status, body: Array(raw.utf8))
        } else if let response = json["response"], status == 200 {
            self.init(bidder: bidder, latency: latency, content: .document(response))
        } else if json["url"] != nil {
            self.init(bidder: bidder, latency: latency, content: .notAsked)
        } else {
            self.init(bidder: bidder, latency: latency, content: .status(status))
        }
    }
}
