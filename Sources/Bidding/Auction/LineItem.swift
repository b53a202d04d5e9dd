package import Ports

/// A line item of the publisher's ad server.
package struct LineItem: Hashable, Sendable {
    package enum Priority: String, Sendable, CaseIterable {
        /// A sponsorship, which serves regardless of other prices.
        case exclusive
        /// Competes by its CPM.
        case ecpm
        /// Fills a slot that no other candidate wins.
        case house
    }

    package var id: String
    package var name: String
    package var priority: Priority
    /// CPM in `currency`; nil when the line item has none.
    package var cpm: ExactDecimal?
    /// Nil means the currency of the auction.
    package var currency: String?
    package var clauses: [KeywordClause]
    /// Sizes of the placements it fits; empty fits any size.
    package var sizes: [AdSize]
    package var isActive: Bool
    package var start: UnixTime?
    package var end: UnixTime?
    package var creative: Creative?

    /// The creative that the line item serves.
    package enum Creative: Hashable, Sendable {
        case html(String)
        case url(String)
        /// Rendered by another SDK.
        case mediation(String)
        /// The universal creative, which loads the winning bid from a cache.
        case universal
    }

    package init(id: String, priority: Priority = .ecpm, cpm: ExactDecimal? = nil, clauses: [KeywordClause] = []) {
        self.id = id
        name = ""
        self.priority = priority
        self.cpm = cpm
        self.clauses = clauses
        sizes = []
        isActive = true
    }

    /// Whether it runs at `time`; nil ignores its dates.
    package func runs(at time: UnixTime?) -> Bool {
        guard isActive else { return false }
        guard let time else { return true }
        return start.map { $0 <= time } ?? true && end.map { time < $0 } ?? true
    }

    /// Whether it fits one of the placement's sizes.
    package func fits(_ placement: Placement) -> Bool {
        sizes.isEmpty || placement.sizes.isEmpty || sizes.contains(where: placement.sizes.contains)
    }
}

/// A line item document: `{schema: "adtop/lineitems/1", currency, lineItems[]}` (docs/auction.md).
package struct LineItemFile: Hashable, Sendable {
    /// Most line items in one document.
    package static let maximumItems = 10_000
    package static let maximumBytes = 16 << 20

    package var currency: String
    package var items: [LineItem]

    package init(_ json: JSONValue) throws(AuctionProblem) {
        guard let list = json["lineItems"]?.arrayValue else {
            throw AuctionProblem("lineItems", "expected an array of line items")
        }
        currency = json["currency"]?.filledText ?? "USD"
        items = try LineItem.list(list, currency: json["currency"]?.filledText)
    }
}

extension LineItem {
    /// Parses an array of line items; `currency` is that of items without one.
    package static func list(_ list: [JSONValue], currency: String?) throws(AuctionProblem) -> [LineItem] {
        guard list.count <= LineItemFile.maximumItems else {
            throw AuctionProblem("lineItems", "\(list.count) line items; the limit is \(LineItemFile.maximumItems)")
        }
        var items: [LineItem] = []
        for (index, json) in list.enumerated() {
            items.append(try LineItem(json, path: "lineItems[\(index)]", currency: currency))
        }
        return items
    }

    init(_ json: JSONValue, path: String, currency: String?) throws(AuctionProblem) {
        guard let id = json["id"]?.filledText else { throw AuctionProblem("\(path).id", "expected a string") }
        let priority = json["priority"]?.stringValue ?? Priority.ecpm.rawValue
        guard let priority = Priority(rawValue: priority) else {
            let known = Priority.allCases.map(\.rawValue).joined(separator: ", ")
            throw AuctionProblem("\(path).priority", "'\(priority)' is not one of \(known)")
        }
        self.init(id: id, priority: priority)
        name = json["name"]?.stringValue ?? ""
        if let written = json["cpm"], written != .null {
            guard let cpm = written.moneyValue, !cpm.isNegative else {
                throw AuctionProblem("\(path).cpm", "expected an amount")
            }
            self.cpm = cpm
        }
        self.currency = json["cur"]?.filledText ?? currency
        clauses = (json["keywords"]?.texts ?? []).map { KeywordClause($0) }
        for item in json["sizes"]?.arrayValue ?? [] {
            let numbers = item.smallIntegers
            guard numbers.count == 2 else { throw AuctionProblem("\(path).sizes", "expected pairs of numbers") }
            sizes.append(AdSize(numbers[0], numbers[1]))
        }
        isActive = json["status"].map { $0.stringValue == "active" } ?? true
        start = try Self.date(json["start"], "\(path).start")
        end = try Self.date(json["end"], "\(path).end")
        creative = Creative(json["creative"])
    }

    private static func date(_ json: JSONValue?, _ path: String) throws(AuctionProblem) -> UnixTime? {
        guard let json, json != .null else { return nil }
        guard let date = json.stringValue.flatMap({ UnixTime(typed: $0) }) else {
            throw AuctionProblem(path, "expected a date such as 2027-01-01T00:00:00Z")
        }
        return date
    }
}

extension LineItem.Creative {
    fileprivate init?(_ json: JSONValue?) {
        guard let json else { return nil }
        if let html = json["html"]?.stringValue {
            self = .html(html)
        } else if let url = json["url"]?.stringValue {
            self = .url(url)
        } else if let network = json["mediation"]?.stringValue {
            self = .mediation(network)
        } else if json["universalCreative"]?.flag == true {
            self = .universal
        } else {
            return nil
        }
    }
}
