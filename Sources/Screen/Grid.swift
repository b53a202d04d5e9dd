/// A picture of the terminal: a flat array of cells that widgets draw into and writers read.
///
/// Only `SafeText` gets in. No double-width glyph is ever half: overwriting one half blanks the other, and one that
/// does not fit at an edge becomes a blank (TERM-20, TERM-25). Drawing outside is clipped; any size is legal.
package struct Grid: Sendable {
    /// Columns and rows.
    package let size: Size
    /// Row after row, `size.columns` each.
    package private(set) var cells: [Cell]
    /// What cluster glyphs refer to.
    private(set) var clusters: [Cluster] = []
    private let widths: CharacterWidth

    /// A grid of blanks. `widths` names the scalars that this host's libc would measure otherwise.
    package init(size: Size, widths: CharacterWidth = .standard) {
        self.size = size
        self.widths = widths
        cells = [Cell](repeating: .blank, count: size.columns * size.rows)
    }

    /// The whole grid.
    package var bounds: Rect { Rect(size) }

    /// The cell at a point, blank outside.
    package subscript(point: Point) -> Cell {
        bounds.contains(point) ? cells[point.y * size.columns + point.x] : .blank
    }

    /// The cells of a row, empty outside.
    package func row(_ y: Int) -> ArraySlice<Cell> {
        guard y >= 0, y < size.rows else { return [] }
        return cells[y * size.columns..<(y + 1) * size.columns]
    }

    /// Base and marks when the cell shows a base with combining marks.
    package func cluster(of cell: Cell) -> Cluster? {
        guard let index = cell.glyph.clusterIndex, index < clusters.count else { return nil }
        return clusters[index]
    }

    /// Appends what the cell shows; nothing for the right half of a wide glyph.
    package func append(_ cell: Cell, to text: inout String.UnicodeScalarView) {
        if let scalar = cell.glyph.scalar {
            text.append(scalar)
        } else if let cluster = cluster(of: cell) {
            text.append(contentsOf: cluster.scalars)
        }
    }

    /// Blanks everything.
    package mutating func clear() {
        clusters.removeAll(keepingCapacity: true)
        cells.withUnsafeMutableBufferPointer { $0.update(repeating: .blank) }
    }
}

extension Grid {
    /// Writes text from a point to the right, at most `maxColumns` columns, and gives the number of columns passed.
    ///
    /// Escapes get the role `text.escaped`. Columns left of the grid count as passed.
    @discardableResult
    package mutating func put(
        _ text: SafeText, at point: Point, role: Role = .text, maxColumns: Int = Size.limit
    ) -> Int {
        let room = min(text.columns, max(maxColumns, 0))
        guard point.y >= 0, point.y < size.rows, point.x < size.columns, point.x > -Rect.reach, room > 0 else {
            return 0
        }
        let end = min(point.x + room, size.columns)
        let span = max(point.x, 0)..<max(end, 0)
        guard !span.isEmpty else { return max(end - point.x, 0) }
        let base = point.y * size.columns
        releaseEdges(of: span, rowStart: base)
        let target = base + span.lowerBound..<base + span.upperBound
        switch text.storage {
        case .ascii(let string):
            putASCII(string, from: base + point.x, into: target, role)
        case .units(let units, let table):
            let offset = clusters.count
            clusters.append(contentsOf: table)
            putUnits(units, clusterOffset: offset, from: base + point.x, into: target, role)
        }
        return end - point.x
    }

    /// Writes the segments of a line one after the other, at most `maxColumns` columns, and gives the columns passed.
    @discardableResult
    package mutating func put(_ line: StyledLine, at point: Point, maxColumns: Int = Size.limit) -> Int {
        var passed = 0
        for segment in line.segments {
            let left = maxColumns - passed
            guard left > 0 else { break }
            passed += put(
                segment.text, at: Point(x: point.x + passed, y: point.y), role: segment.role, maxColumns: left)
        }
        return passed
    }

    private mutating func putASCII(_ text: String, from origin: Int, into span: Range<Int>, _ role: Role) {
        var text = text
        let template = Cell(glyph: Glyph(raw: 0), role: role).bits
        text.withUTF8 { bytes in
            cells.withUnsafeMutableBufferPointer { cells in
                for index in span {
                    cells[index] = Cell(bits: template | UInt64(bytes[index - origin]))
                }
            }
        }
    }

    private mutating func putUnits(
        _ units: [SafeText.Unit], clusterOffset: Int, from origin: Int, into span: Range<Int>, _ role: Role
    ) {
        var index = origin
        for unit in units {
            let next = index + unit.columns
            if index >= span.upperBound { break }
            defer { index = next }
            guard next > span.lowerBound else { continue }
            let role = unit.isEscaped ? Role.textEscaped : role
            if index < span.lowerBound || next > span.upperBound {
                // One half of a wide glyph is outside: the half inside is blank.
                cells[max(index, span.lowerBound)] = Cell(glyph: .space, role: role)
            } else {
                place(unit, clusterOffset: clusterOffset, at: index, role)
            }
        }
    }

