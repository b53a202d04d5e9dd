import Dashboard
import Screen
import Terminal

/// The colour depth that follows from flag, environment and terminal (TERM-35).
struct ColorChoice {
    let setting: ColorSetting
    let environment: [String: String]

    /// The depth for a terminal, never more than it supports.
    func depth(of terminal: TerminalCapabilities) -> ColorDepth {
        let asked = setting.depth(
            facts(colors: Self.colors(terminal.depth), isRGB: terminal.depth == .truecolor, isTerminal: true))
        return min(asked, terminal.depth)
    }

    /// The depth for `--format ansi`, which requests colour. The reader's terminal is unknown; most support 256
    /// colours.
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
