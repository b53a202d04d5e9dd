/// A place in the cell grid: `x` columns from the left, `y` rows from the top, from zero; may be outside the grid.
package struct Point: Hashable, Sendable {
    /// Column, from zero at the left.
    package var x: Int
    /// Row, from zero at the top.
    package var y: Int

    /// A point; any values are allowed, drawing clips.
    package init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}

/// The size of a terminal or an area, in cells. Never negative and never above `Size.limit`.
package struct Size: Hashable, Sendable {
    /// The largest accepted number of columns or rows; a `--size` or a terminal report beyond it is clamped.
    package static let limit = 1_000
    /// No cells at all.
    package static let zero = Size(columns: 0, rows: 0)

    /// Number of columns.
    package let columns: Int
    /// Number of rows.
    package let rows: Int

    /// Clamps both values to `0...limit`, because they may come from a terminal's report or a flag.
    package init(columns: Int, rows: Int) {
        self.columns = min(max(columns, 0), Size.limit)
        self.rows = min(max(rows, 0), Size.limit)
    }
}

/// A rectangle of cells. Width and height are never negative; coordinates stay within ±`Rect.reach`.
package struct Rect: Hashable, Sendable {
    /// Coordinates and extents are clamped to this, so that no sum of two of them overflows.
    package static let reach = 1 << 20
    /// The rectangle without cells.
    package static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

    /// Left column.
    package let x: Int
    /// Top row.
    package let y: Int
    /// Number of columns.
    package let width: Int
    /// Number of rows.
    package let height: Int

    /// Clamps: negative extents become zero.
    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = min(max(x, -Rect.reach), Rect.reach)
        self.y = min(max(y, -Rect.reach), Rect.reach)
        self.width = min(max(width, 0), Rect.reach)
        self.height = min(max(height, 0), Rect.reach)
    }

    /// The whole of a grid of that size.
    package init(_ size: Size) {
        self.init(x: 0, y: 0, width: size.columns, height: size.rows)
    }

    /// First column to the right of the rectangle.
    package var maxX: Int { x + width }
    /// First row below the rectangle.
    package var maxY: Int { y + height }
    /// Whether it holds no cell.
    package var isEmpty: Bool { width == 0 || height == 0 }
    /// Top left corner.
    package var origin: Point { Point(x: x, y: y) }

    /// Whether the point is inside.
    package func contains(_ point: Point) -> Bool {
        point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
    }

    /// The common part, empty when there is none.
    package func intersection(_ other: Rect) -> Rect {
        let left = max(x, other.x), top = max(y, other.y)
        return Rect(
            x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
    }

    /// The rectangle without `columns` cells at the left and right and `rows` cells at top and bottom.
    package func inset(columns: Int, rows: Int) -> Rect {
        let dx = min(max(columns, 0), width), dy = min(max(rows, 0), height)
        return Rect(x: x + dx, y: y + dy, width: width - 2 * dx, height: height - 2 * dy)
    }

    /// Row `index` counted from the top of the rectangle, empty when there is no such row.
    package func row(_ index: Int) -> Rect {
        guard index >= 0, index < height else { return .zero }
        return Rect(x: x, y: y + index, width: width, height: 1)
    }

    /// Cuts `rows` rows off the top; at most what there is.
    package func splitTop(_ rows: Int) -> (top: Rect, rest: Rect) {
        let cut = min(max(rows, 0), height)
        return (
            Rect(x: x, y: y, width: width, height: cut),
            Rect(x: x, y: y + cut, width: width, height: height - cut)
        )
    }

    /// Cuts `rows` rows off the bottom; at most what there is.
    package func splitBottom(_ rows: Int) -> (rest: Rect, bottom: Rect) {
        let parts = splitTop(height - min(max(rows, 0), height))
        return (parts.top, parts.rest)
    }

    /// Cuts `columns` columns off the left; at most what there is.
    package func splitLeft(_ columns: Int) -> (left: Rect, rest: Rect) {
        let cut = min(max(columns, 0), width)
        return (
            Rect(x: x, y: y, width: cut, height: height),
            Rect(x: x + cut, y: y, width: width - cut, height: height)
        )
    }

    /// Cuts `columns` columns off the right; at most what there is.
    package func splitRight(_ columns: Int) -> (rest: Rect, right: Rect) {
        let parts = splitLeft(width - min(max(columns, 0), width))
        return (parts.left, parts.rest)
    }

    /// A rectangle of the wanted size in the middle, never larger than this one.
    package func centered(columns: Int, rows: Int) -> Rect {
        let wide = min(max(columns, 0), width), high = min(max(rows, 0), height)
        return Rect(x: x + (width - wide) / 2, y: y + (height - high) / 2, width: wide, height: high)
    }
}
