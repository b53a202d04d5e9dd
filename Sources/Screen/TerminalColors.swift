/// The colours behind the numbers of terminals, for uses that need red, green and blue: SVG, contrast, direct colour.
package enum TerminalColors {
    /// The value of a colour, nil for the terminal's own.
    package static func rgb(_ color: Color) -> RGB? {
        switch color {
        case .terminal: nil
        case .ansi(let color): ansi[Int(color.rawValue)]
        case .indexed(let index): rgb(index: index)
        case .rgb(let rgb): rgb
        }
    }

    /// Entry of the 256-colour table: the 16 users may redefine, the cube 16–231, the grey ramp 232–255.
    package static func rgb(index: UInt8) -> RGB {
        if index < 16 { return ansi[Int(index)] }
        if index >= 232 {
            let level = 8 + 10 * (index - 232)
            return RGB(level, level, level)
        }
        let cell = index - 16
        return RGB(levels[Int(cell / 36)], levels[Int(cell / 6 % 6)], levels[Int(cell % 6)])
    }

    /// The six levels of the cube.
    package static let levels: [UInt8] = [0, 95, 135, 175, 215, 255]

    /// xterm's defaults for the first 16; what a user's terminal shows may differ.
    private static let ansi = [
        RGB(0, 0, 0), RGB(205, 0, 0), RGB(0, 205, 0), RGB(205, 205, 0),
        RGB(0, 0, 238), RGB(205, 0, 205), RGB(0, 205, 205), RGB(229, 229, 229),
        RGB(127, 127, 127), RGB(255, 0, 0), RGB(0, 255, 0), RGB(255, 255, 0),
        RGB(92, 92, 255), RGB(255, 0, 255), RGB(0, 255, 255), RGB(255, 255, 255),
    ]
}
