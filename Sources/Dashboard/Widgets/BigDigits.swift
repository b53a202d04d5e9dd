import Screen

/// A number that can be read from across the room: five rows high, three cells a digit.
enum BigDigits {
    static let rows = 5
    /// Columns of a digit with the blank after it.
    static let digitColumns = 4

    /// By digit, the lit cells of its rows from left to right.
    private static let shapes: [[String]] = [
        ["###", "# #", "# #", "# #", "###"], ["  #", "  #", "  #", "  #", "  #"],
        ["###", "  #", "###", "#  ", "###"], ["###", "  #", "###", "  #", "###"],
        ["# #", "# #", "###", "  #", "  #"], ["###", "#  ", "###", "  #", "###"],
        ["###", "#  ", "###", "# #", "###"], ["###", "  #", "  #", "  #", "  #"],
        ["###", "# #", "###", "# #", "###"], ["###", "# #", "###", "  #", "###"],
    ]

    /// The rows of a number; a negative number is shown as 0.
    static func lines(_ number: Int64, _ role: Role, _ glyphs: Glyphs) -> [StyledLine] {
        let digits = String(max(0, number)).utf8.map { Int($0) - 0x30 }
        return (0..<rows).map { row in
            var line = StyledLine()
            for digit in digits {
                for cell in shapes[digit][row].utf8 {
                    line.append(cell == UInt8(ascii: "#") ? SafeText(glyphs.gaugeFull) : " ", role)
                }
                line.space()
            }
            return line
        }
    }
}
