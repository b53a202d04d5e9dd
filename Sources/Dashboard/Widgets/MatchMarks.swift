import Screen

extension Grid {
    /// Marks the places of a text in the rows of a rectangle; ASCII letters match either case.
    mutating func markMatches(of filter: TextFilter, in rect: Rect, _ mark: Mark = .match) {
        guard filter.canHighlight else { return }
        let area = rect.intersection(bounds)
        let needle = filter.scalars
        guard area.width >= needle.count else { return }
        for y in area.y..<area.maxY {
            let row = (area.x..<area.maxX).map { TextFilter.folded(self[Point(x: $0, y: y)].glyph.scalar) }
            var x = 0
            while x + needle.count <= row.count {
                if row[x..<(x + needle.count)].elementsEqual(needle) {
                    self.mark(Rect(x: area.x + x, y: y, width: needle.count, height: 1), mark)
                    x += needle.count
                } else {
                    x += 1
                }
            }
        }
    }
}
