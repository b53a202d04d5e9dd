/// A user in front of a pseudo-terminal: reads its screen, types, and clicks on what is written there.
package final class TerminalUser {
    /// The terminal, in which the program runs.
    package let terminal: PseudoTerminal
    private var screen: TerminalScreen
    private var taken = 0

    /// Starts a program in a terminal of that size.
    package init(
        _ executable: String, _ arguments: [String], columns: Int, rows: Int, environment: [String: String]
    ) throws {
        terminal = try PseudoTerminal(columns: columns, rows: rows)
        screen = TerminalScreen(columns: columns, rows: rows)
        try terminal.run(executable, arguments, environment: environment)
    }

    /// The screen as it is now.
    package var text: String {
        read()
        return screen.rows.joined(separator: "\n")
    }

    /// Waits until a text is on the screen, in one row.
    /// - Returns: the place of its first cell.
    @discardableResult
    package func see(_ text: String, within limit: Duration = .seconds(30)) throws -> (x: Int, y: Int) {
        var place: (x: Int, y: Int)?
        do {
            try terminal.read(within: limit, waitingFor: "\"\(text)\"") {
                read()
                place = screen.place(of: text)
                return place != nil
            }
        } catch {
            throw PseudoTerminal.Failure(description: "\"\(text)\" did not come; the screen was\n\(self.text)")
        }
        return place ?? (0, 0)
    }

    /// Waits until a text is no longer on the screen.
    package func seeNot(_ text: String, within limit: Duration = .seconds(30)) throws {
        try terminal.read(within: limit, waitingFor: "the end of \"\(text)\"") {
            read()
            return screen.place(of: text) == nil
        }
    }

    /// Types keys, as bytes.
    package func type(_ keys: String) {
        terminal.type(keys)
    }

    /// Clicks on the first cell of a text when it is on the screen, or on one that many cells further right; twice for a double click.
    package func click(_ text: String, times: Int = 1, offset: Int = 0) throws {
        let place = try see(text)
        for _ in 0..<times { press(button: 0, (place.x + offset, place.y)) }
    }

    /// Turns the wheel down over a text.
    package func wheelDown(over text: String) throws {
        press(button: 65, try see(text))
    }

    /// A report of the mouse in its SGR form, whose cells begin with 1.
    private func press(button: Int, _ place: (x: Int, y: Int)) {
        let cell = "\(button);\(place.x + 1);\(place.y + 1)"
        terminal.type("\u{1B}[<\(cell)M")
        // The wheel has no release.
        if button < 64 { terminal.type("\u{1B}[<\(cell)m") }
    }

    private func read() {
        screen.write(terminal.transcript[taken...])
        taken = terminal.transcript.count
    }
}
