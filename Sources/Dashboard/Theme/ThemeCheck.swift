package import Screen

/// What `adtop theme check` reports about a theme that can be read (TERM-37).
package enum ThemeCheck {
    /// Least WCAG contrast of text.
    package static let textContrast = 4.5
    /// Least WCAG contrast of borders and tracks.
    package static let borderContrast = 3.0
    /// Colour pairs that an 8-colour terminal has room for (TERM-22).
    package static let pairLimit = 63

    /// Roles that must differ from plain text without colour.
    package static let meaningful: [Role] = [
        .textEscaped, .selection, .selectionInactive, .match, .matchCurrent, .paneFocus, .headerArmed,
        .stateBusy, .stateRetry, .stateDone, .stateFailed, .stateOff, .statePartial, .stateUnknown,
        .http4xx, .http5xx, .timelinePlayhead, .timelineError, .sparkBad, .logWarn, .logError,
        .toastBad, .bannerFrozen, .inputError,
    ]

    /// Roles of lines, which are not read as text.
    private static let lines: Set<Role> = [.paneBorder, .paneFocus, .timelineTrack, .timelinePast, .timelineFuture]

    /// All findings, file problems first, each one line.
    package static func problems(of theme: Theme) -> [ThemeProblem] {
        let file = theme.layers.first?.file ?? theme.name
        return theme.warnings
            + messages(of: theme).map { ThemeProblem(file, .none, $0, severity: .warning) }
    }

    private static func messages(of theme: Theme) -> [String] {
        mono(theme) + pairs(theme) + contrast(theme) + derived(theme)
    }

    /// Rule 5: states differ pairwise in glyph and attributes, and meaning survives without colour.
    private static func mono(_ theme: Theme) -> [String] {
        let palette = theme.palette(at: .none)
        var messages = meaningful.filter { palette.style($0) == palette.style(.text) }
            .map { "\($0.name) looks like plain text without colour; add mono=" }
        for glyphs in [Glyphs.unicode, .ascii] {
            let looks = StateSign.allCases.map { (sign: $0, glyph: glyphs.sign($0), style: palette.style($0.role)) }
            for (index, one) in looks.enumerated() {
                for other in looks[(index + 1)...] where one.glyph == other.glyph && one.style == other.style {
                    messages.append("\(one.sign.role.name) and \(other.sign.role.name) look the same without colour")
                }
            }
        }
        return messages
    }

    /// Rule 6: the pairs of an 8-colour terminal.
    private static func pairs(_ theme: Theme) -> [String] {
        let count = pairCount(theme)
        return count > pairLimit ? ["\(count) colour pairs with 8 colours; terminals have \(pairLimit)"] : []
    }

    /// Distinct foreground and background combinations with 8 colours, marks included.
    package static func pairCount(_ theme: Theme) -> Int {
        Set(theme.palette(at: .ansi8).distinctStyles.map { [$0.foreground, $0.background] }).count
    }

    /// Rule 7, and at every depth: a glyph in the colour of its background is invisible.
    private static func contrast(_ theme: Theme) -> [String] {
        var messages: [String] = []
        for depth in [ColorDepth.ansi8, .ansi16, .indexed256, .truecolor] {
            let palette = theme.palette(at: depth)
            for role in Role.allCases {
                for mark in Mark.allCases {
                    messages += contrast(palette.style(role, mark), role, mark, depth)
                }
            }
        }
        return messages
    }

    private static func contrast(_ style: Style, _ role: Role, _ mark: Mark, _ depth: ColorDepth) -> [String] {
        guard style.foreground != .terminal || style.background != .terminal else { return [] }
        let name = mark.role.map { "\(role.name) under \($0.name)" } ?? role.name
        if style.foreground == style.background { return ["\(name) is invisible at depth \(depth)"] }
        // Lower depths depend on the user's own colours; only the given values can be measured.
        guard depth == .truecolor, let front = TerminalColors.rgb(style.foreground),
            let back = TerminalColors.rgb(style.background)
        else { return [] }
        let least = lines.contains(role) ? borderContrast : textContrast
        let ratio = Contrast.ratio(front, back)
        return ratio < least ? ["\(name) has contrast \(tenths(ratio)), less than \(tenths(least))"] : []
    }

    /// Rule 3: 16-colour values that only follow from the hue.
    private static func derived(_ theme: Theme) -> [String] {
        Role.allCases.compactMap { role in
            guard let style = theme.styleString(of: role) else { return nil }
            let derives = [style.foreground, style.background].contains { theme.color($0).derivesANSI }
            return derives ? "\(role.name) has no 16-colour value; derived by hue" : nil
        }
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded(.down))
        return "\(tenths / 10).\(tenths % 10)"
    }
}
