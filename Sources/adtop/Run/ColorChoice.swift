import Dashboard
import Screen
import Terminal

/// The colour depth that flag, environment and terminal add up to (TERM-35).
struct ColorChoice {
    let setting: ColorSetting
    let environment: [String: String]

    /// Never more than the terminal can paint.
    func depth(of terminal: TerminalCapabilities) -> ColorDepth {
        let asked = setting.depth(
            facts(colors: Self.colors(terminal.depth), isRGB: terminal.depth == .truecolor, isTerminal: true))
        return min(asked, terminal.depth)
    }

    /// For `--format ansi`, which asks for colour: where nothing is known of the reader, 256 colours are a fair guess.
    var depthOfDump: ColorDepth {
        var facts = facts(colors: 256, isRGB: false, isTerminal: true)
        facts.forceColor = facts.forceColor ?? "1"
        return setting.depth(facts)
    }

    private static func colors(_ depth: ColorDepth) -> Int {
        switch depth {
        case .none: 0
        case .ansi8: 8
        case .ansi16: 16
        case .indexed256, .truecolor: 256
        }
    }

    private func facts(colors: Int, isRGB: Bool, isTerminal: Bool) -> ColorFacts {
        ColorFacts(
            noColor: environment["NO_COLOR"], forceColor: environment["CLICOLOR_FORCE"],
            colorTerm: environment["COLORTERM"],
            colors: colors, hasRGB: isRGB, isTerminal: isTerminal)
    }
}
