/// Writes a grid as plain text: `--dump --format text`, export, and golden files.
package enum TextWriter {
    /// The rows as strings. Trailing blanks go unless `keepsTrailingBlanks`.
    package static func rows(of grid: Grid, keepsTrailingBlanks: Bool = false) -> [String] {
        (0..<grid.size.rows).map { y in
            let row = grid.row(y)
            let visibleEnd = row.lastIndex { $0.glyph != .space }.map { $0 + 1 } ?? row.startIndex
            let end = keepsTrailingBlanks ? row.endIndex : visibleEnd
            var text = String.UnicodeScalarView()
            for cell in row[row.startIndex..<end] { grid.append(cell, to: &text) }
            return String(text)
        }
    }

    /// All rows, each with a line end.
    package static func text(of grid: Grid) -> String {
        rows(of: grid).map { $0 + "\n" }.joined()
    }

    /// The golden form: every row closed by `|`, so that trailing blanks are visible (TERM-25);
    /// only the rows of `part` if given.
    package static func golden(of grid: Grid, in part: Rect? = nil) -> String {
        let part = (part ?? grid.bounds).intersection(grid.bounds)
        guard !part.isEmpty else { return "" }
        return (part.y..<part.maxY).map { grid.text(of: CellRun(row: $0, columns: part.x..<part.maxX)) + "|\n" }
            .joined()
    }

    /// The golden sidecar: a line per style run as `row: start-end role`, `role+mark` under a mark; columns inclusive.
    ///
    /// Runs of plain `text` are left out: they are the ground of everything else. With `part`, rows and columns count
    /// from its corner.
    package static func styleRuns(of grid: Grid, in part: Rect? = nil) -> String {
        let part = (part ?? grid.bounds).intersection(grid.bounds)
        var lines = ""
        for y in part.y..<part.maxY {
            for run in grid.styleRuns(in: CellRun(row: y, columns: part.x..<part.maxX)) {
                let cell = grid[Point(x: run.columns.lowerBound, y: y)]
                guard cell.role != .text || cell.mark != .none else { continue }
                let mark = cell.mark.role.map { "+" + $0.name } ?? ""
                let (start, end) = (run.columns.lowerBound - part.x, run.columns.upperBound - 1 - part.x)
                lines += "\(y - part.y): \(start)-\(end) \(cell.role.name)\(mark)\n"
            }
        }
        return lines
    }
}

extension Grid {
    /// Cuts a run into runs of one role and mark each, for writers and backends that set a style and then write text.
    package func styleRuns(in run: CellRun) -> [CellRun] {
        let cells = row(run.row)
        let limits = 0..<size.columns
        let columns = run.columns.clamped(to: limits)
        var runs: [CellRun] = []
        var start = columns.lowerBound
        while start < columns.upperBound {
            let key = cells[cells.startIndex + start].styleKey
            var end = start + 1
            while end < columns.upperBound, cells[cells.startIndex + end].styleKey == key { end += 1 }
            runs.append(CellRun(row: run.row, columns: start..<end))
            start = end
        }
        return runs
    }

    /// What the cells of a run show, as text.
    package func text(of run: CellRun) -> String {
        let cells = row(run.row)
        let columns = run.columns.clamped(to: 0..<size.columns)
        guard !cells.isEmpty else { return "" }
        var text = String.UnicodeScalarView()
        for cell in cells[cells.startIndex + columns.lowerBound..<cells.startIndex + columns.upperBound] {
            append(cell, to: &text)
        }
        return String(text)
    }
}
