package import Ports

/// How a price between two steps is rounded.
package enum PriceRounding: String, Sendable, CaseIterable {
    case down, up
    /// Rounds to the nearest step, half up.
    case nearest = "true"

    /// The roundings for a server setting of that name; nil for an unknown name. With `timesplit` the server picks one
    /// of two for each price (Prebid Server in Java).
    package static func choices(_ name: String) -> [PriceRounding]? {
        name == "timesplit" ? [.down, .up] : PriceRounding(rawValue: name).map { [$0] }
    }
}

/// The targeting value of a price.
package enum PriceBucket {
    /// Exact decimals: empty for a price below zero or in no range; the cap for a price above all ranges.
    package static func text(
        _ price: ExactDecimal, _ granularity: PriceGranularity, rounding: PriceRounding = .down
    ) -> String {
        value(price, granularity, rounding: rounding)?.text(decimals: granularity.precision) ?? ""
    }

    /// All texts that the choices can produce, without duplicates.
    package static func texts(
        _ price: ExactDecimal, _ granularity: PriceGranularity, roundings: [PriceRounding]
    ) -> [String] {
        roundings.reduce(into: []) { texts, rounding in
            let text = text(price, granularity, rounding: rounding)
            if !texts.contains(text) { texts.append(text) }
        }
    }

    /// The step that contains the price, before formatting with the precision; nil when the text is empty.
    package static func value(
        _ price: ExactDecimal, _ granularity: PriceGranularity, rounding: PriceRounding = .down
    ) -> ExactDecimal? {
        guard !price.isNegative else { return nil }
        let cap = granularity.cap
        if price > cap { return cap }
        guard let range = granularity.ranges.last(where: { $0.minimum <= price && price <= $0.maximum }),
            let over = price.subtracting(range.minimum)
        else { return nil }
        let below = over.flooring(toMultipleOf: range.increment)
        let isUp =
            switch rounding {
            case .down: false
            case .up: below < over
            case .nearest: isNearerAbove(over, below, range.increment)
            }
        let steps = isUp ? below.adding(range.increment) ?? below : below
        return steps.adding(range.minimum)
    }

    private static func isNearerAbove(_ over: ExactDecimal, _ below: ExactDecimal, _ increment: ExactDecimal) -> Bool {
        guard let rest = over.subtracting(below), let toNext = increment.subtracting(rest) else { return false }
        return rest >= toNext
    }

    /// All values that the granularity can produce, lowest first; at most `limit`.
    package static func values(_ granularity: PriceGranularity, limit: Int) -> [ExactDecimal] {
        var values: Set<ExactDecimal> = []
        for range in granularity.ranges {
            var value = range.minimum
            while value <= range.maximum, values.count < limit {
                values.insert(value)
                guard let next = value.adding(range.increment) else { break }
                value = next
            }
        }
        if values.count < limit { values.insert(granularity.cap) }
        return values.sorted()
    }
}
