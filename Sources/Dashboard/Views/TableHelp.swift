import Screen

/// The help of a screen that is a table: the keys as they are bound now with what they do, and the words of its columns.
struct TableHelp {
    /// Columns of its lines.
    static let columns = 74
    private static let keyColumns = 16

    private let context: ViewContext
    private(set) var lines: [StyledLine] = []

    init(_ context: ViewContext) {
        self.context = context
    }

    /// The first key of each action.
    func keys(_ actions: Action...) -> String {
        actions.flatMap { context.settings.keymap.keys(for: $0).prefix(1) }.map(KeyName.short).joined(separator: " ")
    }

    mutating func add(_ keys: String, _ meaning: SafeText) {
        var line = StyledLine.of(keys, .footerKey)
        line.pad(to: Self.keyColumns)
        line.append(meaning, .text)
        lines.append(line)
    }

    mutating func addMoving() { add(keys(.up, .down, .first, .last), "move; also pages and the mouse") }

    mutating func addSorting() {
        add(TableKey.sort.rawValue + " " + keys(.sort), "sort by the next column; a click on a title sorts by it")
        add(TableKey.reverse.rawValue + " " + keys(.reverseSort), "reverse the order")
    }

    /// What concerns the log and the whole screen, and a blank line.
    mutating func addScreen() {
        add(keys(.logLevel, .follow, .wrap, .timestamps), "log: level, follow, wrap, times; / filters it")
        add(keys(.command), "commands: theme, log, filter and others")
        add(keys(.theme), "next theme")
        add(keys(.redraw), "redraw")
        add(keys(.suspend), "suspend")
        add(keys(.quit), "quit")
        lines.append(StyledLine())
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

    mutating func add(_ line: StyledLine) { lines.append(line) }
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
