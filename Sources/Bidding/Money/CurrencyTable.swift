package import Ports

/// Exchange rates in the form of a Prebid currency file (BID-10).
package struct CurrencyTable: Hashable, Sendable {
    /// Rates of one table that are read.
    package static let maximumRates = 20_000
    /// Longest file that is read.
    package static let maximumBytes = 1 << 20

    /// `dataAsOf` as written; nil where the file does not say.
    package var date: String?
    /// In the order of the file, so that the same way is found each time.
    private var bases: [String] = []
    private var rates: [String: [String: ExactDecimal]] = [:]
    /// Members that are no rates, each a path with the reason.
    package private(set) var problems: [String] = []

    package init() {}

    /// Reads `{dataAsOf, conversions{base{code: rate}}}`; what is no rate is left out and noted.
    package init(file: JSONValue) {
        self.init(conversions: file["conversions"] ?? .null)
        date = file["dataAsOf"]?.stringValue
    }

    /// Reads the object of `conversions`.
    package init(conversions: JSONValue) {
        guard let object = conversions.objectValue else {
            if conversions != .null { problems.append("conversions is a \(conversions.typeName)") }
            return
        }
        var count = 0
        for base in object.members {
            guard Self.isCode(base.name), let row = base.value.objectValue else {
                problems.append("conversions.\(base.name) is no currency with rates")
                continue
            }
            if rates[base.name] == nil { bases.append(base.name) }
            for rate in row.members {
                count += 1
                guard count <= Self.maximumRates else {
                    problems.append("more than \(Self.maximumRates) rates: the rest is left out")
                    return
                }
                guard Self.isCode(rate.name), let value = rate.value.moneyValue, value.isPositive else {
                    problems.append("conversions.\(base.name).\(rate.name) is no rate")
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

    /// The amount in another currency, half up to 6 decimals: by the direct rate, else the inverse one, else through a base
    /// that knows both. Nil when there is no way: nothing is ever taken at par.
    package func convert(_ amount: ExactDecimal, from: String, to: String) -> ExactDecimal? {
        guard Self.isCode(from), Self.isCode(to) else { return nil }
        // What is not converted is not rounded either.
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
