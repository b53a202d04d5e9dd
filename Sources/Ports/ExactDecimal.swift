/// An amount of money, a rate or a fraction as an exact decimal: never a binary fraction, so that 0.30 is exactly 0.30
/// (BID-28).
///
/// Fixed point with 18 decimals, which represents all values that bidders, rate files and floors use. Decimals after
/// the 18th are rounded half up. Magnitudes of 10^18 and more are not amounts: parsing them gives nil.
package struct ExactDecimal: Hashable, Sendable, Comparable {
    /// Number of decimals stored.
    package static let decimals = 18
    /// Decimals of converted and divided amounts of money.
    package static let moneyDecimals = 6

    /// 10^18, which represents 1.
    static let unit: Int128 = 1_000_000_000_000_000_000
    /// 10^36, the first magnitude that is out of range.
    static let bound: Int128 = unit * unit

    /// The value in units of 10^-18.
    let units: Int128

    package static let zero = ExactDecimal(units: 0)
    package static let one = ExactDecimal(units: unit)
    /// The step of second prices and of what-if prices: a hundredth.
    package static let cent = ExactDecimal(units: unit / 100)

    private init(units: Int128) {
        self.units = units
    }

    /// Nil when the magnitude is out of range.
    init?(checked units: Int128) {
        guard units.magnitude < Self.bound.magnitude else { return nil }
        self.units = units
    }

    /// Every 32-bit number is in range.
    package init(_ whole: Int32) {
        units = Int128(whole) * Self.unit
    }

    /// Nil when the magnitude is 10^18 or more.
    package init?(exactly whole: Int64) {
        self.init(checked: Int128(whole) * Self.unit)
    }

    package static func < (left: ExactDecimal, right: ExactDecimal) -> Bool { left.units < right.units }

    package var isPositive: Bool { units > 0 }
    package var isNegative: Bool { units < 0 }

    /// The whole number, truncated toward zero.
    package var truncated: Int64 { Int64(truncatingIfNeeded: units / Self.unit) }

    /// The nearest whole number of millionths, half away from zero; nil where there are 10^18 of them or more.
    package var millionths: Int64? {
        let (whole, rest) = units.quotientAndRemainder(dividingBy: Self.unit / 1_000_000)
        guard whole.magnitude < Self.unit.magnitude else { return nil }
        let isUp = rest.magnitude * 2 >= Self.unit.magnitude / 1_000_000
        return Int64(isUp ? whole + (isNegative ? -1 : 1) : whole)
    }

    /// Whether the value has no fraction.
    package var isWhole: Bool { units % Self.unit == 0 }

    /// The nearest binary number, for comparison with programs that compute in doubles.
    package var doubleValue: Double { Double(text) ?? 0 }
}

// MARK: Arithmetic

extension ExactDecimal {
    /// Nil when the result is out of range.
    package func adding(_ other: ExactDecimal) -> ExactDecimal? { ExactDecimal(checked: units + other.units) }

    /// Nil when the result is out of range.
    package func subtracting(_ other: ExactDecimal) -> ExactDecimal? { ExactDecimal(checked: units - other.units) }

    /// Rounded half up to 18 decimals; nil when the result is out of range.
    package func multiplied(by factor: ExactDecimal) -> ExactDecimal? { multiplied(by: factor, dividedBy: .one) }

    /// Rounded half up to 18 decimals; nil when the divisor is zero or the result out of range.
    package func divided(by divisor: ExactDecimal) -> ExactDecimal? { multiplied(by: .one, dividedBy: divisor) }

    /// `self * factor / divisor` with one rounding, half up (away from zero) to 18 decimals; nil when the divisor is
    /// zero or the result is out of range.
    package func multiplied(by factor: ExactDecimal, dividedBy divisor: ExactDecimal) -> ExactDecimal? {
        let divisorMagnitude = divisor.units.magnitude
        let product = units.magnitude.multipliedFullWidth(by: factor.units.magnitude)
        // A quotient that does not fit would trap; a zero divisor fails the same comparison.
        guard product.high < divisorMagnitude else { return nil }
        let (quotient, remainder) = divisorMagnitude.dividingFullWidth(product)
        let isUp = remainder >= divisorMagnitude - remainder
        guard quotient < Self.bound.magnitude else { return nil }
        let magnitude = Int128(quotient) + (isUp ? 1 : 0)
        let isBelowZero = (isNegative != factor.isNegative) != divisor.isNegative
        return ExactDecimal(checked: isBelowZero ? -magnitude : magnitude)
    }

    /// Rounded half up (away from zero) to `count` decimals, 0 to 18.
    package func rounded(toDecimals count: Int) -> ExactDecimal {
        let step = Self.step(ofDecimals: count)
        let (quotient, remainder) = units.quotientAndRemainder(dividingBy: step)
        guard remainder.magnitude * 2 >= step.magnitude else { return ExactDecimal(units: quotient * step) }
        return ExactDecimal(units: (quotient + (units < 0 ? -1 : 1)) * step)
    }

    /// Rounded half up to 6 decimals, as money.
    package var money: ExactDecimal { rounded(toDecimals: Self.moneyDecimals) }

    /// The largest multiple of `increment` that is not above this amount, for non-negative amounts; the amount itself
    /// when the increment is not positive.
    package func flooring(toMultipleOf increment: ExactDecimal) -> ExactDecimal {
        guard increment.isPositive, !isNegative else { return self }
        return ExactDecimal(units: units - units % increment.units)
    }

    private static func step(ofDecimals count: Int) -> Int128 {
        var step = Self.unit
        for _ in 0..<min(max(0, count), decimals) { step /= 10 }
        return step
    }
}
