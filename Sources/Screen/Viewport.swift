/// Which part of a list is on the screen: `count` rows, `height` of them visible from `offset` on.
package struct Viewport: Hashable, Sendable {
    /// More rows than any list has; larger counts are clamped, so that no sum overflows.
    package static let countLimit = 1 << 40

    /// Rows in the list.
    package let count: Int
    /// Rows on the screen.
    package let height: Int
    /// First visible row.
    package let offset: Int

    /// Clamps the offset so that no blank rows are shown while there are rows to show.
    package init(count: Int, height: Int, offset: Int) {
        self.count = min(max(count, 0), Viewport.countLimit)
        self.height = min(max(height, 0), Size.limit)
        self.offset = min(max(offset, 0), max(self.count - self.height, 0))
    }

    /// The visible rows.
    package var visible: Range<Int> { offset..<min(offset + height, count) }

    /// The viewport moved as little as possible so that a row is on the screen.
    package func showing(_ row: Int) -> Viewport {
        guard height > 0, count > 0 else { return self }
        let row = min(max(row, 0), count - 1)
        if row < offset { return Viewport(count: count, height: height, offset: row) }
        if row >= offset + height { return Viewport(count: count, height: height, offset: row - height + 1) }
        return self
    }

    /// The viewport moved by a number of rows, down when positive.
    package func scrolled(by rows: Int) -> Viewport {
        Viewport(count: count, height: height, offset: offset + min(max(rows, -count), count))
    }
}
