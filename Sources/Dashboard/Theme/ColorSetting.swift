package import Screen

/// The values of `--color` (TERM-35).
package enum ColorSetting: String, CaseIterable, Sendable {
    case auto, never, ansi16 = "16", indexed256 = "256", truecolor
}

/// Facts about the output that need no request to the terminal.
package struct ColorFacts: Sendable, Equatable {
    /// Values of NO_COLOR, CLICOLOR_FORCE and COLORTERM; nil when unset.
    package var noColor, forceColor, colorTerm: String?
    /// terminfo's `colors`, nil when TERM is unknown or unset.
    package var colors: Int?
    /// terminfo's `RGB`.
    package var hasRGB: Bool
    /// Whether the output is a terminal rather than a pipe or a file.
    package var isTerminal: Bool

    /// The facts, as found by the caller.
    package init(
        noColor: String? = nil, forceColor: String? = nil, colorTerm: String? = nil,
        colors: Int? = nil, hasRGB: Bool = false, isTerminal: Bool = true
    ) {
        (self.noColor, self.forceColor, self.colorTerm) = (noColor, forceColor, colorTerm)
        (self.colors, self.hasRGB, self.isTerminal) = (colors, hasRGB, isTerminal)
    }
}

extension ColorSetting {
    /// The depth: the flag, then NO_COLOR (empty means unset), CLICOLOR_FORCE, COLORTERM, terminfo.
    package func depth(_ facts: ColorFacts) -> ColorDepth {
        switch self {
        case .never: return .none
        case .ansi16: return .ansi16
        case .indexed256: return .indexed256
        case .truecolor: return .truecolor
        case .auto: break
        }
        if let value = facts.noColor, !value.isEmpty { return .none }
        let forced = facts.forceColor.map { !$0.isEmpty && $0 != "0" } ?? false
        guard facts.isTerminal || forced else { return .none }
        if facts.colorTerm == "truecolor" || facts.colorTerm == "24bit" { return .truecolor }
        let known = ColorSetting.depth(colors: facts.colors ?? 0, hasRGB: facts.hasRGB)
        // Forced into a pipe without a usable TERM: the 16 colours work wherever colour works.
        return forced && known == .none ? .ansi16 : known
    }

    /// The depth of a terminal by its terminfo entry.
    private static func depth(colors: Int, hasRGB: Bool) -> ColorDepth {
        if hasRGB { return .truecolor }
        switch colors {
        case ..<8: return .none
        case ..<16: return .ansi8
        case ..<256: return .ansi16
        default: return .indexed256
        }
    }
}
