import Screen

/// What a click on a hint does.
enum HintPress: Equatable, Sendable {
    /// What the keys of the action do.
    case action(Action)
    /// As if that key were pressed: a letter of a view, an answer, the end of an entry.
    case key(KeyPress)
    /// What the action does in the help, which stays open.
    case ofHelp(Action)
    /// As if `!` were typed in front of a filter, or deleted there.
    case invertFilter
}

/// A row of text of which parts can be clicked. Drawing and clicks use the same row and the same cells, so that a part
/// is clicked where it is shown, whatever its words are.
struct HintRow: Sendable, Equatable {
    /// A part that can be clicked, and its columns in the row.
    struct Part: Equatable, Sendable {
        let press: HintPress
        let columns: Range<Int>
    }

    /// What is shown.
    private(set) var line: StyledLine
    /// The parts from left to right; none overlaps another.
    private(set) var parts: [Part] = []

    /// How many cells the row takes.
    var columns: Int { line.columns }

    /// A row that begins with a text.
    init(_ line: StyledLine = StyledLine()) {
        self.line = line
    }

    /// Adds a text at the end; without a press it is only shown.
    mutating func append(_ text: StyledLine, _ press: HintPress? = nil) {
        let start = columns
        line.append(text)
        if let press, columns > start { parts.append(Part(press: press, columns: start..<columns)) }
    }

    /// Adds a hint that begins with several keys, each followed by a blank. Each key is a part by itself, and the words
    /// belong to the last.
    mutating func append(_ text: StyledLine, _ presses: [HintPress], keys: [String]) {
        var start = columns
        line.append(text)
        for (index, press) in presses.enumerated() {
            let isLast = index == presses.count - 1
            let end = isLast ? columns : min(start + SafeText(outside: keys[index]).columns + 1, columns)
            if end > start { parts.append(Part(press: press, columns: start..<end)) }
            start = end
        }
    }

    /// Adds another row at the end.
    mutating func append(_ row: HintRow) {
        let start = columns
        line.append(row.line)
        parts += row.parts.map {
            Part(press: $0.press, columns: $0.columns.lowerBound + start..<$0.columns.upperBound + start)
        }
    }

    /// Adds blanks.
    mutating func space(_ count: Int = 1) { line.space(count) }

    /// Adds blanks up to a column; nothing where the row is there already.
    mutating func pad(to column: Int) { line.pad(to: column) }

    /// The row up to the last hint that fits whole: half a hint is of no use.
    func whole(in limit: Int) -> HintRow {
        guard columns > limit, let last = parts.last(where: { $0.columns.upperBound <= limit }) else { return self }
        var row = self
        row.line = line.prefix(columns: last.columns.upperBound)
        row.parts = parts.filter { $0.columns.upperBound <= last.columns.upperBound }
        return row
    }

    /// Draws into the first row of `rect`; what does not fit is cut with an ellipsis.
    func draw(in rect: Rect, _ glyphs: Glyphs, on grid: inout Grid) {
        guard !rect.isEmpty else { return }
        grid.put(line.truncatedTail(to: rect.width, glyphs), at: rect.origin, maxColumns: rect.width)
    }

    /// What a click on a point does when the row is drawn in `rect`; nil beside the parts, and where they are cut.
    func press(at point: Point, in rect: Rect) -> HintPress? {
        guard rect.contains(point), point.y == rect.y else { return nil }
        let column = point.x - rect.x
        guard column < (columns > rect.width ? rect.width - 1 : columns) else { return nil }
        return parts.first { $0.columns.contains(column) }?.press
    }
}
