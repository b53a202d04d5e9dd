import Screen

/// The help of a screen that is a table: the keys as they are bound now with what they do, and the words of its columns. A click on
/// a key is as pressing it.
struct TableHelp {
    /// Columns of its lines.
    static let columns = 74
    private static let keyColumns = 16

    private let context: ViewContext
    private(set) var rows: [HintRow] = []

    init(_ context: ViewContext) {
        self.context = context
    }

    /// Adds the first key of each action with what they do. Where it is only one, the words belong to it.
    mutating func add(_ actions: Action..., does meaning: SafeText) {
        add(actions.compactMap(key), meaning)
    }

    /// Adds a key of the table and that of the action that does the same.
    private mutating func add(_ key: TableKey, _ action: Action, _ meaning: SafeText) {
        let own = Key(text: key.rawValue, press: KeyPress(parsing: key.rawValue).map(HintPress.key))
        add([own] + [self.key(action)].compactMap { $0 }, meaning)
    }

    /// A key as it is shown, and what a click on it does.
    private struct Key {
        var text: String
        var press: HintPress?
    }

    private func key(_ action: Action) -> Key? {
        context.settings.keymap.keys(for: action).first.map { Key(text: KeyName.short($0), press: .action(action)) }
    }

    private mutating func add(_ keys: [Key], _ meaning: SafeText) {
        var row = HintRow()
        for key in keys {
            if row.columns > 0 { row.append(StyledLine(" ", .footerKey)) }
            row.append(.of(key.text, .footerKey), key.press)
        }
        row.pad(to: Self.keyColumns)
        row.append(StyledLine(meaning, .text), keys.count == 1 ? keys[0].press : nil)
        rows.append(row)
    }

    mutating func addMoving() { add(.up, .down, .first, .last, does: "move; also pages and the mouse") }

    mutating func addSorting() {
        add(.sort, .sort, "sort by the next column; a click on a title sorts by it")
        add(.reverse, .reverseSort, "reverse the order")
    }

    /// What concerns the log and the whole screen, and a blank line.
    mutating func addScreen() {
        add(.logLevel, .follow, .wrap, .timestamps, does: "log: level, follow, wrap, times; / filters it")
        add(.command, does: "commands: theme, log, filter and others")
        add(.theme, does: "next theme")
        add(.redraw, .suspend, does: "redraw, suspend")
        add(.quit, does: "quit")
        rows.append(HintRow())
        add(words: [("other keys", ":bind ACTION KEY, or keys: of the config file to keep them")])
    }

    /// A line of words with their meanings.
    mutating func add(words: [(SafeText, SafeText)]) {
        var line = StyledLine()
        for (word, meaning) in words {
            if line.columns > 0 { line.space(3) }
            line.append(word + " ", .textMuted)
            line.append(meaning, .text)
        }
        add(line)
    }

    mutating func add(_ line: StyledLine) { rows.append(HintRow(line)) }
}

/// The keys of a table in the footer, the most important first: with help, quit and the command line all others can be reached.
enum TableHints {
    /// - Parameter opening: what Enter opens.
    static func all(opening: SafeText) -> [FooterHint] {
        [
            FooterHint([.help], "help", place: 0), FooterHint([.quit], "quit", place: 9),
            FooterHint([.command], "command", short: "cmd", place: 1), FooterHint([.open], opening, place: 2),
            FooterHint([.filter], "filter", place: 3),
            FooterHint([.sort], key: TableKey.sort.rawValue, "sort", place: 4),
            FooterHint([.nextFailure], "next problem", short: "problem", place: 6),
            FooterHint([.nextPane], "pane", place: 7),
            FooterHint([.theme], "theme", place: 8),
            FooterHint([.reverseSort], key: TableKey.reverse.rawValue, "reverse", place: 5),
        ]
    }
}
