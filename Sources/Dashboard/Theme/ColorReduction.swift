package import Screen

/// Derives colours of lower depth from colours of higher depth (TERM-36).
package enum ColorReduction {
    /// The nearest entry of the cube 16–231 or the grey ramp 232–255; never 0–15, which users redefine.
    package static func indexed(_ color: Color) -> Color {
        guard case .rgb(let rgb) = color else { return color }
        var best: UInt8 = 16
        var least = Int.max
        for index in UInt8(16)...255 {
            let distance = distance(rgb, TerminalColors.rgb(index: index))
            if distance < least { (best, least) = (index, distance) }
        }
        return .indexed(best)
    }

    /// One of the 16 by hue class: greys by lightness, colours by sixth of the circle, bright when light.
    package static func ansi(_ color: Color) -> Color {
        guard let rgb = TerminalColors.rgb(color) else { return color }
        if case .ansi = color { return color }
        let (red, green, blue) = (Int(rgb.red), Int(rgb.green), Int(rgb.blue))
        let high = max(red, green, blue), low = min(red, green, blue)
        let lightness = (high + low) / 2
        guard high > 0, (high - low) * 100 >= high * greySaturation else { return .ansi(grey(lightness)) }
        let names: [ANSIColor] = [.red, .yellow, .green, .cyan, .blue, .magenta]
        let sixth = ((hue(red, green, blue, high: high, low: low) + 30) % 360) / 60
        let plain = names[min(max(sixth, 0), 5)]
        return .ansi(lightness > 127 ? ANSIColor(rawValue: plain.rawValue + 8) ?? plain : plain)
    }

    /// Below this saturation, in percent, a colour counts as grey.
    private static let greySaturation = 18

    /// Weighted squared distance ("redmean"): close to what eyes see, in integers.
    private static func distance(_ one: RGB, _ other: RGB) -> Int {
        let mean = (Int(one.red) + Int(other.red)) / 2
        let red = Int(one.red) - Int(other.red)
        let green = Int(one.green) - Int(other.green)
        let blue = Int(one.blue) - Int(other.blue)
        return (512 + mean) * red * red + 1024 * green * green + (767 - mean) * blue * blue
    }

    private static func grey(_ lightness: Int) -> ANSIColor {
        switch lightness {
        case ..<40: .black
        case ..<128: .brightBlack
        case ..<216: .white
        default: .brightWhite
        }
    }

    /// Degrees on the colour circle, 0–359.
    private static func hue(_ red: Int, _ green: Int, _ blue: Int, high: Int, low: Int) -> Int {
        let span = max(high - low, 1)
        let degrees: Int
        if high == red {
            degrees = 60 * (green - blue) / span
        } else if high == green {
            degrees = 120 + 60 * (blue - red) / span
        } else {
            degrees = 240 + 60 * (red - green) / span
        }
        return (degrees + 360) % 360
    }
}
