import Screen

/// The numbers by which a terminal knows colours.
struct ColorNumbers: Equatable {
    /// Colours of the terminal.
    let colors: Int
    /// Whether numbers from 8 up are 24-bit values (TERM-23).
    let isDirect: Bool

    /// The terminal's own colour.
    static let terminal = -1
    /// In direct-colour entries the numbers below this are palette entries, so nearly black blues cannot be named.
    private static let firstDirect = 8

    /// The number of a colour; the terminal's own for one it does not have.
    func number(of color: Color) -> Int {
        switch color {
        case .terminal:
            return ColorNumbers.terminal
        case .ansi(let ansi) where isDirect && ansi.isBright:
            return direct(color)
        case .ansi(let ansi):
            if colors >= 16 { return Int(ansi.rawValue) }
            return colors >= 8 ? Int(ansi.plain.rawValue) : ColorNumbers.terminal
        case .indexed(let index):
            if isDirect { return direct(color) }
            return colors >= 256 ? Int(index) : ColorNumbers.terminal
        case .rgb:
            return isDirect ? direct(color) : ColorNumbers.terminal
        }
    }

    private func direct(_ color: Color) -> Int {
        guard let rgb = TerminalColors.rgb(color) else { return ColorNumbers.terminal }
        return max(Int(rgb.red) << 16 | Int(rgb.green) << 8 | Int(rgb.blue), ColorNumbers.firstDirect)
    }
}

/// Allocates ncurses' colour pairs, each combination once. A pair that was never set up would paint black on black, so
/// whatever fails gives pair 0, the terminal's own colours (TERM-22).
struct ColorPairs {
    private struct Combination: Hashable {
        let foreground: Int
        let background: Int
    }

    /// `setcchar` takes pair numbers as a short.
    static let limit = 32_767

    private let capacity: Int
    private var pairs: [Combination: Int] = [:]
    private var used = 0

    /// A cache for a terminal with that many pairs, pair 0 included: 64 on 8-colour terminals (TERM-22).
    init(capacity: Int) {
        self.capacity = min(capacity, ColorPairs.limit)
    }

    /// The pair of two colour numbers; `initialize` sets up a new one and returns whether that worked.
    mutating func pair(
        foreground: Int, background: Int, initialize: (_ pair: Int, _ foreground: Int, _ background: Int) -> Bool
    ) -> Int {
        let combination = Combination(foreground: foreground, background: background)
        guard combination != Combination(foreground: ColorNumbers.terminal, background: ColorNumbers.terminal) else {
            return 0
        }
        if let pair = pairs[combination] { return pair }
        guard used + 1 < capacity, initialize(used + 1, foreground, background) else {
            pairs[combination] = 0
            return 0
        }
        used += 1
        pairs[combination] = used
        return used
    }
}
