import Screen

/// Contrast between two colours as WCAG 2.2 defines it: 1 for none to 21 for black on white.
enum Contrast {
    /// The ratio of two colours.
    static func ratio(_ one: RGB, _ other: RGB) -> Double {
        let (first, second) = (luminance(one), luminance(other))
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    /// Relative luminance, 0–1.
    private static func luminance(_ color: RGB) -> Double {
        0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    }

    private static func linear(_ channel: UInt8) -> Double {
        let value = Double(channel) / 255
        guard value > 0.04045 else { return value / 12.92 }
        let base = (value + 0.055) / 1.055
        // base^2.4 = base² · (base^⅕)²: a fifth root by Newton's method spares the C library.
        let root = fifthRoot(base)
        return base * base * root * root
    }

    private static func fifthRoot(_ value: Double) -> Double {
        var root = 1.0
        for _ in 0..<24 {
            let fourth = root * root * root * root
            root -= (fourth * root - value) / (5 * fourth)
        }
        return root
    }
}