    private mutating func place(_ unit: SafeText.Unit, clusterOffset: Int, at index: Int, _ role: Role) {
        var glyph = Glyph(raw: unit.value)
        if let cluster = unit.clusterIndex { glyph = Glyph(clusterIndex: cluster + clusterOffset) }
        if !widths.agreesOnAll, disagreesOnWidth(of: glyph) {
            cells[index] = Cell(glyph: .replacement, role: .textEscaped)
            if unit.isWide { cells[index + 1] = Cell(glyph: .space, role: .textEscaped) }
            return
        }
        cells[index] = Cell(glyph: glyph, role: role, flags: unit.isWide ? Cell.wideFlag : 0)
        if unit.isWide { cells[index + 1] = Cell(glyph: .none, role: role, flags: Cell.continuationFlag) }
    }

    /// Whether the host measures the glyph, or one of its marks, otherwise.
    private func disagreesOnWidth(of glyph: Glyph) -> Bool {
        if let scalar = glyph.scalar { return widths.disagrees(on: scalar) }
        return glyph.clusterIndex.map { clusters[$0].scalars.contains(where: widths.disagrees) } ?? false
    }

    /// Blanks the halves that remain when a span is overwritten.
    private mutating func releaseEdges(of span: Range<Int>, rowStart: Int) {
        if span.lowerBound > 0, cells[rowStart + span.lowerBound].isContinuation {
            cells[rowStart + span.lowerBound - 1] = cells[rowStart + span.lowerBound - 1].blanked
        }
        if span.upperBound < size.columns, cells[rowStart + span.upperBound].isContinuation {
            cells[rowStart + span.upperBound] = cells[rowStart + span.upperBound].blanked
        }
    }
}

extension Grid {
    /// Fills a rectangle with one glyph (default: a space).
    package mutating func fill(_ rect: Rect, with glyph: Glyph? = nil, role: Role = .text) {
        let part = rect.intersection(bounds)
        guard !part.isEmpty else { return }
        let cell = Cell(glyph: glyph ?? .space, role: role)
        for y in part.y..<part.maxY {
            let start = y * size.columns
            releaseEdges(of: part.x..<part.maxX, rowStart: start)
            for x in part.x..<part.maxX { cells[start + x] = cell }
        }
    }

    /// Gives every cell of a rectangle another role and keeps the glyphs.
    package mutating func restyle(_ rect: Rect, role: Role) {
        transform(rect) { $0.with(role: role) }
    }

    /// Puts a mark over a rectangle; glyphs and roles stay, so a state is still readable in a selected row.
    package mutating func mark(_ rect: Rect, _ mark: Mark) {
        transform(rect) { $0.with(mark: mark) }
    }

    /// Both halves of a wide glyph always change together.
    private mutating func transform(_ rect: Rect, _ change: (Cell) -> Cell) {
        let part = rect.intersection(bounds)
        guard !part.isEmpty else { return }
        for y in part.y..<part.maxY {
            let start = y * size.columns
            let first = cells[start + part.x].isContinuation ? part.x - 1 : part.x
            let last = cells[start + part.maxX - 1].isWide ? part.maxX + 1 : part.maxX
            for x in max(first, 0)..<min(last, size.columns) { cells[start + x] = change(cells[start + x]) }
        }
    }

    /// Draws a box along the inner edge of a rectangle; one row or column gives a rule.
    package mutating func frame(_ rect: Rect, _ border: Glyphs.Border, role: Role = .paneBorder) {
        guard !rect.isEmpty else { return }
        fill(Rect(x: rect.x, y: rect.y, width: rect.width, height: 1), with: border.horizontal, role: role)
        guard rect.height > 1 else { return }
        fill(Rect(x: rect.x, y: rect.maxY - 1, width: rect.width, height: 1), with: border.horizontal, role: role)
        let sides = Rect(x: rect.x, y: rect.y + 1, width: rect.width, height: rect.height - 2)
        fill(sides.splitLeft(1).left, with: border.vertical, role: role)
        fill(sides.splitRight(1).right, with: border.vertical, role: role)
        corner(rect.x, rect.y, border.topLeft, role)
        corner(rect.maxX - 1, rect.y, border.topRight, role)
        corner(rect.x, rect.maxY - 1, border.bottomLeft, role)
        corner(rect.maxX - 1, rect.maxY - 1, border.bottomRight, role)
    }

    private mutating func corner(_ x: Int, _ y: Int, _ glyph: Glyph, _ role: Role) {
        fill(Rect(x: x, y: y, width: 1, height: 1), with: glyph, role: role)
    }
}
