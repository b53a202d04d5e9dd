/// A colour as a theme gives it or a terminal takes it.
package enum Color: Hashable, Sendable {
    /// The terminal's own foreground or background.
    case terminal
    /// One of the terminal's 16 colours, in the order of `ANSIColor`.
    case ansi(ANSIColor)
    /// An entry 16–255 of the 256-colour table; 0–15 are written as `ansi` because users redefine them.
    case indexed(UInt8)
    /// 24-bit colour.
    case rgb(RGB)
}

/// The 16 colours that every colour terminal lets its user define.
package enum ANSIColor: UInt8, CaseIterable, Sendable {
    case black, red, green, yellow, blue, magenta, cyan, white
    case brightBlack, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan, brightWhite

    /// The name in theme files, such as `bright-black`.
    package var name: String { ANSIColor.names[Int(rawValue)] }

    /// The colour of that name, nil when there is none.
    package init?(name: String) {
        guard let index = ANSIColor.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: UInt8(index))
    }

    /// Whether it is one of the second eight, which 8-colour terminals lack.
    package var isBright: Bool { rawValue >= 8 }

    /// The same hue among the first eight.
    package var plain: ANSIColor { ANSIColor(rawValue: rawValue & 7) ?? .black }

    private static let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
        "bright-black", "bright-red", "bright-green", "bright-yellow",
        "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
    ]
}

/// Red, green and blue, 0–255 each, in the sRGB space.
package struct RGB: Hashable, Sendable {
    /// Red, 0–255.
    package let red: UInt8
    /// Green, 0–255.
    package let green: UInt8
    /// Blue, 0–255.
    package let blue: UInt8

    /// A colour of the three channels.
    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// Text attributes that exist without colour.
package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    /// Any combination of the five bits.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Bold or brighter.
    package static let bold = Attributes(rawValue: 1)
    /// Fainter.
    package static let dim = Attributes(rawValue: 2)
    /// Slanted, where the terminal can.
    package static let italic = Attributes(rawValue: 4)
    /// Underlined.
    package static let underline = Attributes(rawValue: 8)
    /// Foreground and background exchanged.
    package static let reverse = Attributes(rawValue: 16)
}

/// How a cell is painted.
package struct Style: Hashable, Sendable {
    /// Colour of the glyph.
    package var foreground: Color
    /// Colour behind the glyph; `terminal` keeps the background (TERM-36).
    package var background: Color
    /// Attributes in addition to colour.
    package var attributes: Attributes

    /// The plain style is the terminal's own colours without attributes.
    package init(
        foreground: Color = .terminal, background: Color = .terminal, attributes: Attributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's own colours, no attributes.
    package static let plain = Style()

    /// This style under a mark: the mark's colours win where it has any, attributes add up.
    ///
    /// A mark that only colours the text does not change text that has a background: the two colours could be the same.
    package func marked(by mark: Style) -> Style {
        let keeps = mark.foreground == .terminal || (mark.background == .terminal && background != .terminal)
        return Style(
            foreground: keeps ? foreground : mark.foreground,
            background: mark.background == .terminal ? background : mark.background,
            attributes: attributes.union(mark.attributes))
    }
}

/// How many colours the output takes.
package enum ColorDepth: UInt8, CaseIterable, Comparable, Sendable {
    /// Attributes only: NO_COLOR and terminals without colour.
    case none
    /// The first eight colours (TERM=linux, xterm): 64 pairs.
    case ansi8
    /// The terminal's own 16.
    case ansi16
    /// The 256-colour table.
    case indexed256
    /// 24 bits.
    case truecolor

    /// Fewer colours come first.
    package static func < (lhs: ColorDepth, rhs: ColorDepth) -> Bool { lhs.rawValue < rhs.rawValue }
}
