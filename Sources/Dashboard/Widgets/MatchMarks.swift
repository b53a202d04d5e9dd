import Screen

extension Grid {
    /// Marks the places of a text in the rows of a rectangle; ASCII letters match either case.
    mutating func markMatches(of filter: TextFilter, in rect: Rect, _ mark: Mark = .match) {
        guard filter.canHighlight else { return }
        let area = rect.intersection(bounds)
        guard !area.isEmpty else { return }
        let needle = filter.scalars
        for y in area.y..<area.maxY {
            let row = scalars(in: area, row: y)
            var start = 0
            while start + needle.count <= row.values.count {
                let end = start + needle.count
                guard row.values[start..<end].elementsEqual(needle) else {
                    start += 1
                    continue
                }
                let (first, last) = (row.columns[start], row.columns[end - 1])
                self.mark(Rect(x: first, y: y, width: last - first + 1, height: 1), mark)
                start = end
            }
        }
    }

    /// What a row of the area shows as it is compared, and the column of each scalar: a glyph of two cells is one scalar, and a base with
    /// combining marks is several.
    private func scalars(in area: Rect, row y: Int) -> (values: [UInt32], columns: [Int]) {
        var (values, columns): ([UInt32], [Int]) = ([], [])
        values.reserveCapacity(area.width)
        columns.reserveCapacity(area.width)
        for x in area.x..<area.maxX {
            let cell = self[Point(x: x, y: y)]
            if let scalar = cell.glyph.scalar {
                values.append(TextFilter.folded(scalar))
                columns.append(x)
            } else {
                for scalar in cluster(of: cell)?.scalars ?? [] {
                    values.append(TextFilter.folded(scalar))
                    columns.append(x)
                }
            }
        }
        return (values, columns)
    }
}
