package import Ports

/// The steps by which prices are converted to targeting values (BID-5).
package struct PriceGranularity: Hashable, Sendable {
    /// Prices from `minimum` to `maximum`, both included; where two ranges touch, the later one counts.
    package struct Range: Hashable, Sendable {
        package var minimum: ExactDecimal
        package var maximum: ExactDecimal
        package var increment: ExactDecimal
    }

    /// Number of decimals in the text, 0 to 15.
    package var precision: Int
    package var ranges: [Range]

    /// Every higher price becomes this price.
    package var cap: ExactDecimal { ranges.map(\.maximum).max() ?? .zero }
}

/// The granularities that servers define by name.
package enum NamedGranularity: String, Sendable, CaseIterable {
    case low, medium, high, auto, dense

    package var granularity: PriceGranularity {
        switch self {
        case .low: Self.steps([(500, 50)])
        case .medium: Self.steps([(2_000, 10)])
        case .high: Self.steps([(2_000, 1)])
        case .auto: Self.steps([(500, 5), (1_000, 10), (2_000, 50)])
        case .dense: Self.steps([(300, 1), (800, 5), (2_000, 50)])
        }
    }

    /// Creates a granularity from maximum and increment of each range, in hundredths.
    private static func steps(_ steps: [(maximum: Int32, increment: Int32)]) -> PriceGranularity {
        var minimum = ExactDecimal.zero
        let ranges = steps.map { step in
            defer { minimum = hundredths(step.maximum) }
            return PriceGranularity.Range(
                minimum: minimum, maximum: hundredths(step.maximum), increment: hundredths(step.increment))
        }
        return PriceGranularity(precision: 2, ranges: ranges)
    }

    private static func hundredths(_ count: Int32) -> ExactDecimal {
        ExactDecimal(count).multiplied(by: .cent) ?? .zero
    }
}

/// Why a granularity is invalid.
package struct GranularityProblem: Error, Hashable, Sendable {
    /// Path in the document, e.g. `ranges[1].increment`.
    package var path: String
    /// The reason as a clause.
    package var message: String
}

extension PriceGranularity {
    private static let maximumPrecision = 15
    /// Most ranges in one granularity.
    package static let maximumRanges = 100

    /// Parses a name, or `{precision, ranges[{min?, max, increment}]}`; a range without `min` starts at the end of the
    /// previous one.
    package init(_ json: JSONValue) throws(GranularityProblem) {
        if let name = json.stringValue {
            guard let named = NamedGranularity(rawValue: name) else {
                let known = NamedGranularity.allCases.map(\.rawValue).joined(separator: ", ")
                throw GranularityProblem(path: "$", message: "'\(name)' is not one of \(known)")
            }
            self = named.granularity
            return
        }
        guard json.objectValue != nil, let list = json["ranges"]?.arrayValue, !list.isEmpty else {
            throw GranularityProblem(path: "ranges", message: "expected an array of ranges")
        }
        guard list.count <= Self.maximumRanges else {
            throw GranularityProblem(path: "ranges", message: "more than \(Self.maximumRanges) ranges")
        }
        let precision = json["precision"].map { $0.integerValue ?? -1 } ?? 2
        guard (0...Int64(Self.maximumPrecision)).contains(precision) else {
            throw GranularityProblem(path: "precision", message: "expected a number from 0 to \(Self.maximumPrecision)")
        }
        self.precision = Int(precision)
        ranges = []
        for (index, item) in list.enumerated() {
            ranges.append(try Self.range(item, after: ranges.last, path: "ranges[\(index)]"))
        }
    }

    private static func range(_ json: JSONValue, after last: Range?, path: String) throws(GranularityProblem) -> Range {
        guard let maximum = json["max"]?.moneyValue else {
            throw GranularityProblem(path: "\(path).max", message: "expected a price")
        }
        guard let increment = json["increment"]?.moneyValue, increment.isPositive else {
            throw GranularityProblem(path: "\(path).increment", message: "expected a price above zero")
        }
        let minimum = json["min"].map { $0.moneyValue } ?? last?.maximum ?? .zero
        guard let minimum, !minimum.isNegative, minimum < maximum else {
            throw GranularityProblem(path: "\(path).min", message: "expected a price from zero to below max")
        }
        return Range(minimum: minimum, maximum: maximum, increment: increment)
    }
}
