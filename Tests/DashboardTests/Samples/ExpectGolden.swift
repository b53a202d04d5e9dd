import Screen
import TestSupport
import Testing

/// Expects the screen of the golden file `dashboard/name`; the size is the grid's.
func expectGolden(_ name: String, _ grid: Grid, source: SourceLocation = #_sourceLocation) {
    let failure = GoldenComparer().failure(
        area: "dashboard", name: name, columns: grid.size.columns, rows: grid.size.rows,
        text: TextWriter.golden(of: grid), styles: TextWriter.styleRuns(of: grid))
    if let failure { Issue.record(Comment(rawValue: failure), sourceLocation: source) }
}
