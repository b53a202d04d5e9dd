package import Ports

/// The output of programs that compute buckets with binary doubles, for comparison only: a value that a server sent is
/// never recomputed (BID-6).
package enum DoubleBucket {
    /// Prebid Server, Go: `floor((cpm - min) / increment) * increment + min`.
    package static func prebidServer(_ price: ExactDecimal, _ granularity: PriceGranularity) -> String {
        let cpm = price.doubleValue
        var maximum = 0.0
        var step: (minimum: Double, increment: Double)?
        for range in granularity.ranges {
            let (low, high) = (range.minimum.doubleValue, range.maximum.doubleValue)
            maximum = max(maximum, high)
            if cpm >= low, cpm <= high { step = (low, range.increment.doubleValue) }
        }
        if cpm > maximum { return FixedText.text(maximum, decimals: granularity.precision, ties: .toEven) }
        guard let step else { return "" }
        let rounded = ((cpm - step.minimum) / step.increment).rounded(.down) * step.increment + step.minimum
        return FixedText.text(rounded, decimals: granularity.precision, ties: .toEven)
    }

    /// Prebid.js: numbers are padded before division, `min` is not supported, and the first matching range counts.
    package static func prebidJS(_ price: ExactDecimal, _ granularity: PriceGranularity) -> String {
        let cpm = price.doubleValue
        let precision = granularity.precision
        if cpm > granularity.cap.doubleValue {
            return FixedText.text(granularity.ranges.last?.maximum.doubleValue ?? 0, decimals: precision, ties: .up)
        }
        var floor = 0.0
        for range in granularity.ranges {
            let maximum = range.maximum.doubleValue
            guard cpm <= maximum, cpm >= floor else {
                floor = maximum
                continue
            }
            var padding = 1.0
            for _ in 0..<precision + 2 { padding *= 10 }
            let increment = range.increment.doubleValue
            let steps = ((cpm * padding - floor * padding) / (increment * padding)).rounded(.down)
            let target = Double(FixedText.text(steps * increment + floor, decimals: 10, ties: .up)) ?? 0
            return FixedText.text(target, decimals: precision, ties: .up)
        }
        return ""
    }
}

/// The exact value of a double with a fixed number of decimals.
private enum FixedText {
    enum Ties {
        case up, toEven
    }

    /// Valid for 0 up to 10^18 and 0 to 15 decimals; empty otherwise.
    static func text(_ number: Double, decimals: Int, ties: Ties) -> String {
        guard number >= 0, number < 1e18, (0...15).contains(decimals) else { return "" }
        var scale: UInt128 = 1
        for _ in 0..<decimals { scale *= 10 }
        var digits = String(scaled(number, by: scale, ties: ties))
        guard decimals > 0 else { return digits }
        if digits.utf8.count <= decimals {
            digits = String(repeating: "0", count: decimals + 1 - digits.utf8.count) + digits
        }
        return "\(digits.dropLast(decimals)).\(digits.suffix(decimals))"
    }

    private static func scaled(_ number: Double, by scale: UInt128, ties: Ties) -> UInt128 {
        guard number > 0 else { return 0 }
        // number = significand * 2^-shift, where the significand is a 53-bit integer.
        let significand = UInt128(number.significandBitPattern | (number.isNormal ? 1 << 52 : 0))
        let shift = 52 - Int(number.exponent)
        guard shift > 0 else { return (significand << UInt128(-shift)) * scale }
        guard shift < 127 else { return 0 }
        let product = significand * scale
        let whole = product >> UInt128(shift)
        let rest = product & ((1 << UInt128(shift)) - 1)
        let half: UInt128 = 1 << UInt128(shift - 1)
        let isUp = rest > half || (rest == half && (ties == .up || whole % 2 == 1))
        return whole + (isUp ? 1 : 0)
    }
}
