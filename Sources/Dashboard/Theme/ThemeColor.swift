import Ports
package import Screen

/// A colour as a theme gives it, for up to three depths at once: `#7aa2f7/111/bright-blue` (TERM-36).
///
/// Depths that are not given are derived from the next higher one (TERM-36); `default` is the terminal's own colour.
package struct ThemeColor: Hashable, Sendable {
    /// For 24-bit terminals.
    var truecolor: Color?
    /// For 256 colours.
    var indexed: Color?
    /// For 16 colours.
    var ansi: Color?

    /// The colour at a depth.
    package func color(at depth: ColorDepth) -> Color {
        switch depth {
        case .none: .terminal
        case .ansi8: ansi16.withoutBright
        case .ansi16: ansi16
        case .indexed256: indexed ?? truecolor.map(ColorReduction.indexed) ?? ansi ?? .terminal
        case .truecolor: truecolor ?? indexed ?? ansi ?? .terminal
        }
    }

    /// Whether the 16-colour value is only derived by hue, which `theme check` warns about.
    var derivesANSI: Bool {
        guard ansi == nil, let richest = truecolor ?? indexed else { return false }
        return richest != .terminal
    }

    private var ansi16: Color { ansi ?? (truecolor ?? indexed).map(ColorReduction.ansi) ?? .terminal }
}

extension ThemeColor {
    /// Reads one to three parts between slashes; each is `default`, a colour name, a number 0–255 or `#rrggbb`.
    ///
    /// Parts go from the highest depth to the lowest, but a single one is used for every depth it can serve. Nil when a part is none of these.
    init?(parsing text: Substring) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(ThemeColor.part)
        switch parts.count {
        case 1:
            guard let only = parts[0] else { return nil }
            self.init(single: only)
        case 2, 3:
            guard let first = parts[0], let second = parts[1], !second.isRGB else { return nil }
            guard parts.count == 2 || parts[2] != nil, parts.count == 2 || parts[2]?.needsTable == false else {
                return nil
            }
            self.init(truecolor: first, indexed: second, ansi: parts.count == 3 ? parts[2] : nil)
        default:
            return nil
        }
    }

    private init(single: Color) {
        switch single {
        case .rgb: self.init(truecolor: single)
        case .indexed: self.init(indexed: single)
        case .ansi, .terminal: self.init(ansi: single)
        }
    }

    private static func part(_ text: Substring) -> Color? {
        if text == "default" { return .terminal }
        if let named = ANSIColor(name: String(text)) { return .ansi(named) }
        if text.first == "#" { return hex(text.dropFirst()).map(Color.rgb) }
        guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let index = UInt8(text)
        else { return nil }
        return ANSIColor(rawValue: index).map(Color.ansi) ?? .indexed(index)
    }

    private static func hex(_ digits: Substring) -> RGB? {
        guard digits.utf8.count == 6, digits.utf8.allSatisfy(\.isHexDigit),
            let value = UInt32(digits, radix: 16)
        else { return nil }
        return RGB(
            UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 8),
            UInt8(truncatingIfNeeded: value))
    }
}

extension Color {
    fileprivate var isRGB: Bool { if case .rgb = self { true } else { false } }

    /// Whether it needs more than the 16 colours.
    fileprivate var needsTable: Bool {
        switch self {
        case .terminal, .ansi: false
        case .indexed, .rgb: true
        }
    }

    /// The same hue among the first eight.
    fileprivate var withoutBright: Color {
        if case .ansi(let color) = self { .ansi(color.plain) } else { self }
    }
}
