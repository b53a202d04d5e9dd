package import Ports

/// Exchange rates in the format of a Prebid currency file (BID-10).
package struct CurrencyTable: Hashable, Sendable {
    /// Most rates in one table.
    package static let maximumRates = 20_000
    /// Longest file in bytes.
    package static let maximumBytes = 1 << 20

    /// `dataAsOf` as written; nil when the file has none.
    package var date: String?
    /// Base currencies in the order of the file, so that conversions always use the same path.
    private var bases: [String] = []
    private var rates: [String: [String: ExactDecimal]] = [:]
    /// Members that are not rates, each as a path with the reason.
    package private(set) var problems: [String] = []

    package init() {}

    /// Parses `{dataAsOf, conversions{base{code: rate}}}`; invalid rates are dropped and recorded in `problems`.
    package init(file: JSONValue) {
        self.init(conversions: file["conversions"] ?? .null)
        date = file["dataAsOf"]?.stringValue
    }

    /// Parses the object of `conversions`.
    package init(conversions: JSONValue) {
        guard let object = conversions.objectValue else {
            if conversions != .null { problems.append("conversions is a JSON \(conversions.typeName)") }
            return
        }
        var count = 0
        for base in object.members {
            guard Self.isCode(base.name), let row = base.value.objectValue else {
                problems.append("conversions.\(base.name) is not a currency with rates")
                continue
            }
            if rates[base.name] == nil { bases.append(base.name) }
            for rate in row.members {
                count += 1
                guard count <= Self.maximumRates else {
                    problems.append("more than \(Self.maximumRates) rates; the rest is not read")
                    return
                }
                guard Self.isCode(rate.name), let value = rate.value.moneyValue, value.isPositive else {
                    problems.append("conversions.\(base.name).\(rate.name) is not a rate")
                    continue
                }
                rates[base.name, default: [:]][rate.name] = value
            }
        }
    }

    package var isEmpty: Bool { rates.isEmpty }

    /// Three upper-case letters (ISO 4217).
    package static func isCode(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    /// The amount in another currency, rounded half up to 6 decimals: by the direct rate, else the inverse one, else
    /// through a base that has rates for both. Nil when there is no rate; a rate of 1 is never assumed.
    package func convert(_ amount: ExactDecimal, from: String, to: String) -> ExactDecimal? {
        guard Self.isCode(from), Self.isCode(to) else { return nil }
        // An amount that is not converted is not rounded either.
        if from == to { return amount }
        if let rate = rates[from]?[to] { return amount.multiplied(by: rate)?.money }
        if let rate = rates[to]?[from] { return amount.divided(by: rate)?.money }
        for base in bases {
            guard let row = rates[base], let there = row[to], let here = row[from] else { continue }
            return amount.multiplied(by: there, dividedBy: here)?.money
        }
        return nil
    }
}
