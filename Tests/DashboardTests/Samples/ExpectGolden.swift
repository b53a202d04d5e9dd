import Screen
import TestSupport
import Testing

/// Expects the golden file `dashboard/name` to show `parts` of a picture, one below the other; without any the whole.
func expectGolden(_ name: String, _ grid: Grid, _ parts: [Rect] = [], source: SourceLocation = #_sourceLocation) {
    let section = GoldenSection(title: nil, grid: grid, parts: parts.isEmpty ? [grid.bounds] : parts)
    expectGolden(name, grid.size, [section], source: source)
}

/// Expects the golden file `dashboard/name` to show the same part of many pictures of one size, each below its title.
func expectGolden(
    _ name: String, _ size: Size, _ sections: [GoldenSection], source: SourceLocation = #_sourceLocation
) {
    let failure = GoldenComparer().failure(
        area: "dashboard", name: name, columns: size.columns, rows: size.rows,
        text: sections.map(\.text).joined(), styles: sections.map(\.styles).joined())
    if let failure { Issue.record(Comment(rawValue: failure), sourceLocation: source) }
}

/// What a golden file shows of one picture.
struct GoldenSection {
    /// The line above it, nil for a single section.
    let title: String?
    let grid: Grid
    /// The rectangles that are shown, from top to bottom.
    let parts: [Rect]

    fileprivate var text: String { write { TextWriter.golden(of: grid, in: $0) } }
    fileprivate var styles: String { write { TextWriter.styleRuns(of: grid, in: $0) } }

    private func write(_ part: (Rect) -> String) -> String {
        (title.map { "== \($0)\n" } ?? "") + parts.map(part).joined()
    }
}
