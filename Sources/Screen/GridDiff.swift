/// The difference between two grids as runs of cells to repaint: what a frame costs is decided here (TERM-25).
package enum GridDiff {
    /// Unchanged cells between two changes are repainted with them up to this number: cheaper than moving the cursor.
    package static let joinedGap = 3

    /// Runs of `new` that differ from `old`, top to bottom, left to right; all rows without an `old` of the same size.
    ///
    /// A run holds whole glyphs only: both halves of a wide one are always painted together (TERM-20).
    package static func runs(from old: Grid?, to new: Grid) -> [CellRun] {
        guard let old, old.size == new.size else {
            guard new.size.columns > 0 else { return [] }
            return (0..<new.size.rows).map { CellRun(row: $0, columns: 0..<new.size.columns) }
        }
        // Cluster indexes mean the same in both grids only when the tables are equal.
        let comparesBits = old.clusters == new.clusters
        var runs: [CellRun] = []
        old.cells.withUnsafeBufferPointer { before in
            new.cells.withUnsafeBufferPointer { after in
                for row in 0..<new.size.rows {
                    let range = row * new.size.columns..<(row + 1) * new.size.columns
                    if comparesBits, sameBits(before, after, range) { continue }
                    appendRuns(of: row, range, before, after, to: &runs) { index in
                        comparesBits
                            ? before[index] == after[index]
                            : same(before[index], of: old, after[index], of: new)
                    }
                }
            }
        }
        return runs
    }

    /// Compares without an exit in the middle, which the compiler turns into wide instructions.
    private static func sameBits(
        _ before: UnsafeBufferPointer<Cell>, _ after: UnsafeBufferPointer<Cell>, _ range: Range<Int>
    ) -> Bool {
        var difference: UInt64 = 0
        for index in range { difference |= before[index].bits ^ after[index].bits }
        return difference == 0
    }

    /// Whether two cells look the same although their clusters are in different tables.
    private static func same(_ one: Cell, of old: Grid, _ other: Cell, of new: Grid) -> Bool {
        guard one.glyph.clusterIndex != nil, other.glyph.clusterIndex != nil else { return one == other }
        return one.with(glyph: .none) == other.with(glyph: .none) && old.cluster(of: one) == new.cluster(of: other)
    }

    private static func appendRuns(
        of row: Int, _ range: Range<Int>, _ before: UnsafeBufferPointer<Cell>, _ after: UnsafeBufferPointer<Cell>,
        to runs: inout [CellRun], same: (Int) -> Bool
    ) {
        let first = runs.count
        var index = range.lowerBound
        while index < range.upperBound {
            guard !same(index) else {
                index += 1
                continue
            }
            var start = index, end = index + 1
            while end < range.upperBound, !same(end) { end += 1 }
            if after[start].isContinuation, start > range.lowerBound { start -= 1 }
            if after[end - 1].isWide, end < range.upperBound { end += 1 }
            let columns = start - range.lowerBound..<end - range.lowerBound
            if runs.count > first, let last = runs.last, columns.lowerBound - last.columns.upperBound <= joinedGap {
                runs[runs.count - 1] = CellRun(row: row, columns: last.columns.lowerBound..<columns.upperBound)
            } else {
                runs.append(CellRun(row: row, columns: columns))
            }
            index = end
        }
    }
}

extension Grid: Equatable {
    /// Equal when they look and mean the same, wherever their clusters are stored.
    package static func == (lhs: Grid, rhs: Grid) -> Bool {
        lhs.size == rhs.size && GridDiff.runs(from: lhs, to: rhs).isEmpty
    }
}

/// Paints frames through a backend, only what changed since the last one.
package struct FramePainter: Sendable {
    private var shown: Grid?
    private var lastCursor: Point?

    /// Nothing has been painted yet.
    package init() {}

    /// Paints the difference to the last frame and gives the number of runs; nothing is sent when nothing changed.
    @discardableResult
    package mutating func paint(_ grid: Grid, cursor: Point? = nil, on backend: inout some ScreenBackend) -> Int {
        let runs = GridDiff.runs(from: shown, to: grid)
        if runs.isEmpty, shown?.size == grid.size, cursor == lastCursor { return 0 }
        backend.begin(size: grid.size)
        for run in runs { backend.paint(run, of: grid) }
        backend.end(cursor: cursor)
        shown = grid
        lastCursor = cursor
        return runs.count
    }

    /// Repaints everything with the next frame: after a resize, a resume or an external program (TERM-25).
    package mutating func invalidate(_ backend: inout some ScreenBackend) {
        shown = nil
        backend.invalidate()
    }
}
