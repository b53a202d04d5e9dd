import Ports
import Screen

/// A column of a table, which is a sort key, too.
protocol TableColumn: RawRepresentable<String>, CaseIterable, Sendable, Hashable {
    var title: SafeText { get }
    /// The title where the column is narrower than that.
    var shortTitle: SafeText { get }
    /// Whether its texts are aligned right.
    var isNumber: Bool { get }
}

extension TableColumn {
    var shortTitle: SafeText { title }

    /// The next sort key, after the last the first.
    var next: Self {
        let all = Array(Self.allCases)
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}

/// The cells of a column, without the blank after it.
struct TablePlace<Column: TableColumn>: Equatable {
    let column: Column
    let x: Int
    let width: Int
}

extension Array {
    /// The column under a cell, nil beside them.
    func column<Column>(at x: Int) -> Column? where Element == TablePlace<Column> {
        last { $0.x <= x && x <= $0.x + $0.width }?.column
    }
}

/// Heading and rows of a table, the first cell of which is the cursor's.
struct TableRows<Column: TableColumn> {
    let places: [TablePlace<Column>]
    let sort: Column
    let isReversed: Bool
    /// Marked in the rows.
    let filter: String
    let isFocused: Bool
    let context: ViewContext

    func draw(heading: Rect, on grid: inout Grid) {
        guard !heading.isEmpty else { return }
        for place in places {
            let title = place.width < place.column.title.columns ? place.column.shortTitle : place.column.title
            guard place.column == sort else {
                put(StyledLine(title, .textMuted), place, in: heading, on: &grid)
                continue
            }
            guard title.columns >= place.width else {
                put(StyledLine(title + mark, .paneFocus), place, in: heading, on: &grid)
                continue
            }
            // A title that fills its column has its mark in the blank behind that.
            put(StyledLine(title, .paneFocus), place, in: heading, on: &grid)
            let blank = Point(x: heading.x + 1 + place.x + place.width, y: heading.y)
            if heading.contains(blank) { grid.put(mark, at: blank, role: .paneFocus) }
        }
    }

    /// Draws the rows that are visible; `cell` is the text of a row in a column.
    func draw(
        _ viewport: Viewport, selected: Int, in rows: Rect, on grid: inout Grid,
        cell: (_ row: Int, _ place: TablePlace<Column>) -> StyledLine
    ) {
        let filter = TextFilter(filter)
        for (line, index) in viewport.visible.enumerated() {
            let row = rows.row(line)
            let isSelected = index == selected
            if isSelected { grid.put(SafeText(context.glyphs.cursor), at: row.origin, role: .paneFocus) }
            for place in places { put(cell(index, place), place, in: row, on: &grid) }
            if isSelected { grid.mark(row, isFocused ? .selection : .selectionInactive) }
            grid.markMatches(of: filter, in: row, isSelected ? .matchCurrent : .match)
        }
    }

    /// The sign of the sorted column.
    private var mark: SafeText {
        context.glyphs.isASCII ? (isReversed ? "^" : "v") : (isReversed ? "▲" : "▼")
    }

    private func put(_ line: StyledLine, _ place: TablePlace<Column>, in row: Rect, on grid: inout Grid) {
        let text = line.truncatedTail(to: place.width, context.glyphs)
        let shift = place.column.isNumber ? place.width - text.columns : 0
        grid.put(text, at: Point(x: row.x + 1 + place.x + shift, y: row.y), maxColumns: place.width)
    }
}

/// Texts of cells.
enum CellText {
    /// A count in so many columns: with its thousands separated where it fits, else rounded down: `4,711`, `4.7k`, `12k`, `3M`.
    static func number(_ count: Int, columns: Int = 4) -> String {
        let exact = count.grouped
        guard count >= 1_000, exact.utf8.count > columns else { return exact }
        let (unit, letter) = count < 1_000_000 ? (1_000, "k") : (1_000_000, "M")
        let (whole, tenth) = (count / unit, count / (unit / 10) % 10)
        let fine = "\(whole).\(tenth)\(letter)"
        return tenth > 0 && fine.utf8.count <= columns ? fine : "\(min(whole, 999))\(letter)"
    }

    /// A count in a cell of so many columns, muted where it is zero.
    static func count(_ count: Int, _ role: Role = .text, columns: Int) -> StyledLine {
        .of(number(count, columns: columns), count == 0 ? .textMuted : role)
    }

    /// A lateness that is more than a second stands out.
    static func late(_ late: Duration?) -> StyledLine {
        guard let late else { return StyledLine("-", .textMuted) }
        return .of(TimeText.latency(late), late > .seconds(1) ? .stateRetry : .text)
    }

    static func age(_ age: Duration?, warnsAfter limit: Duration) -> StyledLine {
        guard let age else { return StyledLine("-", .textMuted) }
        return .of(TimeText.coarse(max(.zero, age)), age > limit ? .stateRetry : .text)
    }
}
